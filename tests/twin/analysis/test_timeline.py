"""A timeline's bins are exact means."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twin.analysis.replays import replay
from twin.analysis import timeline
from twin.hardware import Cluster, Gpu, Pool
from twin.workload.jobs import make_jobs


def test_a_bin_holds_the_exact_mean():
    # 4 GPUs over [1, 3) s and 8 GPUs over [3, 10) s, queued since 0 and 2 s; bins of 2 s to 8 s.
    jobs = make_jobs(submit_ms=np.array([0, 2000]), run_ms=np.array([2000, 7000]), gpus=np.array([4, 8]))
    told = timeline(replay(jobs, [1000, 3000], horizon_ms=8000), points=4)
    assert told.edges_ms.tolist() == [0, 2000, 4000, 6000, 8000]
    assert told.allocated_gpus.tolist() == [2, 6, 8, 8]
    assert told.queued_gpus.tolist() == [2, 4, 0, 0]
    assert told.running_jobs.tolist() == [0.5, 1, 1, 1]
    assert told.queued_jobs.tolist() == [0.5, 0.5, 0, 0]
    assert told.capacity_gpus.tolist() == [32] * 4


def test_pools_are_told_apart():
    cluster = Cluster("two", (Pool("a", 1, Gpu("X"), 8), Pool("b", 1, Gpu("Y"), 8)))
    jobs = make_jobs(submit_ms=np.array([0, 0]), run_ms=np.array([1000, 2000]), gpus=np.array([4, 8]))
    told = timeline(replay(jobs, [0, 0], cluster=cluster, pool=[1, 0], horizon_ms=2000), points=2)
    assert told.allocated_by_pool.tolist() == [[8, 8], [4, 0]]


def test_a_job_not_yet_eligible_is_not_queued():
    jobs = make_jobs(
        submit_ms=np.array([0]), run_ms=np.array([1000]), gpus=np.array([1]), eligible_ms=np.array([1000])
    )
    assert timeline(replay(jobs, [2000], horizon_ms=2000), points=2).queued_jobs.tolist() == [0, 1]


def test_a_horizon_of_zero_has_no_bins():
    jobs = make_jobs(submit_ms=np.array([0]), run_ms=np.array([1000]), gpus=np.array([1]))
    told = timeline(replay(jobs, [0]))
    assert len(told.allocated_gpus) == 0
    assert json.loads(json.dumps(told.to_dict()))["time_s"] == []


jobs_lists = st.lists(
    st.tuples(st.integers(0, 500), st.integers(0, 300), st.integers(1, 400), st.integers(1, 8)),
    min_size=1,
    max_size=20,
)


@given(jobs_lists, st.integers(1, 700), st.integers(1, 50))
@settings(max_examples=60)
def test_the_area_under_the_curves_is_exact(items, horizon_ms, points):
    submit, wait, run, gpus = (np.array(column, dtype=np.int64) for column in zip(*items, strict=True))
    jobs = make_jobs(submit_ms=submit, run_ms=run, gpus=gpus)
    result = replay(jobs, submit + wait, horizon_ms=horizon_ms)
    told = timeline(result, points)
    width = np.diff(told.edges_ms)
    for begin, end, curve in (
        (submit + wait, submit + wait + run, told.allocated_gpus),
        (submit, submit + wait, told.queued_gpus),
    ):
        for low, high, mean in zip(told.edges_ms[:-1], told.edges_ms[1:], curve, strict=True):
            inside = np.minimum(end, high) - np.maximum(begin, low)
            assert mean == pytest.approx((gpus * np.maximum(inside, 0)).sum() / (high - low), abs=1e-9)
    assert width.sum() == horizon_ms
