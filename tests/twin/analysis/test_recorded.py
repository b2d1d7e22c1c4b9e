"""A replay is held against the recorded past, with a stated bound."""

import numpy as np
import pytest

from tests.twin.analysis.replays import replay
from twin.analysis import replay_against_recorded
from twin.workload.jobs import make_jobs

HOUR = 3_600_000


def past(n, recorded_wait_ms):
    submit = np.arange(n, dtype=np.int64) * 1000
    return make_jobs(
        submit_ms=submit,
        run_ms=np.full(n, 1000),
        gpus=np.ones(n),
        recorded_start_ms=submit + recorded_wait_ms,
    )


@pytest.mark.parametrize(("replayed_h", "misses"), [(4.0, False), (4.9, False), (5.1, True), (2.9, True)])
def test_a_p95_further_off_than_the_bound_misses(replayed_h, misses):
    jobs = past(200, 4 * HOUR)
    check = replay_against_recorded(replay(jobs, jobs.submit_ms + round(replayed_h * HOUR)))
    assert check.judged
    assert check.misses is misses
    assert ("outside the bound of 25%" in check.verdict) is misses


def test_a_difference_of_seconds_misses_nothing():
    jobs = past(200, 1000)
    assert not replay_against_recorded(replay(jobs, jobs.submit_ms + 60_000)).misses
    assert replay_against_recorded(replay(jobs, jobs.submit_ms + 60_000), floor_s=10).misses


def test_jobs_that_can_never_start_count_as_waiting_for_ever():
    jobs = past(200, HOUR)
    few = np.where(np.arange(200) < 190, jobs.submit_ms + HOUR, -1)
    assert not replay_against_recorded(replay(jobs, few, set_aside=(few < 0) * 2)).misses
    many = np.where(np.arange(200) < 189, jobs.submit_ms + HOUR, -1)
    check = replay_against_recorded(replay(jobs, many, set_aside=(many < 0) * 2))
    assert check.misses
    assert check.replayed_p95_s is None
    assert check.replayed_p50_s == 3600
    assert "never start" in check.verdict


def test_too_few_jobs_are_not_judged():
    jobs = past(199, HOUR)
    check = replay_against_recorded(replay(jobs, jobs.submit_ms))
    assert not check.judged
    assert not check.misses
    assert check.recorded_p50_s == 3600
    assert "199 jobs" in check.verdict


def test_a_recorded_wait_of_zero_has_no_relative_error():
    jobs = past(200, 0)
    check = replay_against_recorded(replay(jobs, jobs.submit_ms + HOUR))
    assert check.error is None
    assert check.misses
