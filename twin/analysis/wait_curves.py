"""How waits are distributed, by GPU size: the points of an empirical CDF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from twin.analysis.cell_sums import RanJobs, taken
from twin.analysis.targets import SIZE_BUCKETS, size_codes
from twin.engine.result import Result
from twin.workload.jobs import Int64Array

DEFAULT_POINTS: Final = 200


@dataclass(frozen=True, slots=True)
class WaitCurve:
    """The wait CDF of one GPU size (``size`` None: all jobs): ``share[i]`` of the ``jobs`` waited at most
    ``wait_s[i]`` seconds (nearest rank). Jobs set aside wait for ever, so that a curve ends below 1 by
    their share. ``recorded``: the trace's own past, not the replay."""

    size: str | None
    label: str
    recorded: bool
    jobs: int
    share: NDArray[np.float64]
    wait_s: NDArray[np.float64]

    def to_dict(self) -> dict[str, Any]:
        """Lists for JSON."""
        return {
            "size": self.size,
            "label": self.label,
            "recorded": self.recorded,
            "jobs": self.jobs,
            "share": self.share.round(6).tolist(),
            "wait_s": self.wait_s.tolist(),
        }


def wait_curves(result: Result, points: int = DEFAULT_POINTS) -> tuple[WaitCurve, ...]:
    """The curves of all jobs and of each GPU size of which a job ran, replayed and then (where starts were
    recorded) recorded; each with at most ``points`` points, evenly spaced in share."""
    ran = RanJobs.of(result)
    jobs = result.jobs
    sizes = size_codes(jobs.gpus)
    demand = np.bincount(sizes, minlength=len(SIZE_BUCKETS))
    curves = _curves(ran.wait_ms, taken(sizes, ran.rows), demand, False, points)
    rows = np.flatnonzero(jobs.recorded_start_ms >= 0)
    if len(rows):
        eligible = np.maximum(jobs.eligible_ms[rows], jobs.submit_ms[rows])
        recorded_ms = np.maximum(jobs.recorded_start_ms[rows] - eligible, 0)
        recorded = np.bincount(sizes[rows], minlength=len(SIZE_BUCKETS))
        curves += _curves(recorded_ms, sizes[rows], recorded, True, points)
    return tuple(curves)


def _curves(
    wait_ms: Int64Array, sizes: NDArray[np.int16], demand: Int64Array, recorded: bool, points: int
) -> list[WaitCurve]:
    """``demand``: jobs of each size, those that never start included."""
    if len(wait_ms) == 0:
        return []
    share, wait_s = _points(wait_ms, int(demand.sum()), points)
    curves = [WaitCurve(None, "all jobs", recorded, int(demand.sum()), share, wait_s)]
    for code, bucket in enumerate(SIZE_BUCKETS):
        chosen, jobs = wait_ms[sizes == code], int(demand[code])
        if len(chosen):
            share, wait_s = _points(chosen, jobs, points)
            curves.append(WaitCurve(bucket.key, bucket.label, recorded, jobs, share, wait_s))
    return curves


def _points(wait_ms: Int64Array, jobs: int, points: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shares of ``jobs`` and the waits at them; the last point is the longest wait there is."""
    count = min(points, jobs)
    ranks = -(-jobs * np.arange(1, count + 1, dtype=np.int64) // count)
    ranks = np.unique(np.minimum(ranks, len(wait_ms)))
    ordered = np.sort(wait_ms)
    return ranks / jobs, ordered[ranks - 1] / 1000
