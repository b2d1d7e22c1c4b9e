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
    ``wait_s[i]`` seconds (nearest rank). ``recorded``: the trace's own past, not the replay."""

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
    """The curves of all jobs and of each GPU size that occurs, replayed and then (where starts were
    recorded) recorded; each with at most ``points`` points, evenly spaced in share, the last at 1."""
    ran = RanJobs.of(result)
    jobs = result.jobs
    curves = _curves(ran.wait_ms, size_codes(taken(jobs.gpus, ran.rows)), False, points)
    rows = np.flatnonzero(jobs.recorded_start_ms >= 0)
    if len(rows):
        eligible = np.maximum(jobs.eligible_ms[rows], jobs.submit_ms[rows])
        recorded_ms = np.maximum(jobs.recorded_start_ms[rows] - eligible, 0)
        curves += _curves(recorded_ms, size_codes(jobs.gpus[rows]), True, points)
    return tuple(curves)


def _curves(wait_ms: Int64Array, sizes: NDArray[np.int16], recorded: bool, points: int) -> list[WaitCurve]:
    if len(wait_ms) == 0:
        return []
    curves = [_curve(None, "all jobs", recorded, wait_ms, points)]
    for code, bucket in enumerate(SIZE_BUCKETS):
        chosen = wait_ms[sizes == code]
        if len(chosen):
            curves.append(_curve(bucket.key, bucket.label, recorded, chosen, points))
    return curves


def _curve(size: str | None, label: str, recorded: bool, wait_ms: Int64Array, points: int) -> WaitCurve:
    jobs = len(wait_ms)
    count = min(points, jobs)
    ranks = np.array([-(-jobs * (point + 1) // count) for point in range(count)], dtype=np.int64)
    ordered = np.sort(wait_ms)
    return WaitCurve(size, label, recorded, jobs, ranks / jobs, ordered[ranks - 1] / 1000)
