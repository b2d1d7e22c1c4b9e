"""Percentiles by nearest rank, shown only with enough jobs, and the interval of a share."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from twin.workload.jobs import Int64Array

JOBS_BEYOND: Final = 10
"""A percentile is shown only when at least this many jobs lie beyond it (p95: from 200 jobs)."""

_Z_95: Final = 1.959963984540054  # two-sided 95 % point of the normal distribution


def enough_jobs(percent: int, jobs: int) -> bool:
    """Whether ``jobs`` values are enough to show the ``percent``-th percentile."""
    return jobs * (100 - percent) >= JOBS_BEYOND * 100


def nearest_ranks(values: Int64Array, percents: tuple[int, ...]) -> tuple[int | None, ...]:
    """The nearest-rank percentiles of unordered ``values``; None where there are too few values."""
    jobs = len(values)
    ranks = {percent: -(-percent * jobs // 100) - 1 for percent in percents if enough_jobs(percent, jobs)}
    if not ranks:
        return (None,) * len(percents)
    parted = np.partition(values, sorted(set(ranks.values())))
    return tuple(int(parted[ranks[percent]]) if percent in ranks else None for percent in percents)


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
