"""Wait curves are quantile points of the empirical distribution."""

import json

import numpy as np

from tests.twin.analysis.replays import replay
from twin.analysis import wait_curves
from twin.workload.jobs import make_jobs


def hundred(**columns):
    return make_jobs(
        submit_ms=np.zeros(100, dtype=np.int64),
        run_ms=np.full(100, 1000),
        gpus=np.repeat([1, 8], 50),
        **columns,
    )


def test_points_are_nearest_rank_and_end_at_the_longest_wait():
    all_jobs, ones, eights = wait_curves(replay(hundred(), np.arange(100) * 1000), points=4)
    assert all_jobs.share.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert all_jobs.wait_s.tolist() == [24, 49, 74, 99]
    assert (ones.size, ones.jobs, ones.wait_s[-1]) == ("1", 50, 49)
    assert (eights.size, eights.jobs, eights.wait_s[0]) == ("5-8", 50, 62)


def test_few_jobs_have_a_point_each():
    curves = wait_curves(replay(hundred(), np.arange(100) * 1000), points=200)
    assert [len(curve.share) for curve in curves] == [100, 50, 50]


def test_the_recorded_past_has_curves_of_its_own():
    jobs = hundred(recorded_start_ms=np.where(np.arange(100) < 50, 5000, -1))
    curves = wait_curves(replay(jobs, np.zeros(100)))
    recorded = [curve for curve in curves if curve.recorded]
    assert [(curve.size, curve.jobs) for curve in recorded] == [(None, 50), ("1", 50)]
    assert set(recorded[0].wait_s) == {5.0}
    assert json.dumps([curve.to_dict() for curve in curves])


def test_jobs_set_aside_wait_for_ever_so_the_curve_ends_below_one():
    start = np.where(np.arange(100) < 80, 1000, -1)
    all_jobs, ones, eights = wait_curves(replay(hundred(), start, set_aside=(start < 0) * 2), points=10)
    assert (all_jobs.jobs, all_jobs.share[-1], len(all_jobs.share)) == (100, 0.8, 8)
    assert ones.share[-1] == 1.0
    assert (eights.jobs, eights.share[-1]) == (50, 0.6)


def test_no_curve_is_drawn_where_nothing_ran():
    assert wait_curves(replay(hundred(), np.full(100, -1), set_aside=np.full(100, 2))) == ()
