"""The capacity report as one HTML page that stands alone: no script, no request, readable on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string

from fleet.planning.comparison import CompareQuery, Comparison, comparison_of
from fleet.planning.comparison.columns import Column
from fleet.planning.models import RunState
from fleet.planning.selectors.studies import scenarios_of
from fleet.reports.models import Report

PRODUCTIVE = "productive"
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
    comparison = comparison_of(report.study, scenarios, CompareQuery(show=tuple(range(len(scenarios)))))
    unfinished = [
        (column.label, run.error or run.state)
        for column in comparison.columns
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
    """What a manager reads first: the baseline's service, its largest loss, what the candidates change."""
    baseline = comparison.baseline
    if baseline is None or baseline.summary is None:
        return ()
    told = [_service(baseline), _largest_loss(baseline.summary)]
    told += [_against(column, baseline) for column in comparison.columns if column is not baseline]
    return tuple(sentence for sentence in told if sentence)


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


def _service(column: Column) -> str:
    summary = column.summary
    waits = summary["all"]["waits"]
    sentence = (
        f"On {column.label}, {waits['started_within_target']:,} of {waits['jobs']:,} jobs "
        "started within their target."
    )
    backlog = summary["all"]["backlog_end_gpu_hours"]
    days = summary["backlog_days_to_drain"]
    if backlog and days is not None:
        sentence += (
            f" {backlog:,.0f} GPU-hours were left to do at the end, {days:,.1f} days of the whole capacity."
        )
    return sentence


def _largest_loss(summary: dict[str, Any]) -> str:
    losses = [line for line in summary["ledger"]["lines"] if not line["account"].startswith(PRODUCTIVE)]
    worst = max(losses, key=lambda line: line["gpu_ms"], default=None)
    if worst is None or not worst["gpu_ms"]:
        return ""
    return (
        f"The largest part of its capacity that did no work was “{worst['label']}”: "
        f"{worst['gpu_hours']:,.0f} GPU-hours, {100 * worst['share']:.1f} %."
    )


def _against(column: Column, baseline: Column) -> str:
    if column.summary is None:
        return ""
    theirs, ours = column.summary["all"]["waits"], baseline.summary["all"]["waits"]
    difference = theirs["started_within_target"] - ours["started_within_target"]
    if not difference:
        return f"{column.label}: as many jobs start within their target as on {baseline.label}."
    more = "more" if difference > 0 else "fewer"
    return f"{column.label}: {abs(difference):,} {more} jobs start within their target."
