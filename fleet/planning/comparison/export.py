"""The comparison as CSV and JSON: the numbers of the page, unrounded, in base units."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from fleet.planning.comparison.build import Comparison
from fleet.planning.comparison.cells import Cell, Row
from fleet.planning.comparison.metrics import Kind, Metric
from twin.spreadsheet import safe_cell

HEADER = (
    "table",
    "metric",
    "unit",
    "job class",
    "scenario",
    "value",
    "half-width of the 95 % interval",
    "seeds",
    "difference from the baseline",
    "difference, share of the baseline",
    "best",
    "note",
)


def csv_text(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """CSV, line by line."""
    for row in rows:
        line = io.StringIO()
        csv.writer(line).writerow([safe_cell(value) for value in row])
        yield line.getvalue()


def base_unit(metric: Metric, row: Row) -> str:
    """The unit of the unrounded value: seconds, a share of one, or the metric's own."""
    if metric.kind is Kind.SHARE:
        return "share"
    return metric.unit or row.unit.removeprefix("k ").removeprefix("M ").removeprefix("G ")


def table_rows(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    """The rows of both tables, one a metric and scenario, under ``HEADER``."""
    yield HEADER
    for section in comparison.sections:
        for row in section.rows:
            whole = row.metric.scope.value != "class"
            yield from _rows(comparison, section.title, row, "all jobs" if whole else comparison.class_label)
    for row in comparison.by_class:
        yield from _rows(comparison, f"by {comparison.query.by}", row, row.label)


def _rows(comparison: Comparison, table: str, row: Row, job_class: str) -> Iterator[tuple[object, ...]]:
    unit = base_unit(row.metric, row)
    if row.recorded is not None:
        yield table, row.metric.label, unit, job_class, "recorded past", row.recorded.value, *[None] * 5, ""
    for column, cell in zip(comparison.columns, row.cells, strict=True):
        delta = cell.delta
        yield (
            table,
            row.metric.label,
            unit,
            job_class,
            column.label,
            cell.value,
            cell.half,
            cell.n or None,
            delta.value if delta else None,
            delta.share if delta else None,
            "best" if cell.best else "",
            cell.note,
        )


def figure_rows(figure: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    """A figure's points: series, x, y, with the units in the header."""
    yield "series", _with_unit(figure["x"]), _with_unit(figure["y"])
    for series in figure["series"]:
        for x, y in zip(series["x"], series["y"], strict=True):
            yield series["name"], x, y


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """The page as data."""
    return {
        "study": {"id": comparison.study.pk, "name": comparison.study.name, "rounds": comparison.study.round},
        "replications": comparison.replications,
        "job_class": {"size": comparison.query.size, "group": comparison.query.group},
        "scenarios": [
            {
                "position": column.position,
                "label": column.label,
                "is_baseline": column is comparison.baseline,
                "state": column.state or "succeeded",
                "cluster": column.scenario.cluster_snapshot,
                "policy": column.scenario.policy_snapshot,
                "runs": [
                    {
                        "id": run.pk,
                        "seed": run.seed,
                        "state": run.state,
                        "spec_hash": run.spec_hash,
                        "engine_version": run.spec["engine_version"],
                    }
                    for run in column.runs
                ],
            }
            for column in comparison.columns
        ],
        "set_aside": [
            {
                "scenarios": note.scenarios,
                "jobs": note.jobs,
                "gpu_hours": note.gpu_hours,
                "reason": note.reason,
            }
            for note in comparison.set_aside
        ],
        "replay_check": comparison.check,
        "metrics": [_row_json(comparison, row) for section in comparison.sections for row in section.rows],
        f"by_{comparison.query.by}": [
            _row_json(comparison, row) | {"class": row.label} for row in comparison.by_class
        ],
    }


def _row_json(comparison: Comparison, row: Row) -> dict[str, Any]:
    return {
        "metric": row.metric.key,
        "label": row.metric.label,
        "unit": base_unit(row.metric, row),
        "recorded": row.recorded.value if row.recorded else None,
        "values": [
            {"position": column.position} | _cell_json(cell)
            for column, cell in zip(comparison.columns, row.cells, strict=True)
        ],
    }


def _cell_json(cell: Cell) -> dict[str, Any]:
    return {
        "value": cell.value,
        "half_width": cell.half,
        "seeds": cell.n,
        "difference": cell.delta.value if cell.delta else None,
        "best": cell.best,
        "note": cell.note,
    }


def _with_unit(axis: dict[str, Any]) -> str:
    unit = axis.get("unit")
    return f"{axis['title']} ({unit})" if unit else str(axis["title"] or "scenario")
