"""When jobs arrive: the week as 168 rates, and submit times drawn from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twin.workload.jobs import Int64Array

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
HOURS_A_WEEK = 168
EPOCH_WEEKDAY = 3  # 1 January 1970 was a Thursday; Monday is 0

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Relative rates by hour of the day and by weekday (Monday first); only their proportions matter."""

    hours: tuple[float, ...] = (1.0,) * 24
    weekdays: tuple[float, ...] = (1.0,) * 7

    def week(self) -> FloatArray:
        """Rates of the 168 hours from Monday midnight, with mean 1."""
        rates: FloatArray = np.outer(np.asarray(self.weekdays), np.asarray(self.hours)).reshape(HOURS_A_WEEK)
        relative: FloatArray = rates / rates.mean()
        return relative


FLAT = Rhythm()
OFFICE = Rhythm(
    hours=(
        0.66, 0.54, 0.46, 0.40, 0.38, 0.40, 0.47, 0.62, 0.88, 1.24, 1.50, 1.58,
        1.46, 1.38, 1.53, 1.64, 1.60, 1.50, 1.31, 1.14, 1.07, 1.02, 0.93, 0.81,
    ),
    weekdays=(1.08, 1.15, 1.17, 1.14, 1.06, 0.68, 0.72),
)  # fmt: skip
"""Working days busier than nights and weekends; the weekend carries a fifth of the week."""


def hour_of_week(epoch_ms: int) -> int:
    """Hours since Monday midnight of this moment, 0 to 167."""
    days, within = divmod(epoch_ms, DAY_MS)
    return int((days + EPOCH_WEEKDAY) % 7 * 24 + within // HOUR_MS)


def draw_arrivals(
    draw: np.random.Generator,
    rhythm: Rhythm,
    per_hour: float,
    span_ms: int,
    start_hour: int,
    burst_mean: float,
) -> Int64Array:
    """Sorted submit times in [0, span): a Poisson process whose rate follows the week.

    With ``burst_mean`` above 1 submissions come as bursts of that many jobs in the mean (geometric), all
    at one instant: sweeps and arrays. ``start_hour`` is the hour of the week at time zero.
    """
    hours = -(-span_ms // HOUR_MS)
    rates = rhythm.week()[(start_hour + np.arange(hours)) % HOURS_A_WEEK] * (per_hour / burst_mean)
    counts = draw.poisson(rates)
    base = np.repeat(np.arange(hours, dtype=np.int64) * HOUR_MS, counts)
    times = np.sort(base + draw.integers(0, HOUR_MS, size=len(base)))
    if burst_mean > 1:
        times = np.repeat(times, draw.geometric(1 / burst_mean, size=len(times)))
    return times[times < span_ms]
