"""The answer of a replay in numbers: plain values that turn into JSON as they are.

Times are seconds, work is GPU-hours, shares are fractions of one. None means "cannot be said": too few
jobs for a percentile, or nothing to divide by. The *horizon* bounds ledger, load and backlog; waits and
job completion times count every job that ran.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

SUMMARY_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Waits:
    """How long jobs waited (start − eligible) and took (JCT = end − submit). ``jobs`` is the *n* and
    ``started_within_target`` the *k* of "k of n"; the interval is 95 % Wilson.

    The *n* is all demand: jobs set aside count as not started within target and as waiting for ever. Where
    a percentile falls among them it is None and its percent is in ``never_percents``. Means and JCTs are of
    the ``jobs_started``.
    """

    jobs: int
    jobs_started: int
    started_within_target: int
    share_within_target: float | None
    share_low: float | None
    share_high: float | None
    wait_mean_s: float | None
    wait_p50_s: float | None
    wait_p95_s: float | None
    wait_p99_s: float | None
    never_percents: tuple[int, ...]
    jct_mean_s: float | None
    jct_p50_s: float | None
    jct_p95_s: float | None


@dataclass(frozen=True, slots=True)
class ClassMetrics:
    """One class of jobs: all, a GPU size, a group, or a GPU size of a group.

    ``size`` is a key of ``SIZE_BUCKETS`` or None for all sizes, ``group`` a name or None for all groups.
    ``target_s`` is None where sizes with different targets are mixed (each job is held to its own).
    ``waits`` is the replay; ``recorded`` the trace's own past, over the jobs whose start was recorded.
    """

    name: str
    size: str | None
    group: str | None
    jobs: int
    jobs_set_aside: int
    target_s: float | None
    waits: Waits
    recorded: Waits | None
    bounded_slowdown_mean: float | None
    offered_gpu_hours: float
    offered_load: float | None
    backlog_start_gpu_hours: float
    backlog_end_gpu_hours: float
    held_gpu_hours: float
    throughput_gpu_hours_per_hour: float | None
    jobs_waiting_at_horizon: int
    jobs_running_at_horizon: int
    wait_by_reason_job_hours: dict[str, float]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One account: ``gpu_ms`` exact, ``share`` of the capacity of the horizon."""

    account: str
    label: str
    gpu_hours: float
    gpu_ms: int
    share: float | None


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where the capacity went; lines are in the order of ``Account`` and sum exactly to the capacity."""

    name: str  # a pool, or "all"
    gpus: int
    capacity_gpu_hours: float
    capacity_gpu_ms: int
    lines: tuple[LedgerLine, ...]


@dataclass(frozen=True, slots=True)
class SetAsideJobs:
    """Jobs that could never run on this cluster, for one reason."""

    reason: str
    label: str
    jobs: int
    gpu_hours: float  # of their run time as the trace gives it
    examples: tuple[str, ...]  # job ids, the first ones
    example_gpus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReplayCheck:
    """How well the replay reproduces the recorded waits, over the jobs with a recorded start.

    ``judged`` is False with too few jobs for a p95. ``misses`` says that the replayed p95 is further from
    the recorded one than ``bound`` (a share of the recorded) and than ``floor_s``, or that so many of the
    jobs could never start that there is no replayed p95.
    """

    jobs: int
    recorded_p50_s: float | None
    replayed_p50_s: float | None
    recorded_p95_s: float | None
    replayed_p95_s: float | None
    bound: float
    floor_s: float
    error: float | None  # (replayed - recorded) / recorded, of the p95
    judged: bool
    misses: bool
    verdict: str


@dataclass(frozen=True, slots=True)
class Work:
    """What the engine did; how long it took is nobody's business here, so that bytes repeat."""

    events: int
    passes: int
    jobs_examined: int
    jobs_examined_per_pass: float | None
    mean_queue_jobs: float | None  # to the last start


@dataclass(frozen=True, slots=True)
class Summary:
    """All of the above for one replay. ``random_inputs`` names what a seed would change; when it is empty
    the replay is *deterministic* and has no interval."""

    version: int
    cluster: str
    policy: str
    horizon_s: float
    capacity_gpus: int
    jobs: int
    jobs_ran: int
    jobs_set_aside: int
    set_aside: tuple[SetAsideJobs, ...]
    all: ClassMetrics
    by_size: tuple[ClassMetrics, ...]
    by_group: tuple[ClassMetrics, ...]
    by_class: tuple[ClassMetrics, ...]
    allocation: float | None
    productive_share: float | None
    productive_share_by_state: dict[str, float]
    fragmentation: float | None
    backlog_days_to_drain: float | None  # the backlog at the horizon over the whole capacity
    makespan_s: float | None
    jobs_per_hour: float | None
    ledger: Ledger
    ledger_by_pool: tuple[Ledger, ...]
    replay_check: ReplayCheck | None
    targets_s: dict[str, float]
    targets_source: str
    random_inputs: tuple[str, ...]
    deterministic: bool
    work: Work
    origin_epoch_ms: int | None
    time_zone: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as dictionaries and lists, ready for JSON."""
        told: dict[str, Any] = asdict(self)
        return told
