"""The trace's own past beside the replay: how well does the replay reproduce it?"""

from __future__ import annotations

from typing import Final

import numpy as np

from twin.analysis.percentiles import JOBS_BEYOND, nearest_ranks
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
    rows = np.flatnonzero((jobs.recorded_start_ms >= 0) & (result.start_ms >= 0))
    if len(rows) == 0:
        return None
    eligible = np.maximum(jobs.eligible_ms[rows], jobs.submit_ms[rows])
    recorded = nearest_ranks(np.maximum(jobs.recorded_start_ms[rows] - eligible, 0), (50, 95))
    replayed = nearest_ranks(result.start_ms[rows] - eligible, (50, 95))
    recorded_p50, recorded_p95 = (None if value is None else value / 1000 for value in recorded)
    replayed_p50, replayed_p95 = (None if value is None else value / 1000 for value in replayed)
    judged = recorded_p95 is not None and replayed_p95 is not None
    difference = replayed_p95 - recorded_p95 if recorded_p95 is not None and replayed_p95 is not None else 0.0
    misses = judged and abs(difference) > max(bound * (recorded_p95 or 0.0), floor_s)
    return ReplayCheck(
        jobs=len(rows),
        recorded_p50_s=recorded_p50,
        replayed_p50_s=replayed_p50,
        recorded_p95_s=recorded_p95,
        replayed_p95_s=replayed_p95,
        bound=bound,
        floor_s=floor_s,
        error=difference / recorded_p95 if recorded_p95 else None,
        judged=judged,
        misses=misses,
        verdict=_verdict(len(rows), judged, misses, difference, recorded_p95, bound),
    )


def _verdict(
    jobs: int, judged: bool, misses: bool, difference: float, recorded_p95: float | None, bound: float
) -> str:
    if not judged:
        needed = JOBS_BEYOND * 20
        return f"{jobs} jobs have a recorded start; a p95 needs {needed}: the replay is not judged"
    side = "longer" if difference > 0 else "shorter"
    told = f"{abs(difference):,.0f} s {side} than the recorded {recorded_p95:,.0f} s"
    if misses:
        return (
            f"the replayed p95 wait is {told}, outside the bound of {bound:.0%}: compare scenarios with each "
            "other, do not read their waits as absolute"
        )
    return f"the replayed p95 wait is {told}, within the bound of {bound:.0%}"
