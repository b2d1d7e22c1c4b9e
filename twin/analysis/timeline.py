"""What was allocated and what was queued over time, as exact means of time bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from twin.analysis.cell_sums import RanJobs, taken
from twin.engine.result import Result
from twin.workload.jobs import Int64Array

FloatArray = NDArray[np.float64]
DEFAULT_POINTS: Final = 1000


@dataclass(frozen=True, slots=True)
class Timeline:
    """Means over ``b`` equal bins of [0, horizon]; each array has shape (b,), ``edges_ms`` (b + 1,).

    A mean is the exact integral over the bin divided by its length, so that the area under a curve is
    GPU-time whatever the number of bins. *Queued* jobs are eligible and have not started; jobs set aside
    are not among them.
    """

    edges_ms: Int64Array
    allocated_gpus: FloatArray
    queued_gpus: FloatArray
    running_jobs: FloatArray
    queued_jobs: FloatArray
    capacity_gpus: FloatArray
    pool_names: tuple[str, ...]
    allocated_by_pool: FloatArray  # (pools, b)
    origin_epoch_ms: int | None

    def to_dict(self) -> dict[str, Any]:
        """Lists for JSON: bin starts in seconds, values rounded to thousandths."""
        return {
            "time_s": (self.edges_ms[:-1] / 1000).tolist(),
            "end_s": self.edges_ms[-1].item() / 1000,
            "allocated_gpus": self.allocated_gpus.round(3).tolist(),
            "queued_gpus": self.queued_gpus.round(3).tolist(),
            "running_jobs": self.running_jobs.round(3).tolist(),
            "queued_jobs": self.queued_jobs.round(3).tolist(),
            "capacity_gpus": self.capacity_gpus.round(3).tolist(),
            "pools": {
                name: values.round(3).tolist()
                for name, values in zip(self.pool_names, self.allocated_by_pool, strict=True)
            },
            "origin_epoch_ms": self.origin_epoch_ms,
        }


def timeline(result: Result, points: int = DEFAULT_POINTS) -> Timeline:
    """Allocation and queue of a replay in ``points`` bins over its horizon (fewer when the horizon has
    fewer milliseconds; none when it is zero)."""
    bins = min(points, result.horizon_ms)
    edges = np.array([result.horizon_ms * edge // max(bins, 1) for edge in range(bins + 1)], dtype=np.int64)
    steps = _Steps(edges)
    ran = RanJobs.of(result)
    pool = taken(result.pool, ran.rows).astype(np.intp)
    pools = len(result.cluster.pools)
    submit = steps.places(ran.start_ms - ran.wait_ms)
    start, end = steps.places(ran.start_ms), steps.places(ran.end_ms)
    ones = np.ones(len(ran))
    by_pool = [
        steps.means(start, end, np.where(pool == index, ran.gpus, 0.0) if pools > 1 else ran.gpus)
        for index in range(pools)
    ]
    return Timeline(
        edges_ms=edges,
        allocated_gpus=np.sum(by_pool, axis=0) if by_pool else np.zeros(bins),
        queued_gpus=steps.means(submit, start, ran.gpus),
        running_jobs=steps.means(start, end, ones),
        queued_jobs=steps.means(submit, start, ones),
        capacity_gpus=np.full(bins, float(result.cluster.gpus)),
        pool_names=tuple(pool.name for pool in result.cluster.pools),
        allocated_by_pool=np.array(by_pool).reshape(pools, bins),
        origin_epoch_ms=result.jobs.origin_epoch_ms,
    )


@dataclass(frozen=True, slots=True)
class _Places:
    """Instants, each as its bin and the share of that bin that lies after it."""

    bin: NDArray[np.intp]  # one past the last bin for instants at or after the horizon
    rest_ms: FloatArray


class _Steps:
    """Integrates sums of steps over bins without ever sorting the steps."""

    def __init__(self, edges_ms: Int64Array) -> None:
        self.edges_ms = edges_ms
        self.bins = len(edges_ms) - 1
        self.width_ms = np.diff(edges_ms).astype(np.float64)

    def places(self, instants_ms: Int64Array) -> _Places:
        """Where instants fall; those before zero count from zero."""
        within = np.clip(instants_ms, 0, self.edges_ms[-1])
        span = max(int(self.edges_ms[-1]), 1)
        # The edge below is found by division, then mended by at most one: faster than a search.
        found = np.minimum((within * (self.bins / span)).astype(np.intp), self.bins)
        found -= within < self.edges_ms[found]
        beyond = np.minimum(found + 1, self.bins)
        found += (within >= self.edges_ms[beyond]) & (found < self.bins)
        after = self.edges_ms[np.minimum(found + 1, self.bins)]
        return _Places(found, (after - within).astype(np.float64))

    def means(self, begin: _Places, end: _Places, weight: FloatArray) -> FloatArray:
        """Bin means of the sum of ``weight`` over the items that are between begin and end."""
        size = self.bins + 1
        partial = np.bincount(begin.bin, weight * begin.rest_ms, size)
        partial -= np.bincount(end.bin, weight * end.rest_ms, size)
        change = np.bincount(begin.bin, weight, size) - np.bincount(end.bin, weight, size)
        level = np.concatenate(([0.0], np.cumsum(change)[:-1]))  # of what began in earlier bins
        means: FloatArray = level[: self.bins] + partial[: self.bins] / self.width_ms
        return means
