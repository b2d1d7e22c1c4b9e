"""One unit for a whole row, so that its numbers can be compared at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fleet.planning.comparison.metrics import Kind, Metric
from fleet.planning.formats import MISSING, as_duration

TIMES = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"))
AMOUNTS = ((1e9, "G"), (1e6, "M"), (1e4, "k"))
WIDEST = 100.0  # times in a wider range are told each in its own unit


@dataclass(frozen=True, slots=True)
class Scale:
    """Values are divided by ``length`` and told in ``unit`` with ``decimals`` decimals; ``own_units``: times
    that each carry their own unit."""

    length: float
    unit: str
    decimals: int
    own_units: bool = False

    def text(self, value: float | None) -> str:
        """The number, without the row's unit."""
        if value is None:
            return MISSING
        if self.own_units:
            return as_duration(value)
        scaled = value / self.length
        smallest = 10.0**-self.decimals
        if 0 < abs(scaled) < smallest / 2:
            return f"<{smallest:.{self.decimals}f}"
        return f"{scaled:,.{self.decimals}f}"


def scale_for(metric: Metric, values: Sequence[float], unit: str = "") -> Scale:
    """The scale that the largest value of a row asks for; ``unit`` replaces the metric's own."""
    largest = max((abs(value) for value in values), default=0.0)
    if metric.kind is Kind.SHARE:
        return Scale(0.01, "%", 1)
    if metric.kind is Kind.TIME:
        told = [abs(value) for value in values if value]
        if told and min(told) * WIDEST < max(told):
            return Scale(1.0, "", 0, own_units=True)
        length, unit = next(((length, unit) for length, unit in TIMES if largest >= 2 * length), (1.0, "s"))
        return Scale(length, unit, _decimals(largest / length))
    factor, prefix = next(((factor, prefix) for factor, prefix in AMOUNTS if largest >= factor), (1.0, ""))
    factor = 1e3 if prefix == "k" else factor
    return Scale(factor, f"{prefix} {unit or metric.unit}".strip(), _decimals(largest / factor))


def _decimals(largest: float) -> int:
    """Three figures of the largest value."""
    return 0 if largest >= 1000 else 1 if largest >= 10 else 2
