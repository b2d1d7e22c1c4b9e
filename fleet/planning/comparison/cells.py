"""The cells of a comparison: a value with its interval, its difference from the baseline, and whether it is
the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fleet.planning.comparison.columns import Column
from fleet.planning.comparison.metrics import Kind, Metric
from fleet.planning.comparison.statistics import Estimate, estimate, paired
from fleet.planning.comparison.units import Scale, scale_for
from fleet.planning.formats import MISSING

MOST_SHARE = 10.0  # beyond ten times the baseline a percentage says nothing
NOTHING = 1e-9  # differences below this share of the value are rounding, not news


@dataclass(frozen=True, slots=True)
class Delta:
    """A signed difference from the baseline, in words; ``tone`` is "better", "worse" or empty."""

    value: float
    share: float | None
    text: str
    direction: str  # up | down | flat
    tone: str


@dataclass(frozen=True, slots=True)
class Cell:
    """``text`` is what is shown, ``half`` the half-width of the interval over seeds, ``note`` what stands
    in for a missing value ("k of n")."""

    value: float | None
    text: str
    half: float | None = None
    half_text: str = ""
    n: int = 0
    note: str = ""
    delta: Delta | None = None
    best: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One metric in all columns; ``recorded`` is the trace's own past."""

    metric: Metric
    label: str
    unit: str
    cells: tuple[Cell, ...]
    recorded: Cell | None
    differs: bool


def row_of(
    metric: Metric,
    columns: Sequence[Column],
    baseline: Column | None,
    *,
    size: str = "",
    group: str = "",
    label: str = "",
    unit: str = "",
) -> Row:
    """A metric's row for one job class."""
    if metric.per_gpu_hour and speeds_differ(columns):
        metric = replace(metric, better=0)
    values = {column.position: column.values(metric, size, group) for column in columns}
    means = {position: estimate(series.values()) for position, series in values.items()}
    base = values.get(baseline.position, {}) if baseline else {}
    past = baseline.recorded(metric, size, group) if baseline else None
    scale = scale_for(metric, [found.mean for found in means.values() if found] + [past or 0.0], unit)
    best = best_position(metric, values)
    drawn = any(len(column.runs) > 1 for column in columns)
    cells = tuple(
        _cell(
            metric,
            scale,
            means[column.position],
            None if column is baseline else paired(values[column.position], base),
            _note(metric, column, size, group),
            best=column.position == best,
            drawn=drawn,
        )
        for column in columns
    )
    recorded = None
    if metric.recorded and baseline is not None and past is not None:
        recorded = Cell(past, scale.text(past))
    texts = {(cell.text, cell.note) for cell in cells}
    return Row(metric, label or metric.label, scale.unit, cells, recorded, len(texts) > 1)


def speeds_differ(columns: Sequence[Column]) -> bool:
    """Whether the scenarios' pools run the same work at different speeds."""
    return len(frozenset().union(*(column.speeds for column in columns))) > 1


def best_position(metric: Metric, values: Mapping[int, Mapping[int, float | None]]) -> int | None:
    """The scenario whose paired interval against every other excludes zero; None without such a one.

    ``values`` are by position, then by seed. A single replay has no interval: nothing is called best then.
    """
    if metric.better == 0 or len(values) < 2:
        return None
    for position, own in values.items():
        rivals = [paired(own, other) for rival, other in values.items() if rival != position]
        if rivals and all(
            rival is not None and rival.excludes_zero and rival.mean * metric.better > 0 for rival in rivals
        ):
            return position
    return None


def delta_of(metric: Metric, scale: Scale, difference: Estimate, base: float, *, drawn: bool) -> Delta:
    """A difference in words: "+1.2 (+34 %)", or points where the metric is itself a share.

    ``drawn``: seeds were drawn, so a difference without an interval (one shared seed yet) is not certain.
    """
    value = difference.mean
    if abs(value) <= NOTHING * max(abs(base), 1.0):
        return Delta(0.0, 0.0, "0", "flat", "")
    share = value / base if base else None
    certain = difference.excludes_zero if difference.half is not None else not drawn
    tone = "" if metric.better == 0 or not certain else "better" if value * metric.better > 0 else "worse"
    return Delta(value, share, _delta_text(metric, scale, value, share), "up" if value > 0 else "down", tone)


def _delta_text(metric: Metric, scale: Scale, value: float, share: float | None) -> str:
    sign = "+" if value > 0 else "−"
    amount = scale.text(abs(value))
    if metric.kind is Kind.SHARE:
        return f"{sign}{amount} points"
    if share is None or abs(share) > MOST_SHARE:
        return f"{sign}{amount}"
    size = 100 * abs(share)
    percent = f"{size:,.0f}" if size >= 9.5 else f"{size:.1f}" if size >= 0.05 else "<0.1"
    return f"{sign}{percent} %" if amount.startswith("<") else f"{sign}{amount} ({sign}{percent} %)"


def _cell(
    metric: Metric,
    scale: Scale,
    found: Estimate | None,
    difference: Estimate | None,
    note: str,
    *,
    best: bool,
    drawn: bool,
) -> Cell:
    if found is None:
        return Cell(None, MISSING, note=note)
    half_text = "" if found.half is None else f"± {scale.text(found.half)}"
    delta = None
    if difference is not None:
        delta = delta_of(metric, scale, difference, found.mean - difference.mean, drawn=drawn)
    return Cell(found.mean, scale.text(found.mean), found.half, half_text, found.n, note, delta, best)


def _note(metric: Metric, column: Column, size: str, group: str) -> str:
    """ "k of n" beside the share within target, and in place of a percentile of too few jobs."""
    if not (metric.recorded and metric.key.startswith(("share", "wait"))):
        return ""
    classes = column.classes(size, group)
    if not classes:
        return ""
    percent = int(metric.key.rsplit("p", 1)[-1]) if metric.key.startswith("wait") else 0
    if any(percent in found["waits"].get("never_percents", ()) for found in classes):
        return "never: so many can never run"
    started = sum(found["waits"]["started_within_target"] for found in classes) / len(classes)
    jobs = sum(found["waits"]["jobs"] for found in classes) / len(classes)
    told = f"{started:,.0f} of {jobs:,.0f}"
    return f"{told} in target" if percent else told
