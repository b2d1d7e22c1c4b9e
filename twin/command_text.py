"""A simulation as text for a terminal: what could not run first, then waits, load, ledger and cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from twin.analysis import MISSING_TEXT, ClassMetrics, ReplayCheck, SetAsideJobs, Summary, Waits, duration_text
from twin.economics import Cost

_NONE = MISSING_TEXT
_MOST_GROUPS = 10


def simulation_text(trace: str, summary: Summary, costs: Cost, report: dict[str, Any] | None) -> str:
    """The whole account of one replay, sections parted by blank lines."""
    sections = [
        _heading(trace, summary, report),
        *([_set_aside(summary)] if summary.set_aside else []),
        _waits("Waits by GPU size", (summary.all, *summary.by_size)),
        *([_waits("Waits by group", summary.by_group[:_MOST_GROUPS])] if summary.by_group else []),
        *([_recorded(summary.replay_check)] if summary.replay_check else []),
        _load(summary),
        _reasons(summary),
        _ledger(summary),
        _cost(costs),
    ]
    return "\n\n".join(sections)


def _heading(trace: str, summary: Summary, report: dict[str, Any] | None) -> str:
    lines = [
        f"{trace}: {count(summary.jobs, 'job')} on {summary.cluster} ({summary.capacity_gpus:,} GPUs), "
        f"policy {summary.policy}, horizon {duration_text(summary.horizon_s)}"
    ]
    if summary.deterministic:
        lines.append("deterministic replay: one run, no interval; a seed changes nothing")
    if report and report.get("rows_refused"):
        lines.append(
            f"{count(report['rows_refused'], 'row')} of the trace refused (python -m twin import tells why)"
        )
    lines += _unmet(report["unmet"]) if report else []
    lines += [f"note: {note}" for note in summary.notes]
    return "\n".join(lines)


def _unmet(unmet: dict[str, int]) -> list[str]:
    """Demand that the trace itself saw unmet: no part of the replay, and never dropped in silence."""
    told = []
    if unmet["cancelled_while_pending"]:
        gone = count(unmet["cancelled_while_pending"], "job")
        told.append(
            f"{gone} ({unmet['cancelled_gpus_asked']:,} GPUs asked) cancelled while waiting, not replayed"
        )
    if unmet["still_pending"]:
        left = count(unmet["still_pending"], "job")
        told.append(
            f"{left} ({unmet['pending_gpus_asked']:,} GPUs asked) still waiting at the end, not replayed"
        )
    return [f"unmet demand: {line}" for line in told]


def _set_aside(summary: Summary) -> str:
    lines = [f"SET ASIDE: {count(summary.jobs_set_aside, 'job')} can never run on this cluster"]
    for group in summary.set_aside:
        lines.append(
            f"  {group.jobs:,} × {group.label} ({group.gpu_hours:,.1f} GPU-hours): {_examples(group)}"
        )
    return "\n".join(lines)


def _examples(group: SetAsideJobs) -> str:
    named = [
        f"{job_id} ({gpus} GPUs)" for job_id, gpus in zip(group.examples, group.example_gpus, strict=True)
    ]
    return ", ".join(named) + (" …" if group.jobs > len(named) else "")


def _waits(title: str, classes: Sequence[ClassMetrics]) -> str:
    head = ("", "jobs", "started in target", "target", "mean", "p50", "p95", "p99", "JCT p50", "JCT p95")
    rows = [
        (
            one.name,
            f"{one.waits.jobs:,}",
            _within(one.waits),
            _NONE if one.target_s is None else duration_text(one.target_s),
            duration_text(one.waits.wait_mean_s),
            *_percentiles(one.waits),
            duration_text(one.waits.jct_p50_s),
            duration_text(one.waits.jct_p95_s),
        )
        for one in classes
    ]
    return f"{title} ({_NONE}: too few jobs to say)\n{table(head, rows)}"


def _within(waits: Waits) -> str:
    share = _NONE if waits.share_within_target is None else f"{waits.share_within_target:.1%}"
    return f"{share} ({waits.started_within_target:,} of {waits.jobs:,})"


def _percentiles(waits: Waits) -> tuple[str, ...]:
    found = {50: waits.wait_p50_s, 95: waits.wait_p95_s, 99: waits.wait_p99_s}
    return tuple(
        "never" if percent in waits.never_percents else duration_text(wait_s)
        for percent, wait_s in found.items()
    )


def _recorded(check: ReplayCheck) -> str:
    head = ("", "jobs", "p50", "p95")
    advice = ": read waits as differences between scenarios, not as a forecast" if check.misses else ""
    rows = [
        (
            "recorded",
            f"{check.jobs:,}",
            duration_text(check.recorded_p50_s),
            duration_text(check.recorded_p95_s),
        ),
        (
            "replayed",
            f"{check.jobs:,}",
            duration_text(check.replayed_p50_s),
            duration_text(check.replayed_p95_s),
        ),
    ]
    return f"Waits against the recorded past\n{table(head, rows)}\n{check.verdict}{advice}"


def _load(summary: Summary) -> str:
    whole = summary.all
    drain = summary.backlog_days_to_drain
    rows = [
        ("offered load", percent(whole.offered_load), f"{whole.offered_gpu_hours:,.1f} GPU-hours"),
        ("allocation", percent(summary.allocation), "of capacity held by jobs"),
        ("productive share", percent(summary.productive_share), _by_state(summary)),
        ("fragmentation", percent(summary.fragmentation), "of capacity idle for its shape"),
        ("throughput", number(whole.throughput_gpu_hours_per_hour), "GPU-hours an hour"),
        ("backlog at start", number(whole.backlog_start_gpu_hours), "GPU-hours waiting"),
        (
            "backlog at end",
            number(whole.backlog_end_gpu_hours),
            f"GPU-hours waiting in {count(whole.jobs_waiting_at_horizon, 'job')}, "
            + (_NONE if drain is None else f"{drain:.2f} days of the whole cluster"),
        ),
    ]
    return "Load\n" + table(("", "", ""), rows, left=(0, 2)).split("\n", 1)[1]


def _by_state(summary: Summary) -> str:
    shares = summary.productive_share_by_state.items()
    return ", ".join(f"{state.replace('_', ' ')} {share:.1%}" for state, share in shares)


def _reasons(summary: Summary) -> str:
    reasons = {name: hours for name, hours in summary.all.wait_by_reason_job_hours.items() if hours}
    if not reasons:
        return "No job waited."
    total = sum(reasons.values())
    rows = [
        (name.replace("_", " "), f"{hours:,.1f}", f"{hours / total:.1%}") for name, hours in reasons.items()
    ]
    return "Why jobs waited\n" + table(("", "job-hours", "share"), rows)


def _ledger(summary: Summary) -> str:
    pools = summary.ledger_by_pool
    head = ("GPU-hours", *(pool.name for pool in pools), "all", "share")
    rows = []
    for index, line in enumerate(summary.ledger.lines):
        if line.gpu_ms:
            each = (f"{pool.lines[index].gpu_hours:,.1f}" for pool in pools)
            rows.append((line.label, *each, f"{line.gpu_hours:,.1f}", percent(line.share)))
    capacities = (f"{pool.capacity_gpu_hours:,.1f}" for pool in pools)
    rows.append(("capacity", *capacities, f"{summary.ledger.capacity_gpu_hours:,.1f}", "100.0%"))
    return "Ledger\n" + table(head, rows)


def _cost(costs: Cost) -> str:
    money = costs.currency
    rows = [
        ("cost per year", number(costs.cost_per_year), money),
        ("cost per productive GPU-hour", number(costs.cost_per_productive_gpu_hour), money),
        ("energy per year", number(costs.energy_kwh_per_year), "kWh at the wall"),
        ("mean power", number(costs.mean_power_kw), "kW at the wall"),
    ]
    lines = [table(("", "", ""), rows, left=(0, 2)).split("\n", 1)[1]]
    lines += [f"no {one.figure.replace('_', ' ')}: {one.reason}" for one in costs.missing]
    return "Cost\n" + "\n".join(lines)


def count(amount: int, thing: str) -> str:
    """An amount with its noun: ``1 job``, ``1,200 jobs``."""
    return f"{amount:,} {thing}" if amount == 1 else f"{amount:,} {thing}s"


def percent(share: float | None) -> str:
    """A share as a percentage with one decimal."""
    return _NONE if share is None else f"{share:.1%}"


def number(value: float | None) -> str:
    """A figure with two decimals below a thousand and none above."""
    if value is None:
        return _NONE
    return f"{value:,.2f}" if abs(value) < 1000 else f"{value:,.0f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """Columns as wide as their widest cell; those of ``left`` begin at the left, the others end right."""
    lines = [tuple(head), *map(tuple, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    told = []
    for line in lines:
        cells = (
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        told.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(told)
