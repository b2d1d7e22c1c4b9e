"""What analysis adds up by itself equals what the engine booked."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twin.analysis import HELD, outcomes_frame, summarise, timeline
from twin.engine import simulate
from twin.engine.result import Options, WaitReason
from twin.hardware import Cluster, Gpu, Pool
from twin.sched import Backfill, Placement, Policy
from twin.workload.jobs import Category, make_jobs

CLUSTER = Cluster("two", (Pool("a", 2, Gpu("X"), 4, speed=2.0), Pool("b", 1, Gpu("Y"), 8)))

jobs_lists = st.lists(
    st.tuples(st.integers(0, 200), st.integers(0, 30), st.integers(1, 150), st.integers(1, 12)),
    min_size=1,
    max_size=25,
)


def workload(items):
    submit, hold, run, gpus = (
        np.array(column, dtype=np.int64) for column in zip(*sorted(items), strict=True)
    )
    submit -= submit.min()
    group = Category((np.arange(len(submit)) % 2).astype(np.int32), ("odd", "even"))
    return make_jobs(submit_ms=submit, eligible_ms=submit + hold, run_ms=run, gpus=gpus, group=group)


@given(
    jobs_lists,
    st.sampled_from([None, 1, 50, 1000]),
    st.sampled_from(Backfill),
    st.sampled_from([Placement.COUNT, Placement.BEST_FIT]),
)
@settings(max_examples=50, deadline=None)
def test_sums_over_jobs_equal_the_engines_books(items, horizon_ms, backfill, placement):
    policy = Policy(backfill=backfill, placement=placement)
    result = simulate(workload(items), CLUSTER, policy, Options(horizon_ms), engine="reference")
    told = summarise(result)
    held_ms = sum(told.ledger.lines[account].gpu_ms for account in HELD)
    assert told.all.held_gpu_hours * 3_600_000 == pytest.approx(held_ms)
    assert sum(line.gpu_ms for line in told.ledger.lines) == told.ledger.capacity_gpu_ms
    reasons = told.all.wait_by_reason_job_hours
    waited = sum(hours for reason, hours in reasons.items() if reason != "not_yet_eligible")
    mean_s = told.all.waits.wait_mean_s or 0.0
    assert waited * 3600 == pytest.approx(mean_s * told.jobs_ran)
    assert set(reasons) == {reason.name.lower() for reason in WaitReason}


@given(jobs_lists, st.sampled_from([1, 60, 400]), st.integers(1, 30))
@settings(max_examples=30, deadline=None)
def test_the_area_of_the_timeline_is_the_held_time_of_the_ledger(items, horizon_ms, points):
    result = simulate(workload(items), CLUSTER, Policy(), Options(horizon_ms), engine="reference")
    told = timeline(result, points)
    width = np.diff(told.edges_ms)
    for pool, row in zip(told.allocated_by_pool, result.ledger_gpu_ms, strict=True):
        assert (pool * width).sum() == pytest.approx(row[list(HELD)].sum(), abs=1e-6)
    assert told.allocated_gpus.max() <= CLUSTER.gpus + 1e-9
    assert told.queued_jobs.min() >= -1e-9


@given(jobs_lists)
@settings(max_examples=30, deadline=None)
def test_every_job_has_an_outcome_and_no_one_runs_nowhere(items):
    frame = outcomes_frame(simulate(workload(items), CLUSTER, Policy(), engine="reference"))
    assert len(frame) == len(items)
    aside = frame["state"] == "set_aside"
    assert (frame["start"].is_null() == aside).all()
    assert (frame["nodes"].is_null() == aside).all()
    assert (frame.filter(~aside)["gpus"] <= 8).all()
