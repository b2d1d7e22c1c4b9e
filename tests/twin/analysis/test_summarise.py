"""A summary states what happened, in all and by class."""

import dataclasses
import json

import numpy as np
import pytest

from tests.twin.analysis.replays import replay
from twin.analysis import Targets, summarise
from twin.engine.result import Account, SetAside
from twin.hardware import Cluster, Gpu, Pool
from twin.workload.jobs import Category, EndState, make_jobs

HOUR = 3_600_000


def four_jobs(**columns):
    return make_jobs(
        submit_ms=np.array([0, 0, HOUR, 2 * HOUR]),
        run_ms=np.array([HOUR, 2 * HOUR, HOUR, HOUR]),
        gpus=np.array([1, 8, 4, 32]),
        **columns,
    )


def test_waits_run_from_eligible_and_jct_from_submit():
    jobs = four_jobs(eligible_ms=np.array([0, HOUR // 2, HOUR, 2 * HOUR]))
    told = summarise(replay(jobs, [0, HOUR, HOUR, 3 * HOUR]))
    assert told.all.waits.wait_mean_s == (0 + 1800 + 0 + 3600) / 4
    assert told.all.waits.jct_mean_s == (3600 + 3 * 3600 + 3600 + 2 * 3600) / 4
    assert told.all.wait_by_reason_job_hours["not_yet_eligible"] == 0.5
    assert told.all.wait_by_reason_job_hours["behind_others"] == 1.5


def test_each_job_is_held_to_the_target_of_its_size():
    targets = Targets((0.0, 0.0, 3600.0, 0.0, 3599.0, 0.0), "stated here")
    told = summarise(replay(four_jobs(), [0, HOUR, HOUR, 3 * HOUR]), targets=targets)
    by_size = {one.size: one for one in told.by_size}
    assert list(by_size) == ["1", "2-4", "5-8", "17-64"]
    assert by_size["5-8"].waits.started_within_target == 1
    assert by_size["17-64"].waits.started_within_target == 0
    assert (told.all.waits.started_within_target, told.all.waits.jobs) == (3, 4)
    assert told.all.target_s is None
    assert by_size["17-64"].target_s == 3599.0
    assert told.targets_source == "stated here"


def test_too_few_jobs_give_no_percentile_but_k_of_n():
    waits = summarise(replay(four_jobs(), [0, 0, HOUR, 2 * HOUR])).all.waits
    assert (waits.wait_p50_s, waits.wait_p95_s, waits.wait_p99_s) == (None, None, None)
    assert (waits.started_within_target, waits.jobs, waits.share_within_target) == (4, 4, 1.0)
    assert 0.5 < waits.share_low < 0.52
    assert waits.share_high == 1.0


def test_load_backlog_and_throughput_count_the_horizon():
    # Horizon 2 h on 32 GPUs. The 32-GPU job waits at the horizon; the 8-GPU job waits at time zero.
    told = summarise(replay(four_jobs(), [0, HOUR, HOUR, 3 * HOUR]))
    assert told.horizon_s == 7200
    assert told.all.offered_gpu_hours == 1 + 16 + 4 + 32
    assert told.all.offered_load == 53 / 64
    assert told.all.backlog_start_gpu_hours == 16
    assert told.all.backlog_end_gpu_hours == 32
    assert told.backlog_days_to_drain == 32 / (32 * 24)
    assert told.all.held_gpu_hours == 1 + 8 + 4
    assert told.all.throughput_gpu_hours_per_hour == 13 / 2
    assert (told.all.jobs_waiting_at_horizon, told.all.jobs_running_at_horizon) == (1, 1)
    assert told.allocation == told.productive_share == 13 / 64


def test_a_start_at_the_horizon_is_running_not_waiting():
    told = summarise(replay(four_jobs(), [0, 0, HOUR, 2 * HOUR]))
    assert (told.all.jobs_waiting_at_horizon, told.all.jobs_running_at_horizon) == (0, 1)


def test_productive_time_is_kept_by_how_jobs_ended():
    state = np.array([EndState.COMPLETED, EndState.FAILED, EndState.CANCELLED, EndState.TIMED_OUT])
    told = summarise(replay(four_jobs(), [0, 0, HOUR, 2 * HOUR], state=state.astype(np.int8)))
    shares = told.productive_share_by_state
    assert shares == {"completed": 1 / 64, "cancelled": 4 / 64, "failed": 16 / 64, "timed_out": 0.0}


def test_the_ledger_is_exact_by_pool_and_in_all():
    cluster = Cluster("two", (Pool("a", 1, Gpu("X"), 8), Pool("b", 3, Gpu("Y"), 8)))
    told = summarise(replay(four_jobs(), [0, 0, HOUR, 2 * HOUR], cluster=cluster, pool=[0, 1, 1, 1]))
    for ledger in (told.ledger, *told.ledger_by_pool):
        assert sum(line.gpu_ms for line in ledger.lines) == ledger.capacity_gpu_ms
        assert [line.account for line in ledger.lines] == [account.name.lower() for account in Account]
    assert [ledger.name for ledger in told.ledger_by_pool] == ["a", "b"]
    assert told.ledger.lines[Account.PRODUCTIVE_COMPLETED].gpu_hours == 1 + 16 + 4


def test_a_ledger_beyond_int64_is_still_exact():
    big = Cluster("big", tuple(Pool(f"p{i}", 100_000, Gpu("X"), 64) for i in range(3)))
    horizon = 2**39
    result = replay(four_jobs(), [0, 0, HOUR, 2 * HOUR], cluster=big, horizon_ms=horizon)
    assert summarise(result).ledger.capacity_gpu_ms == 3 * 6_400_000 * horizon > 2**63


def test_jobs_set_aside_are_counted_and_named_and_wait_for_nothing():
    set_aside = [SetAside.NO, SetAside.TOO_MANY_GPUS, SetAside.NO, SetAside.TOO_MANY_GPUS]
    told = summarise(replay(four_jobs(), [0, -1, HOUR, -1], set_aside=set_aside))
    assert (told.jobs, told.jobs_ran, told.jobs_set_aside) == (4, 2, 2)
    (group,) = told.set_aside
    assert (group.reason, group.jobs, group.examples) == ("too_many_gpus", 2, ("1", "3"))
    assert group.example_gpus == (8, 32)
    assert group.gpu_hours == 16 + 32
    assert (told.all.waits.jobs, told.all.waits.jobs_started) == (4, 2)
    assert told.all.waits.share_within_target == 0.5
    assert told.all.offered_gpu_hours == 5
    assert told.all.jobs_waiting_at_horizon == 0


def test_jobs_set_aside_rank_as_waiting_for_ever():
    n = 1000
    jobs = make_jobs(submit_ms=np.arange(n) * 1000, run_ms=np.full(n, 1000), gpus=np.ones(n))
    start = np.where(np.arange(n) % 20 == 0, -1, jobs.submit_ms + np.arange(n))
    waits = summarise(replay(jobs, start, set_aside=(start < 0) * 2)).all.waits
    assert waits.jobs == n
    assert waits.wait_p95_s == 0.999
    assert waits.wait_p99_s is None
    assert waits.never_percents == (99,)
    assert waits.wait_mean_s == pytest.approx(np.arange(n)[start >= 0].mean() / 1000)


def test_a_replay_in_which_nothing_ran_says_so_without_failing():
    told = summarise(replay(four_jobs(), [-1] * 4, set_aside=[SetAside.UNKNOWN_GPU_MODEL] * 4))
    assert told.jobs_ran == 0
    assert told.all.waits.wait_mean_s is None
    assert told.makespan_s is None


def test_one_job_at_time_zero_has_no_horizon_and_no_shares():
    jobs = make_jobs(submit_ms=np.array([0]), run_ms=np.array([HOUR]), gpus=np.array([1]))
    told = summarise(replay(jobs, [0]))
    assert told.allocation is None
    assert told.all.offered_load is None
    assert told.all.throughput_gpu_hours_per_hour is None


def test_groups_are_told_apart_and_the_small_ones_put_together():
    n = 60
    group = Category((np.arange(n) % 30).astype(np.int32), tuple(f"team-{i}" for i in range(30)))
    jobs = make_jobs(
        submit_ms=np.zeros(n, dtype=np.int64),
        run_ms=HOUR * (1 + np.arange(n) % 30),
        gpus=np.ones(n, dtype=np.int32),
        group=group,
    )
    told = summarise(replay(jobs, np.zeros(n), horizon_ms=HOUR))
    names = [one.group for one in told.by_group]
    assert names[:2] == ["team-29", "team-28"]
    assert names[-1] == "other groups"
    assert len(names) == 20
    assert sum(one.jobs for one in told.by_group) == n
    assert {one.name for one in told.by_class} == {f"{name}, 1 GPU" for name in names}


def test_a_trace_without_groups_has_sizes_only():
    told = summarise(replay(four_jobs(), [0, 0, HOUR, 2 * HOUR]))
    assert told.by_group == told.by_class == ()


def test_every_class_agrees_with_counting_by_hand():
    rng = np.random.default_rng(7)
    n = 3000
    submit = np.sort(rng.integers(0, 100 * HOUR, n))
    wait = rng.integers(0, 3 * HOUR, n)
    gpus = rng.choice([1, 2, 8, 16, 64, 128], n)
    codes = rng.integers(-1, 3, n).astype(np.int32)
    jobs = make_jobs(
        submit_ms=submit, run_ms=rng.integers(1, HOUR, n), gpus=gpus, group=Category(codes, ("x", "y", "z"))
    )
    result = replay(jobs, submit + wait)
    told = summarise(result)
    chosen = (codes == 1) & (gpus == 8)
    (found,) = [one for one in told.by_class if (one.group, one.size) == ("y", "5-8")]
    ordered = np.sort(wait[chosen])
    assert found.jobs == chosen.sum()
    assert found.waits.wait_p50_s == ordered[-(-chosen.sum() // 2) - 1] / 1000
    assert found.waits.started_within_target == (wait[chosen] <= HOUR).sum()
    assert found.waits.wait_mean_s == pytest.approx(wait[chosen].mean() / 1000)
    assert sum(one.jobs for one in told.by_class) == n
    assert sum(one.held_gpu_hours for one in told.by_size) == pytest.approx(told.all.held_gpu_hours)


def test_bounded_slowdown_counts_short_runs_as_ten_seconds():
    jobs = make_jobs(submit_ms=np.array([0, 0]), run_ms=np.array([1000, 20_000]), gpus=np.array([1, 1]))
    told = summarise(replay(jobs, [19_000, 0], horizon_ms=HOUR))
    assert told.all.bounded_slowdown_mean == (2.0 + 1.0) / 2


def test_a_summary_is_json_and_the_same_twice():
    result = replay(four_jobs(), [0, HOUR, HOUR, 3 * HOUR])
    first, second = (json.dumps(summarise(result).to_dict(), allow_nan=False) for _ in range(2))
    assert first == second
    assert json.loads(first)["deterministic"] is True


def test_the_recorded_past_has_the_same_metrics():
    n = 400
    submit = np.arange(n, dtype=np.int64) * 60_000
    jobs = make_jobs(
        submit_ms=submit,
        run_ms=np.full(n, HOUR),
        gpus=np.ones(n),
        recorded_start_ms=np.where(np.arange(n) % 2 == 0, submit + HOUR, -1),
        recorded_end_ms=np.where(np.arange(n) % 2 == 0, submit + 2 * HOUR, -1),
    )
    told = summarise(replay(jobs, submit + HOUR // 2))
    assert told.all.recorded.jobs == 200
    assert told.all.recorded.wait_p95_s == 3600
    assert told.all.recorded.jct_mean_s == 7200
    assert told.all.waits.wait_p95_s == 1800
    assert told.replay_check.misses
    assert told.replay_check.error == -0.5


def test_a_trace_without_recorded_starts_has_no_recorded_past():
    told = summarise(replay(four_jobs(), [0, 0, HOUR, 2 * HOUR]))
    assert told.all.recorded is None
    assert told.replay_check is None


def test_targets_must_name_every_size():
    with pytest.raises(ValueError, match="each of 6"):
        Targets((1.0,))


def test_a_summary_is_a_frozen_value():
    told = summarise(replay(four_jobs(), [0, 0, HOUR, 2 * HOUR]))
    with pytest.raises(dataclasses.FrozenInstanceError):
        told.jobs = 5
