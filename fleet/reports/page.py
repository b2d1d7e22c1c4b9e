"""The capacity report as one HTML page that stands alone: no script, no request, readable on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string

from fleet.planning.comparison import CompareQuery, comparison_of
from fleet.planning.comparison.columns import Column
from fleet.planning.comparison.findings import findings_of
from fleet.planning.models import RunState
from fleet.planning.selectors.studies import scenarios_of
from fleet.reports.models import Report

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
        "findings": findings_of(comparison),
        "bars": ledger_bars(comparison.columns),
        "waits": waits_by_size(comparison.baseline),
        "unfinished": unfinished,
    }
    return render_to_string("reports/page.html", context)


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
