"""Intervals over seeds: the mean and its 95 % t-interval, alone and of paired differences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# Two-sided 95 % points of Student's t with 1 to 30 degrees of freedom; beyond, the normal's (2.5 % wider
# at 31 at most).
T_95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
Z_95 = 1.96


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over ``n`` replications; ``half`` is the half-width of its interval, None with one."""

    mean: float
    half: float | None
    n: int

    @property
    def excludes_zero(self) -> bool:
        """Whether zero lies outside the interval; never with a single replication."""
        return self.half is not None and abs(self.mean) > self.half


def estimate(values: Iterable[float | None]) -> Estimate | None:
    """The mean and interval of replications; None where any of them is missing, or all are."""
    values = list(values)
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    n = len(known)
    mean = math.fsum(known) / n
    if n == 1:
        return Estimate(mean, None, 1)
    variance = math.fsum((value - mean) ** 2 for value in known) / (n - 1)
    quantile = T_95[n - 2] if n - 2 < len(T_95) else Z_95
    return Estimate(mean, quantile * math.sqrt(variance / n), n)


def paired(values: Mapping[int, float | None], others: Mapping[int, float | None]) -> Estimate | None:
    """The mean of value - other over the seeds that both have (common random numbers), and its interval."""
    pairs = [(values[seed], others[seed]) for seed in values if seed in others]
    return estimate([None if value is None or other is None else value - other for value, other in pairs])
