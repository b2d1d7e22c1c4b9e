"""The capacity report as one HTML page that stands alone: no script, no request, readable on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string

from fleet.planning.comparison import CompareQuery, Comparison, comparison_of
from fleet.planning.comparison.cells import Cell
from fleet.planning.comparison.columns import Column
from fleet.planning.models import RunState
from fleet.planning.selectors.studies import scenarios_of
from fleet.reports.models import Report

PRODUCTIVE = "productive"
SERVICE = "share_within_target"
SHOWN_SHARE = 0.005  # ledger accounts below half a per cent are left out of the bar's list


@dataclass(frozen=True, slots=True)
class LedgerBar:
    """One scenario's capacity as a bar: (account, label, share of the capacity) from left to right."""

    label: str
    capacity_gpu_hours: float
    parts: tuple[tuple[str, str, float], ...]

    @property
    def listed(self) -> tuple[tuple[str, str, float], ...]:
        return tuple(part for part in self.parts if part[2] >= SHOWN_SHARE)


def report_page(report: Report, now: datetime) -> str:
    """The page of a report whose runs have ended."""
    scenarios = scenarios_of(report.study, report.round)
    comparison = comparison_of(report.study, scenarios, CompareQuery())
    unfinished = [
        (column.label, run.error or run.state)
        for column in comparison.every
        for run in column.runs
        if run.state != RunState.SUCCEEDED
    ]
    context = {
        "report": report,
        "made_at": now,
        "comparison": comparison,
        "workload": scenarios[0].workload_snapshot,
        "findings": findings(comparison),
        "bars": ledger_bars(comparison.columns),
        "waits": waits_by_size(comparison.baseline),
        "unfinished": unfinished,
    }
    return render_to_string("reports/page.html", context)


def findings(comparison: Comparison) -> tuple[str, ...]:
    """What a manager reads first: each scenario's service, the baseline's largest loss and its backlog."""
    baseline = comparison.baseline
    if baseline is None or baseline.summary is None:
        return ()
    service = next(
        row for section in comparison.sections for row in section.rows if row.metric.key == SERVICE
    )
    told = [
        _service(column, cell)
        for column, cell in zip(comparison.columns, service.cells, strict=True)
        if cell.value is not None
    ]
    first_seed = " (first seed)" if comparison.is_random else ""
    return (*told, *_largest_loss(baseline, first_seed), *_backlog(baseline, first_seed))


def ledger_bars(columns: Sequence[Column]) -> tuple[LedgerBar, ...]:
    """Where each scenario's capacity went, of the first seed."""
    return tuple(
        LedgerBar(
            column.label,
            column.summary["ledger"]["capacity_gpu_hours"],
            tuple(
                (line["account"].replace("_", "-"), line["label"], line["share"])
                for line in column.summary["ledger"]["lines"]
                if line["share"]
            ),
        )
        for column in columns
        if column.summary is not None
    )


def waits_by_size(column: Column | None) -> tuple[dict[str, Any], ...]:
    """The baseline's waits, one row a GPU size."""
    if column is None or column.summary is None:
        return ()
    return tuple(
        {"name": found["name"], "target_s": found["target_s"], **found["waits"]}
        for found in column.summary["by_size"]
    )


def _service(column: Column, cell: Cell) -> str:
    share = f"{cell.text} {cell.half_text}".strip()
    sentence = f"{column.label}: {share} % of the jobs started within their target"
    if cell.delta is None:
        return sentence + "."
    if cell.delta.direction == "flat":
        return sentence + ", the same as the baseline."
    doubt = "" if cell.delta.tone else ", which the seeds do not make certain"
    return f"{sentence}: {cell.delta.text} against the baseline{doubt}."


def _largest_loss(column: Column, first_seed: str) -> Iterator[str]:
    lines = column.summary["ledger"]["lines"]
    losses = [line for line in lines if line["gpu_ms"] and not line["account"].startswith(PRODUCTIVE)]
    for worst in sorted(losses, key=lambda line: -line["gpu_ms"])[:1]:
        yield (
            f"The largest part of {column.label} that did no work was “{worst['label']}”: "
            f"{worst['gpu_hours']:,.0f} GPU-hours, {100 * worst['share']:.1f} %{first_seed}."
        )


def _backlog(column: Column, first_seed: str) -> Iterator[str]:
    backlog, days = column.summary["all"]["backlog_end_gpu_hours"], column.summary["backlog_days_to_drain"]
    if backlog and days is not None:
        yield (
            f"At the end {backlog:,.0f} GPU-hours were waiting on {column.label}, "
            f"{days:,.1f} days of its whole capacity{first_seed}."
        )
