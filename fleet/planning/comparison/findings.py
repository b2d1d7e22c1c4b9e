"""What a comparison says in sentences: each scenario's service and price, where the baseline falls short."""

from __future__ import annotations

from collections.abc import Iterator

from fleet.planning.comparison.build import Comparison
from fleet.planning.comparison.cells import Cell, Row, row_of
from fleet.planning.comparison.columns import Column
from fleet.planning.comparison.metrics import BY_KEY

PRODUCTIVE = "productive"
ENOUGH_JOBS = 20  # fewer say nothing about a share
SERVICE, COST = "share_within_target", "cost_per_year"


def findings_of(comparison: Comparison) -> tuple[str, ...]:
    """Sentences for a person with two minutes; empty while the baseline has no answer.

    Differences are those of the table: paired by seed, and called uncertain where their interval holds zero.
    """
    baseline = comparison.baseline
    if baseline is None or baseline.summary is None:
        return ()
    service, cost = _row(comparison, SERVICE), _row(comparison, COST)
    told = [
        _scenario(column, service.cells[at], service.unit, cost.cells[at] if cost else None, cost)
        for at, column in enumerate(comparison.columns)
        if service is not None and service.cells[at].value is not None
    ]
    first_seed = " (first seed)" if comparison.is_random else ""
    return (
        *told,
        *_worst_served(comparison),
        *_largest_loss(baseline, first_seed),
        *_backlog(baseline, first_seed),
    )


def _row(comparison: Comparison, key: str) -> Row | None:
    """The metric's row, unless it is hidden (*differences only*)."""
    rows = (row for section in comparison.sections for row in section.rows)
    return next((row for row in rows if row.metric.key == key), None)


def _scenario(column: Column, service: Cell, unit: str, cost: Cell | None, costs: Row | None) -> str:
    """One scenario's service, and what it costs more than the baseline."""
    share = " ".join(part for part in (service.text, service.half_text, unit) if part)
    sentence = f"{column.label}: {share} of the jobs started within their target{_difference(service)}"
    if cost is None or costs is None or cost.value is None:
        return sentence + "."
    return f"{sentence}, {_price(cost, costs.unit)}."


def _price(cost: Cell, unit: str) -> str:
    """ "for 2.84 M USD a year" of the baseline, "for +0.68 M USD a year (+24 %)" of the others."""
    if cost.delta is None:
        return f"for {cost.text} {unit} a year"
    amount, _, percent = cost.delta.text.partition(" (")
    if cost.delta.direction == "flat" or not cost.delta.tone or not percent:
        return "at about the same cost"
    return f"for {amount} {unit} a year ({percent}"


def _difference(cell: Cell) -> str:
    if cell.delta is None:
        return ""
    if cell.delta.direction == "flat":
        return ", as on the baseline"
    return f" ({cell.delta.text}{'' if cell.delta.tone else ', not certain'})"


def _worst_served(comparison: Comparison) -> Iterator[str]:
    """The GPU size that the baseline serves worst, in every scenario: an average hides it."""
    baseline = comparison.baseline
    if comparison.query.size or baseline is None or baseline.summary is None:
        return
    sizes = [found for found in baseline.summary["by_size"] if found["waits"]["jobs"] >= ENOUGH_JOBS]
    for worst in sorted(sizes, key=lambda found: found["waits"]["share_within_target"])[:1]:
        row = row_of(
            BY_KEY[SERVICE], comparison.columns, baseline, size=worst["size"], group=comparison.query.group
        )
        shares = ", ".join(
            f"{cell.text} {row.unit} on {column.letter}"
            for column, cell in zip(comparison.columns, row.cells, strict=True)
            if cell.value is not None
        )
        yield f"The baseline serves jobs of {worst['name']} worst. Started within target: {shares}."


def _largest_loss(column: Column, first_seed: str) -> Iterator[str]:
    lines = column.summary["ledger"]["lines"] if column.summary else ()
    losses = [line for line in lines if line["gpu_ms"] and not line["account"].startswith(PRODUCTIVE)]
    for worst in sorted(losses, key=lambda line: -line["gpu_ms"])[:1]:
        yield (
            f"The largest part of {column.label} that did no work was “{worst['label']}”: "
            f"{worst['gpu_hours']:,.0f} GPU-hours, {100 * worst['share']:.1f} %{first_seed}."
        )


def _backlog(column: Column, first_seed: str) -> Iterator[str]:
    if column.summary is None:
        return
    backlog, days = column.summary["all"]["backlog_end_gpu_hours"], column.summary["backlog_days_to_drain"]
    if backlog and days is not None:
        yield (
            f"At the end {backlog:,.0f} GPU-hours were waiting on {column.label}, "
            f"{days:,.1f} days of its whole capacity{first_seed}."
        )
