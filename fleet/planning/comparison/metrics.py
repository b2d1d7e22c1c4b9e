"""The rows of a comparison: what each metric is, where it is read, and which way is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

Json = Mapping[str, Any]


class Kind(Enum):
    """How a value is told."""

    SHARE = "share"  # fraction of one, told in per cent
    TIME = "time"  # seconds
    AMOUNT = "amount"


class Scope(Enum):
    """What a metric is about."""

    CLASS = "class"  # the chosen job class
    CLUSTER = "cluster"  # the whole cluster, whatever class is chosen
    COST = "cost"  # money and energy of the whole cluster


@dataclass(frozen=True, slots=True)
class Metric:
    """One row. ``read`` takes what the scope names: class metrics, summary, or cost. ``better``: -1 lower,
    1 higher, 0 neither. ``recorded`` says that the trace's own past has it too."""

    key: str
    label: str
    unit: str
    section: str
    kind: Kind
    scope: Scope
    read: Callable[[Json], float | None]
    definition: str
    better: int = 0
    extra: bool = False
    recorded: bool = False
    per_gpu_hour: bool = False  # GPU-hours of pools with different speeds are not the same work
    all_jobs: bool = False  # said of all jobs only, whatever class is chosen


def _field(*path: str) -> Callable[[Json], float | None]:
    def read(source: Json) -> float | None:
        value: Any = source
        for name in path:
            value = value.get(name) if value is not None else None
        return value

    return read


def _wait(key: str, label: str, definition: str) -> Metric:
    read = _field("waits", f"{key}_s")
    return Metric(
        key, label, "s", WAITING, Kind.TIME, Scope.CLASS, read, definition, better=-1, recorded=True
    )


def _productive(state: str) -> Metric:
    told = state.replace("_", " ")
    return Metric(
        f"productive_{state}",
        f"Productive, {told}",
        "%",
        USE,
        Kind.SHARE,
        Scope.CLUSTER,
        _field("productive_share_by_state", state),
        f"Share of the capacity held by attempts that ended {told}, losses aside.",
    )


WAITING: Final = "Waiting"
DEMAND: Final = "Demand and service"
USE: Final = "Use of the GPUs, whole cluster"
MONEY: Final = "Money and energy, whole cluster"
MORE: Final = "Seldom useful for a trace"

METRICS: Final[tuple[Metric, ...]] = (
    Metric(
        "share_within_target",
        "Started within target",
        "%",
        WAITING,
        Kind.SHARE,
        Scope.CLASS,
        _field("waits", "share_within_target"),
        "Share of all jobs of the class that started within the target of their GPU size. "
        "Jobs that can never run count as not started.",
        better=1,
        recorded=True,
    ),
    _wait(
        "wait_p50", "Wait, p50", "Half of the jobs waited at most this long (start − eligible, nearest rank)."
    ),
    _wait("wait_p95", "Wait, p95", "95 % of the jobs waited at most this long; shown from 200 jobs."),
    _wait("wait_p99", "Wait, p99", "99 % of the jobs waited at most this long; shown from 1,000 jobs."),
    _wait(
        "jct_p50", "JCT, p50", "Job completion time (finish − submit) that half of the jobs stayed within."
    ),
    _wait("jct_p95", "JCT, p95", "Job completion time that 95 % of the jobs stayed within."),
    Metric(
        "offered_load",
        "Offered load",
        "%",
        DEMAND,
        Kind.SHARE,
        Scope.CLASS,
        _field("offered_load"),
        "GPU time that the jobs submitted in the horizon take on the pools where they run, as a share of the "
        "cluster's GPU time. A faster GPU takes less of it. "
        "At 100 % and above the queue grows.",
    ),
    Metric(
        "backlog_start",
        "Backlog at start",
        "GPU-h",
        DEMAND,
        Kind.AMOUNT,
        Scope.CLASS,
        _field("backlog_start_gpu_hours"),
        "Work of the jobs that are submitted and not started when the window opens.",
    ),
    Metric(
        "backlog_end",
        "Backlog at end",
        "GPU-h",
        DEMAND,
        Kind.AMOUNT,
        Scope.CLASS,
        _field("backlog_end_gpu_hours"),
        "Work of the jobs that are submitted and not started at the horizon.",
        better=-1,
    ),
    Metric(
        "days_to_drain",
        "Days to drain it",
        "d",
        DEMAND,
        Kind.AMOUNT,
        Scope.CLUSTER,
        _field("backlog_days_to_drain"),
        "The backlog of all jobs at the horizon over the whole cluster's GPUs.",
        better=-1,
        all_jobs=True,
    ),
    Metric(
        "throughput",
        "Throughput",
        "GPU-h/h",
        DEMAND,
        Kind.AMOUNT,
        Scope.CLASS,
        _field("throughput_gpu_hours_per_hour"),
        "GPU-hours held by jobs of the class, per hour of the horizon.",
        better=1,
        per_gpu_hour=True,
    ),
    Metric(
        "allocation",
        "Allocation",
        "%",
        USE,
        Kind.SHARE,
        Scope.CLUSTER,
        _field("allocation"),
        "Share of the GPU time that jobs held. Allocated is not utilised.",
    ),
    *(_productive(state) for state in ("completed", "cancelled", "failed", "timed_out")),
    Metric(
        "fragmentation",
        "Fragmentation",
        "%",
        USE,
        Kind.SHARE,
        Scope.CLUSTER,
        _field("fragmentation"),
        "Share of the GPU time idle although a waiting job asks for no more GPUs than were free: "
        "its shape, CPUs or memory did not fit.",
        better=-1,
    ),
    Metric(
        "cost_per_year",
        "Cost per year",
        "",
        MONEY,
        Kind.AMOUNT,
        Scope.COST,
        _field("cost_per_year"),
        "Capital spread over the years of amortisation, or rent, and electricity at the stated PUE.",
        better=-1,
    ),
    Metric(
        "cost_per_gpu_hour",
        "Cost per productive GPU-hour",
        "",
        MONEY,
        Kind.AMOUNT,
        Scope.COST,
        _field("cost_per_productive_gpu_hour"),
        "Cost of the horizon over the GPU-hours that were productive in it.",
        better=-1,
        per_gpu_hour=True,
    ),
    Metric(
        "energy",
        "Energy",
        "MWh/year",
        MONEY,
        Kind.AMOUNT,
        Scope.COST,
        _field("energy_mwh_per_year"),
        "Electricity of nodes busy and idle as in this replay, times PUE, over a year.",
        better=-1,
    ),
    Metric(
        "makespan",
        "Makespan",
        "s",
        MORE,
        Kind.TIME,
        Scope.CLUSTER,
        _field("makespan_s"),
        "From the first submit to the last end. For a replayed trace mostly the length of the trace.",
        extra=True,
    ),
    Metric(
        "jobs_per_hour",
        "Jobs per hour",
        "1/h",
        MORE,
        Kind.AMOUNT,
        Scope.CLUSTER,
        _field("jobs_per_hour"),
        "Jobs that ran over the makespan. For a replayed trace mostly its arrival rate.",
        extra=True,
    ),
    Metric(
        "slowdown",
        "Bounded slowdown, mean",
        "×",
        MORE,
        Kind.AMOUNT,
        Scope.CLASS,
        _field("bounded_slowdown_mean"),
        "Mean of (wait + run time) over run time, run times under 10 s taken as 10 s. Short jobs rule it.",
        better=-1,
        extra=True,
    ),
)

BY_KEY: Final = {metric.key: metric for metric in METRICS}
BY_CLASS: Final = tuple(metric for metric in METRICS if metric.scope is Scope.CLASS)
