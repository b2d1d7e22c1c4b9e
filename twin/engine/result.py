"""What a replay answers: starts and ends job by job, why each waited, and the ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from twin.hardware.cluster import Cluster
from twin.sched.policy import Policy
from twin.workload.jobs import Int8Array, Int32Array, Int64Array, Jobs


class Account(IntEnum):
    """The ledger's accounts (DESIGN, section 4): held, idle, and out of service."""

    PRODUCTIVE_COMPLETED = 0
    PRODUCTIVE_CANCELLED = 1
    PRODUCTIVE_FAILED = 2
    PRODUCTIVE_TIMED_OUT = 3
    SLOWED = 4
    SAVE_AND_RESTORE = 5
    ROLLED_BACK_PREEMPTION = 6
    ROLLED_BACK_FAILURE = 7
    IDLE_NO_DEMAND = 8
    IDLE_NOT_ELIGIBLE = 9
    IDLE_WRONG_GPU_MODEL = 10
    IDLE_HELD_FOR_WAITING_JOB = 11
    IDLE_ADVANCE_RESERVATION = 12
    IDLE_FRAGMENTED = 13
    IDLE_SCHEDULER_DELAY = 14
    IDLE_TOO_FEW_FREE = 15
    DOWN = 16
    MAINTENANCE = 17


class WaitReason(IntEnum):
    """Why a submitted job is not running (DESIGN, section 4)."""

    NOT_YET_ELIGIBLE = 0
    BEHIND_OTHERS = 1
    TOO_FEW_FREE = 2
    FRAGMENTED = 3
    HELD_FOR_ANOTHER = 4
    QUOTA = 5
    WRONG_GPU_MODEL = 6
    DOWN = 7
    SCHEDULER_DELAY = 8


class SetAside(IntEnum):
    """Why a job could never run on this cluster, at its largest."""

    NO = 0
    UNKNOWN_GPU_MODEL = 1  # no pool has a GPU model that the job accepts
    TOO_MANY_GPUS = 2  # more GPUs than any accepted pool has
    SHAPE_NEVER_FITS = 3  # GPUs would do; nodes x GPUs per node never fits
    TOO_MUCH_CPU_OR_MEMORY = 4


@dataclass(frozen=True, slots=True)
class Options:
    """``horizon_ms``: end of the ledger's span; None = the last submit."""

    horizon_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Told between chunks of at most about 20 ms of computing."""

    now_ms: int
    finished_jobs: int
    total_jobs: int


OnProgress = Callable[[Progress], bool]
"""Returns False to stop the replay, which then raises ``ReplayCancelled``."""


class ReplayCancelled(Exception):
    """The caller asked the replay to stop."""


@dataclass(frozen=True, slots=True)
class Counters:
    """Work done by the engine; how fast it was is the caller's business."""

    events: int
    passes: int
    jobs_examined: int
    nodes_touched: int
    queue_area_job_ms: int  # integral of the number of waiting jobs over time, to the last start


@dataclass(frozen=True, slots=True)
class Result:
    """One replay. ``n`` jobs, ``p`` pools. A job set aside has start, end and pool MISSING.

    ``ledger_gpu_ms`` has shape (p, len(Account)); each row sums exactly to
    ``pool.gpus * horizon_ms``. ``wait_by_reason_ms`` has shape (n, len(WaitReason)); each row of a
    job that ran sums exactly to start - submit. Allocations are in compressed rows: those of job
    ``j`` are ``node_index[node_offset[j]:node_offset[j + 1]]`` (numbered through all pools in file
    order) with the GPUs of ``gpu_mask``; empty under ``placement: count``.
    """

    jobs: Jobs
    cluster: Cluster
    policy: Policy
    options: Options
    horizon_ms: int
    start_ms: Int64Array
    end_ms: Int64Array
    pool: Int32Array
    state: Int8Array  # EndState
    set_aside: Int8Array  # SetAside
    wait_by_reason_ms: Int64Array
    node_offset: Int64Array
    node_index: Int32Array
    gpu_mask: NDArray[np.uint64]
    ledger_gpu_ms: Int64Array
    counters: Counters
