"""Percentiles by nearest rank, shown only with enough jobs, and the interval of a share."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from twin.workload.jobs import Int64Array

JOBS_BEYOND: Final = 10
"""A percentile is shown only when at least this many jobs lie beyond it (p95: from 200 jobs)."""

NEVER_MS: Final = int(np.iinfo(np.int64).max)
"""A wait without end: that of a job which could never start."""

_Z_95: Final = 1.959963984540054  # two-sided 95 % point of the normal distribution


def enough_jobs(percent: int, jobs: int) -> bool:
    """Whether ``jobs`` values are enough to show the ``percent``-th percentile."""
    return jobs * (100 - percent) >= JOBS_BEYOND * 100


def nearest_ranks(values: Int64Array, percents: tuple[int, ...], never: int = 0) -> tuple[int | None, ...]:
    """The nearest-rank percentiles of unordered ``values`` and of ``never`` more that rank after them all.

    None where there are too few, ``NEVER_MS`` where the rank is among the latter.
    """
    jobs = len(values) + never
    ranks = {percent: (percent * jobs + 99) // 100 - 1 for percent in percents if enough_jobs(percent, jobs)}
    within = sorted({rank for rank in ranks.values() if rank < len(values)})
    parted = np.partition(values, within) if within else values

    def ranked(percent: int) -> int | None:
        if percent not in ranks:
            return None
        rank = ranks[percent]
        return int(parted[rank]) if rank < len(values) else NEVER_MS

    return tuple(ranked(percent) for percent in percents)


def share_interval(successes: int, trials: int) -> tuple[float, float] | None:
    """The 95 % Wilson score interval of ``successes / trials`` (Wilson, JASA 22, 1927); None for no trials.

    It treats jobs as independent, which jobs of one queue are not: it is the least uncertainty there is.
    """
    if trials == 0:
        return None
    share = successes / trials
    z2 = _Z_95 * _Z_95
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = _Z_95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials)) / (1 + z2 / trials)
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == trials else centre + half
    return low, high
