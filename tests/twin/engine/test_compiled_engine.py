"""The compiled engine's own promises: chunks, cancelling, whole instants, threads, and its cache folder."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from twin.engine import (
    Account,
    Options,
    ReplayCancelled,
    SetAside,
    WaitReason,
    engine_version,
    inputs,
    jit,
    simulate,
)
from twin.engine.agenda import NEVER
from twin.engine.bench import Case, SimPyTimes, measure
from twin.engine.bench_workload import bench_cluster, bench_jobs
from twin.engine.inputs import build_world
from twin.engine.loop import advance
from twin.sched import verdicts
from twin.sched.policy import Backfill, Order, PassMode, Placement, Policy
from twin.workload.jobs import EndState, make_jobs

COMPARED = (
    "start_ms",
    "end_ms",
    "pool",
    "state",
    "wait_by_reason_ms",
    "ledger_gpu_ms",
    "node_offset",
    "node_index",
    "gpu_mask",
)


def equal(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in COMPARED)


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(order=Order.SJF, backfill_depth=5, placement=Placement.FIRST_FIT),
        Policy(
            order=Order.SJF, backfill=Backfill.FIRST_FIT, backfill_depth=10, placement=Placement.WORST_FIT
        ),
        Policy(pass_mode=PassMode.EVENT, backfill_depth=3),
    ],
    ids=["easy", "sjf easy", "sjf first fit", "easy at each event"],
)
@pytest.mark.parametrize(("count", "gpus"), [(900, 640), (4_200, 80)])
def test_indices_of_several_blocks_and_levels_answer_as_the_reference(policy, count, gpus):
    """Hundreds of running jobs split and merge agenda blocks; 4,200 ranks need three levels of bits."""
    jobs, cluster = bench_jobs(count, gpus, load=1.1, limit_slack=3.0), bench_cluster(gpus)
    assert equal(simulate(jobs, cluster, policy), simulate(jobs, cluster, policy, engine="reference"))


def test_a_replay_of_one_event_at_a_time_is_the_replay_at_once():
    jobs, cluster = bench_jobs(2_000, 80, 1.2, 2.0), bench_cluster(80)
    whole = simulate(jobs, cluster, Policy())
    world, _ = build_world(jobs, cluster, Policy(), whole.horizon_ms)
    while advance(world.record, 1, NEVER - 1):
        pass
    by_row = world.jobs[world.rank_of_row]
    assert np.array_equal(by_row["start_ms"], whole.start_ms)
    assert np.array_equal(by_row["end_ms"], whole.end_ms)
    assert np.array_equal(world.wait_ms, whole.wait_by_reason_ms)


def test_advance_stops_before_the_first_instant_after_until():
    jobs, cluster = bench_jobs(2_000, 80, 1.2, 2.0), bench_cluster(80)
    whole = simulate(jobs, cluster, Policy())
    until_ms = int(np.median(whole.start_ms))
    world, _ = build_world(jobs, cluster, Policy(), whole.horizon_ms)
    assert advance(world.record, NEVER, until_ms)
    started = world.jobs["start_ms"][world.rank_of_row] >= 0
    assert np.array_equal(started, whole.start_ms <= until_ms)


def test_progress_is_told_often_and_rises_to_the_end():
    told = []
    jobs = bench_jobs(200_000, 1_000, 1.2, 1.0)
    simulate(jobs, bench_cluster(1_000), Policy(), on_progress=lambda progress: told.append(progress) or True)
    finished = [progress.finished_jobs for progress in told]
    assert finished == sorted(finished)
    assert finished[-1] == told[-1].total_jobs == len(jobs)
    assert len(told) > 10


def test_an_answer_of_false_cancels_the_replay():
    told = []

    def stop_at_third(progress):
        told.append(progress)
        return len(told) < 3

    with pytest.raises(ReplayCancelled):
        simulate(
            bench_jobs(50_000, 1_000, 1.2, 1.0), bench_cluster(1_000), Policy(), on_progress=stop_at_third
        )
    assert len(told) == 3


def test_replays_in_threads_do_not_touch_each_other():
    jobs, cluster = bench_jobs(20_000, 1_000, 1.2, 2.0), bench_cluster(1_000)
    policies = [Policy(), Policy(order=Order.SJF), Policy(backfill=Backfill.STRICT), Policy()]
    alone = [simulate(jobs, cluster, policy) for policy in policies]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda policy: simulate(jobs, cluster, policy), policies))
    assert all(equal(one, other) for one, other in zip(alone, together, strict=True))


@pytest.mark.parametrize("backfill", list(Backfill))
def test_a_large_replay_balances_to_the_millisecond(backfill):
    jobs, cluster = bench_jobs(30_000, 10_000, 1.3, 3.0), bench_cluster(10_000)
    result = simulate(jobs, cluster, Policy(backfill=backfill))
    assert result.ledger_gpu_ms.sum() == cluster.gpus * result.horizon_ms
    assert np.array_equal(result.wait_by_reason_ms.sum(axis=1), result.start_ms - jobs.submit_ms)
    assert result.counters.queue_area_job_ms == (result.start_ms - jobs.submit_ms).sum()


def test_no_jobs_and_only_impossible_jobs_are_replayed_too():
    cluster = bench_cluster(8)
    none = simulate(bench_jobs(1, 8, 1.0, 1.0).take(np.arange(0)), cluster, Policy(), Options(horizon_ms=10))
    assert none.ledger_gpu_ms[0, Account.IDLE_NO_DEMAND] == 80
    large = make_jobs(submit_ms=np.array([0, 5]), run_ms=np.array([3, 3]), gpus=np.array([9, 16]))
    result = simulate(large, cluster, Policy())
    assert result.set_aside.tolist() == [SetAside.TOO_MANY_GPUS] * 2
    assert result.state.tolist() == [EndState.SET_ASIDE] * 2
    assert result.ledger_gpu_ms[0, Account.IDLE_NO_DEMAND] == 8 * 5


def test_the_rules_number_reasons_and_accounts_as_the_result_does():
    named = {
        "NEVER_UNKNOWN_GPU_MODEL": SetAside.UNKNOWN_GPU_MODEL,
        "NEVER_TOO_MANY_GPUS": SetAside.TOO_MANY_GPUS,
        "NEVER_SHAPE": SetAside.SHAPE_NEVER_FITS,
        "NEVER_CPU_OR_MEMORY": SetAside.TOO_MUCH_CPU_OR_MEMORY,
        "WAITS_NOT_ELIGIBLE": WaitReason.NOT_YET_ELIGIBLE,
        "WAITS_BEHIND": WaitReason.BEHIND_OTHERS,
        "WAITS_TOO_FEW": WaitReason.TOO_FEW_FREE,
        "WAITS_FRAGMENTED": WaitReason.FRAGMENTED,
        "WAITS_HELD": WaitReason.HELD_FOR_ANOTHER,
        "WAITS_WRONG_GPU_MODEL": WaitReason.WRONG_GPU_MODEL,
        "IDLE_NO_DEMAND": Account.IDLE_NO_DEMAND,
        "IDLE_NOT_ELIGIBLE": Account.IDLE_NOT_ELIGIBLE,
        "IDLE_WRONG_GPU_MODEL": Account.IDLE_WRONG_GPU_MODEL,
        "IDLE_HELD": Account.IDLE_HELD_FOR_WAITING_JOB,
        "IDLE_FRAGMENTED": Account.IDLE_FRAGMENTED,
        "IDLE_TOO_FEW_FREE": Account.IDLE_TOO_FEW_FREE,
    }
    assert {name: getattr(verdicts, name) for name in named} == named


def test_the_cache_folder_lies_where_the_environment_says_and_removes_only_old_siblings(
    monkeypatch, tmp_path
):
    old, recent = tmp_path / "engine" / "old", tmp_path / "engine" / "recent"
    for folder in (old, recent):
        folder.mkdir(parents=True)
    month_ago = time.time() - 31 * 24 * 3600
    os.utime(old, (month_ago, month_ago))
    monkeypatch.setenv("TWIN_CACHE_DIR", str(tmp_path))
    folder = jit.cache_folder.__wrapped__()
    assert folder.parent == tmp_path / "engine"
    assert sorted(found.name for found in folder.parent.iterdir()) == sorted(["recent", folder.name])
    assert len(engine_version()) == 16


def test_the_bench_states_its_load_and_checks_both_engines_on_the_same_jobs():
    jobs = bench_jobs(5_000, 800, 1.2, 1.0)
    offered = (jobs.gpus * jobs.run_ms).sum() / (800 * jobs.submit_ms.max())
    assert offered == pytest.approx(1.2, rel=0.01)
    assert np.array_equal(jobs.limit_ms, jobs.run_ms)
    row = measure(Case(5_000, 800, 1.2, 2.0, Backfill.EASY), SimPyTimes(60))
    assert row.ratio > 1
    assert row.mean_queue > 10
    assert row.examined_per_pass > 1


def test_read_only_and_strided_columns_are_replayed_without_compiling_anew():
    jobs, cluster = bench_jobs(500, 80, 1.2, 2.0), bench_cluster(80)
    plain = simulate(jobs, cluster, Policy())
    known = len(inputs._load_jobs.signatures)
    run_ms = np.repeat(jobs.run_ms, 2)[::2]
    limit_ms = jobs.limit_ms.copy()
    limit_ms.flags.writeable = False
    other = replace(jobs, run_ms=run_ms, limit_ms=limit_ms)
    assert equal(simulate(other, cluster, Policy()), plain)
    assert len(inputs._load_jobs.signatures) == known
