"""The trace's own past beside the replay: how well does the replay reproduce it?"""

from __future__ import annotations

from typing import Final

import numpy as np

from twin.analysis.labels import duration_text
from twin.analysis.percentiles import JOBS_BEYOND, NEVER_MS, nearest_ranks
from twin.analysis.summary import ReplayCheck
from twin.engine.result import Result

DEFAULT_BOUND: Final = 0.25
DEFAULT_FLOOR_S: Final = 300.0


def replay_against_recorded(
    result: Result, *, bound: float = DEFAULT_BOUND, floor_s: float = DEFAULT_FLOOR_S
) -> ReplayCheck | None:
    """Recorded and replayed waits over the jobs whose start was recorded; None when there are none.

    The replay *misses* when its p95 wait differs from the recorded one by more than ``bound`` (a share of
    the recorded p95) and by more than ``floor_s`` seconds: a p95 of 10 s against 20 s misses nothing.
    """
    jobs = result.jobs
    rows = np.flatnonzero(jobs.recorded_start_ms >= 0)
    if len(rows) == 0:
        return None
    eligible = np.maximum(jobs.eligible_ms[rows], jobs.submit_ms[rows])
    recorded = nearest_ranks(np.maximum(jobs.recorded_start_ms[rows] - eligible, 0), (50, 95))
    start = result.start_ms[rows]
    ran = start >= 0
    replayed = nearest_ranks((start - eligible)[ran], (50, 95), never=int((~ran).sum()))
    error, misses, verdict = _judged(len(rows), recorded[1], replayed[1], bound, floor_s)
    return ReplayCheck(
        jobs=len(rows),
        recorded_p50_s=_seconds(recorded[0]),
        replayed_p50_s=_seconds(replayed[0]),
        recorded_p95_s=_seconds(recorded[1]),
        replayed_p95_s=_seconds(replayed[1]),
        bound=bound,
        floor_s=floor_s,
        error=error,
        judged=recorded[1] is not None,
        misses=misses,
        verdict=verdict,
    )


def _judged(
    jobs: int, recorded_ms: int | None, replayed_ms: int | None, bound: float, floor_s: float
) -> tuple[float | None, bool, str]:
    """The relative error of the p95, whether it misses, and that in words."""
    if recorded_ms is None or replayed_ms is None:
        needed = JOBS_BEYOND * 20
        return (
            None,
            False,
            f"{jobs} jobs have a recorded start; a p95 needs {needed}: the replay is not judged",
        )
    if replayed_ms == NEVER_MS:
        return (
            None,
            True,
            "more than 5 % of the jobs that did start can never start here: the cluster differs",
        )
    difference_s = (replayed_ms - recorded_ms) / 1000
    error = difference_s * 1000 / recorded_ms if recorded_ms else None
    side = "longer" if difference_s > 0 else "shorter"
    recorded = duration_text(recorded_ms / 1000)
    told = f"the replayed p95 wait is {duration_text(abs(difference_s))} {side} than the recorded {recorded}"
    if abs(difference_s) <= max(bound * recorded_ms / 1000, floor_s):
        return error, False, f"{told}, within the bound of {bound:.0%}"
    return error, True, f"{told}, outside the bound of {bound:.0%}"


def _seconds(value_ms: int | None) -> float | None:
    return None if value_ms is None or value_ms == NEVER_MS else value_ms / 1000
