"""What must not matter does not: changes of a world that leave the answer as it was, or scale it."""

import numpy as np
import pytest

from tests.twin.engine.cases import twin_case
from tests.twin.engine.engines import both_engines
from tests.twin.engine.strategies import crowded_world
from twin.workload import MISSING

TIMES = ("submit", "run", "eligible", "limit")
seeds = pytest.mark.parametrize("seed", range(15))


@both_engines
@seeds
def test_a_job_that_can_never_run_changes_nothing_for_the_others(seed, replay):
    jobs, pools, policy, _ = crowded_world(seed, jobs=25)
    impossible = {"submit": jobs[10]["submit"], "run": 5, "gpus": 1, "models": ["no such model"]}
    before = replay(*twin_case(jobs, pools, policy, horizon=50))
    after = replay(*twin_case([*jobs, impossible], pools, policy, horizon=50))
    assert after.start_ms.tolist() == [*before.start_ms.tolist(), MISSING]
    assert after.ledger_gpu_ms.tolist() == before.ledger_gpu_ms.tolist()


@both_engines
@seeds
def test_a_clock_that_runs_seven_times_faster_gives_times_seven_times_as_long(seed, replay):
    """One pass an instant and enforced limits: there the "next millisecond" of overdue jobs has no part."""
    jobs, pools, policy, _ = crowded_world(seed, jobs=25)
    pools = [pool | {"speed": 1.0} for pool in pools]
    policy = policy | {"passes": "instant", "enforce_limits": True}
    scaled_jobs = [job | {name: job[name] and 7 * job[name] for name in TIMES} for job in jobs]
    plain = replay(*twin_case(jobs, pools, policy, horizon=50))
    scaled = replay(*twin_case(scaled_jobs, pools, policy, horizon=350))
    ran = plain.start_ms != MISSING
    assert np.array_equal(scaled.start_ms[ran], 7 * plain.start_ms[ran])
    assert np.array_equal(scaled.end_ms[ran], 7 * plain.end_ms[ran])
    assert np.array_equal(scaled.wait_by_reason_ms, 7 * plain.wait_by_reason_ms)
    assert np.array_equal(scaled.ledger_gpu_ms, 7 * plain.ledger_gpu_ms)


@both_engines
@seeds
def test_the_horizon_bounds_the_ledger_and_moves_no_start(seed, replay):
    jobs, pools, policy, _ = crowded_world(seed, jobs=25)
    short, long = (replay(*twin_case(jobs, pools, policy, horizon=horizon)) for horizon in (20, 10_000))
    assert short.start_ms.tolist() == long.start_ms.tolist()
    assert short.wait_by_reason_ms.tolist() == long.wait_by_reason_ms.tolist()
    assert np.all(short.ledger_gpu_ms <= long.ledger_gpu_ms)
