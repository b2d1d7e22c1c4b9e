"""A workload mix: named classes of jobs, each with its arrivals, sizes, run times, limits and ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from twin.workload.jobs import MovesAs
from twin.workload.rhythm import OFFICE, Rhythm

DAY_S = 86_400.0
END_STATES = ("completed", "cancelled", "failed")


@dataclass(frozen=True, slots=True)
class RunTime:
    """A part of a run-time distribution: lognormal by its median and the spread of its logarithm."""

    median_s: float
    sigma: float
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """Limits asked by users: run time times a lognormal looseness, rounded up; never below the run time.

    ``missing_share`` of the jobs ask for none. ``cut_share`` of the jobs run into theirs: limit = run
    time, TIMED_OUT.
    """

    looseness_median: float = 2.0
    sigma: float = 0.6
    rounded_to_s: float = 1800.0
    missing_share: float = 0.0
    cut_share: float = 0.0


@dataclass(frozen=True, slots=True)
class JobClass:
    """Jobs of one kind. Shares and weights need not sum to one; only their proportions matter.

    ``gpus`` maps a GPU count to its weight, ``ends`` an end state to its weight, ``groups`` a group to
    its weight. ``users`` people submit, the k-th with weight 1/k^``user_skew``, each in one group. Larger
    jobs run longer by the factor ``gpus ** size_exponent``.
    """

    name: str
    jobs_per_hour: float
    gpus: Mapping[int, float]
    run_time: tuple[RunTime, ...]
    max_run_s: float = 30 * DAY_S
    min_run_s: float = 1.0
    size_exponent: float = 0.0
    rhythm: Rhythm = OFFICE
    burst_mean: float = 1.0
    limit: TimeLimit | None = None
    ends: Mapping[str, float] = field(default_factory=lambda: {"completed": 1.0})
    users: int = 20
    user_skew: float = 0.8
    groups: Mapping[str, float] = field(default_factory=lambda: {"default": 1.0})
    queue: str = ""
    gpu_models: str = ""  # acceptable models joined with "|"; blank = any
    priority: int = 0
    cpus_per_gpu: float = 0.0
    memory_gb_per_gpu: float = 0.0
    moves_as: MovesAs = MovesAs.FIXED_WORK


@dataclass(frozen=True, slots=True)
class WorkloadMix:
    """Classes over a span of ``days`` that begins at ``start_epoch_ms`` (None: no calendar; Monday
    midnight)."""

    name: str
    days: float
    classes: tuple[JobClass, ...]
    start_epoch_ms: int | None = None
    time_zone: str = "UTC"

    def scaled(self, factor: float) -> WorkloadMix:
        """The same mix with ``factor`` times as many jobs."""
        classes = tuple(replace(each, jobs_per_hour=each.jobs_per_hour * factor) for each in self.classes)
        return replace(self, classes=classes)
