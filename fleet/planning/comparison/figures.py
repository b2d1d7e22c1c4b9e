"""The figures of the compare page, as the chart module takes them (frontend/js/charts/index.js).

Wait curves and timelines come from the outcomes' chart files, never from per-job rows. With several seeds the
curves are those of the first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.files.storage import default_storage

from fleet.planning.comparison.build import Comparison
from fleet.planning.comparison.columns import Column, class_of
from fleet.planning.comparison.metrics import Json
from fleet.planning.comparison.statistics import estimate
from fleet.planning.formats import as_duration, as_percent

Figure = dict[str, Any]
HOUR_S = 3600.0
SHORTEST_H = 1 / HOUR_S  # on a log axis shorter waits are drawn here
WAIT_TICKS = (
    (1, "1 s"), (10, "10 s"), (60, "1 min"), (600, "10 min"), (3600, "1 h"), (36_000, "10 h"),
    (86_400, "1 d"), (864_000, "10 d"), (8_640_000, "100 d"),
)  # fmt: skip
HATCHED = ("down", "maintenance")
LEGEND_LINE = 19
TIMELINE_STEPS = 500
LONGEST_LABEL = 22
WIDE = 20  # waits further apart than this factor are drawn on a log axis


def figures_of(comparison: Comparison, charts: Mapping[int, Json] | None = None) -> dict[str, Figure]:
    """All figures of the page by name. ``charts`` gives the series of columns that have no stored outcome."""
    answered = [column for column in comparison.columns if column.answers]
    given = charts or {}
    charts = {column.position: given.get(column.position) or _charts(column) for column in answered}
    return {
        "waits": _waits(comparison, answered, charts),
        "allocated": _over_time(comparison, answered, charts, "allocated_gpus", "Allocated GPUs"),
        "queued": _over_time(comparison, answered, charts, "queued_gpus", "GPUs that waiting jobs ask for"),
        "ledger": _ledger(answered),
        "cost": _cost(comparison, answered),
    }


def _charts(column: Column) -> Json:
    outcome = column.answers[0].run.outcome
    with default_storage.open(outcome.charts_file) as stored:
        charts: Json = json.load(stored)
    return charts


def _waits(comparison: Comparison, answered: Sequence[Column], charts: Mapping[int, Json]) -> Figure:
    size = comparison.query.size or None
    series = []
    for column in answered:
        curve = _curve(charts[column.position], size, recorded=False)
        if curve:
            series.append(_curve_series(curve, column.label, column.token, column.dash))
    if comparison.baseline is not None and comparison.baseline.position in charts:
        past = _curve(charts[comparison.baseline.position], size, recorded=True)
        if past:
            series.append(_curve_series(past, "recorded past", "text-muted", "dot"))
    label = next((label for key, label in comparison.sizes if key == size), "all jobs")
    notes = ["Waits under 1 s are drawn at 1 s."]
    if comparison.query.group:
        notes.append("Curves are over all groups.")
    if comparison.is_random:
        notes.append(f"Curves of seed {answered[0].answers[0].seed}." if answered else "")
    return {
        "kind": "lines",
        "title": _waits_title(label, size, answered),
        "x": {
            "title": "wait",
            "unit": "h",
            "type": "log",
            "ticks": [seconds / HOUR_S for seconds, _ in WAIT_TICKS],
            "ticktext": [text for _, text in WAIT_TICKS],
        },
        "y": {"title": "jobs that waited at most this long", "unit": "%", "range": [0, 100.5]},
        "series": series,
        "logToggle": "x",
        "note": " ".join(notes),
        "height": _height(340, series),
    }


def _height(plot: int, series: Sequence[Figure]) -> int:
    """Room for the plot and, above it, for a legend whose long names take a line each."""
    return plot + LEGEND_LINE * len(series)


def _curve(charts: Json, size: str | None, *, recorded: bool) -> Json | None:
    curves = charts["wait_curves"]
    return next((curve for curve in curves if curve["size"] == size and curve["recorded"] == recorded), None)


def _curve_series(curve: Json, name: str, token: str, dash: str) -> Figure:
    return {
        "name": name,
        "x": [max(wait_s / HOUR_S, SHORTEST_H) for wait_s in curve["wait_s"]],
        "y": [round(100 * share, 3) for share in curve["share"]],
        "color": token,
        "dash": dash,
    }


def _waits_title(label: str, size: str | None, answered: Sequence[Column]) -> str:
    """The finding: the shortest and the longest p95."""
    return _extremes(
        f"Wait of {label}", "p95", answered, lambda summary: _p95(summary, size or "", ""), as_duration
    )


def _p95(summary: Json, size: str, group: str) -> float | None:
    found = class_of(summary, size, group)
    wait_s: float | None = found["waits"]["wait_p95_s"] if found else None
    return wait_s


def _extremes(
    title: str,
    name: str,
    answered: Sequence[Column],
    read: Callable[[Json], float | None],
    text: Callable[[float | None], str],
) -> str:
    """ "Wait of all jobs: p95 from 1.2 h (B) to 3.4 h (A)"."""
    found = []
    for column in answered:
        mean = estimate([read(answer.summary) for answer in column.answers])
        if mean is not None:
            found.append((mean.mean, column.letter))
    if len(found) < 2:
        return title
    (least, least_label), (most, most_label) = min(found), max(found)
    if text(least) == text(most):
        return f"{title}: {name} {text(most)} in all"
    return f"{title}: {name} from {text(least)} ({least_label}) to {text(most)} ({most_label})"


def _over_time(
    comparison: Comparison, answered: Sequence[Column], charts: Mapping[int, Json], key: str, title: str
) -> Figure:
    """One step line a scenario, and the capacity of each distinct size."""
    series = [
        {
            "name": column.label,
            "x": _times(timeline := charts[column.position]["timeline"]),
            "y": _binned(timeline[key]),
            "color": column.token,
            "dash": column.dash,
        }
        for column in answered
    ]
    series += _capacities(answered, charts) if key == "allocated_gpus" else []
    capacity = None
    if key == "queued_gpus" and comparison.baseline is not None and comparison.baseline.summary:
        capacity = comparison.baseline.summary["capacity_gpus"]
    return {
        "kind": "steps",
        "title": title,
        "x": _time_axis(answered[0].summary if answered else None),
        "y": {"title": "GPUs", "unit": "GPUs"},
        "series": series,
        "capacity": capacity,
        "note": "The dashed line is the capacity of the baseline." if capacity else "",
        "height": _height(260, series),
    }


def _capacities(answered: Sequence[Column], charts: Mapping[int, Json]) -> list[Figure]:
    """A dotted line for each capacity that occurs, in the colour of the first scenario that has it."""
    first: dict[float, Column] = {}
    for column in answered:
        if column.summary:
            first.setdefault(column.summary["capacity_gpus"], column)
    lines = []
    for gpus, column in first.items():
        times = _times(charts[column.position]["timeline"])
        if times:
            lines.append(
                {
                    "name": f"capacity {gpus:,} GPUs",
                    "x": [times[0], times[-1]],
                    "y": [gpus, gpus],
                    "color": column.token if len(first) > 1 else "text",
                    "dash": "dot",
                }
            )
    return lines


def _stride(points: int) -> int:
    return max(1, -(-points // TIMELINE_STEPS))


def _binned(values: Sequence[float]) -> list[float]:
    """Means of neighbouring steps, so that at most ``TIMELINE_STEPS`` are drawn."""
    stride = _stride(len(values))
    return [
        round(sum(part := values[first : first + stride]) / len(part), 2)
        for first in range(0, len(values), stride)
    ]


def _times(timeline: Json) -> list[Any]:
    """Instants in the trace's own zone where it has a calendar, else days from its start."""
    origin_ms = timeline["origin_epoch_ms"]
    steps_s = timeline["time_s"][:: _stride(len(timeline["time_s"]))]
    if origin_ms is None:
        return [round(seconds / 86_400, 5) for seconds in steps_s]
    start = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=origin_ms)
    return [(start + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S") for seconds in steps_s]


def _time_axis(summary: Json | None) -> Figure:
    if summary is None or summary["origin_epoch_ms"] is None:
        return {"title": "time from the start of the trace", "unit": "d"}
    zone = summary["time_zone"]
    return {"title": "time", "unit": "zone not stated" if zone == "not stated" else zone, "type": "date"}


def _ledger(answered: Sequence[Column]) -> Figure:
    """Where each scenario's capacity went, a colour an account; accounts empty in all are left out."""
    series = []
    lines = answered[0].summary["ledger"]["lines"] if answered and answered[0].summary else ()
    for index, line in enumerate(lines):
        shares = [
            estimate([answer.summary["ledger"]["lines"][index]["share"] for answer in column.answers])
            for column in answered
        ]
        values = [round(100 * share.mean, 4) if share else None for share in shares]
        if any(values):
            account = line["account"].replace("_", "-")
            series.append(
                {
                    "name": line["label"],
                    "x": [_short(column.label) for column in answered],
                    "y": values,
                    "color": f"account-{account}",
                    "hatched": account in HATCHED,
                }
            )
    title = _extremes(
        "Where the GPU time went",
        "productive",
        answered,
        lambda summary: summary["productive_share"],
        as_percent,
    )
    return {
        "kind": "stacked",
        "orientation": "h",
        "title": title,
        "x": {"title": "", "type": "category"},
        "y": {"title": "share of the capacity in the horizon", "unit": "%", "range": [0, 100]},
        "series": series,
        "height": 150 + 34 * len(answered),
    }


def _short(label: str) -> str:
    """A label that leaves room for the bars on a narrow screen; its letter tells it apart."""
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def _cost(comparison: Comparison, answered: Sequence[Column]) -> Figure:
    """Cost per year against p95 wait, a point a scenario; error bars over seeds."""
    size, group = comparison.query.size, comparison.query.group
    series, priceless = [], []
    for column in answered:
        cost = estimate([answer.cost["cost_per_year"] for answer in column.answers])
        wait = estimate([_p95(answer.summary, size, group) for answer in column.answers])
        if cost is None:
            priceless.append(column.label)
        if cost is None or wait is None:
            continue
        series.append(
            {
                "name": column.label,
                "x": [round(cost.mean)],
                "y": [round(wait.mean / HOUR_S, 4)],
                "text": [column.letter],
                "color": column.token,
                "y_error": None if wait.half is None else [wait.half / HOUR_S],
            }
        )
    highest = max((one["y"][0] + (one["y_error"] or [0])[0] for one in series), default=0)
    lowest = min((one["y"][0] for one in series), default=0)
    wide = 0 < lowest * WIDE < highest  # one long wait would press all others onto the axis
    scale = {"type": "log"} if wide else {"range": [0, 1.1 * highest or 1]}
    currency = next((column.cost["currency"] for column in answered if column.cost), "")
    notes = []
    if priceless:
        notes.append(f"Not drawn, because a price is missing: {', '.join(priceless)}.")
    if len(priceless) + len(series) < len(answered):
        notes.append("Scenarios with too few jobs for a p95 are not drawn.")
    return {
        "kind": "scatter",
        "title": f"Cost per year against p95 wait of {comparison.class_label}",
        "x": {"title": "cost", "unit": f"{currency}/year"},
        "y": {"title": "p95 wait", "unit": "h"} | scale,
        "logToggle": "y",
        "series": series,
        "note": " ".join(notes),
        "height": _height(320, series),
    }
