"""The Jobs table: every job of a workload, as a struct of arrays, one row a job.

Times are int64 milliseconds from ``origin`` (the earliest submit of the kept rows is zero).
``MISSING`` (-1) in a time column means "the trace does not say".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

MISSING = -1

Int8Array = NDArray[np.int8]
Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]
TextArray = NDArray[np.object_]


class MovesAs(IntEnum):
    """What moving to other hardware does to a job's run time (DESIGN, section 4)."""

    FIXED_WORK = 0
    FIXED_HOLD = 1
    CUT_AT_LIMIT = 2


class EndState(IntEnum):
    """How a job's (last) attempt ended, as the trace or the replay says."""

    UNKNOWN = 0
    COMPLETED = 1
    CANCELLED = 2
    FAILED = 3
    TIMED_OUT = 4
    RUNNING = 5
    SET_ASIDE = 6


@dataclass(frozen=True, slots=True)
class Category:
    """A text column stored as codes into a tuple of distinct names; code -1 means "not given"."""

    codes: Int32Array
    names: tuple[str, ...] = ()

    @classmethod
    def absent(cls, rows: int) -> Category:
        """A column that the trace does not have."""
        return cls(np.full(rows, -1, dtype=np.int32))

    def take(self, rows: NDArray[np.intp]) -> Category:
        """The same column for some rows, names unchanged."""
        return Category(self.codes[rows], self.names)


@dataclass(frozen=True, slots=True)
class Jobs:
    """``n`` jobs. All arrays have shape (n,). Zero in ``nodes``, ``gpus_per_node``, ``cpus`` and
    ``memory_mb`` means "not given" (for CPUs and memory: unlimited)."""

    job_id: TextArray
    submit_ms: Int64Array
    eligible_ms: Int64Array  # submit unless a dependency, hold or begin time came later
    run_ms: Int64Array  # at the reference allocation, >= 1
    limit_ms: Int64Array  # wall-clock time limit; MISSING = none
    gpus: Int32Array  # whole GPUs the replay gives, >= 1
    gpu_milli: Int64Array  # what was asked, in thousandths of a GPU
    nodes: Int32Array
    gpus_per_node: Int32Array
    cpus: Int32Array
    memory_mb: Int64Array
    priority: Int64Array  # larger goes first
    user: Category
    group: Category
    queue: Category
    job_class: Category
    gpu_models: Category  # acceptable models joined with "|"; -1 = any
    moves_as: Int8Array
    recorded_start_ms: Int64Array
    recorded_end_ms: Int64Array
    recorded_state: Int8Array  # EndState
    origin_epoch_ms: int | None = None  # epoch of time zero, None where the trace has no calendar
    time_zone: str = "not stated"
    notes: tuple[str, ...] = field(default=())  # what the reader assumed, in plain words

    def __len__(self) -> int:
        return len(self.job_id)

    def take(self, rows: NDArray[np.intp]) -> Jobs:
        """The jobs of these row numbers, in this order; times are not shifted."""
        arrays = {
            name: getattr(self, name)[rows]
            for name in self.__slots__
            if isinstance(getattr(self, name), np.ndarray)
        }
        categories = {
            name: getattr(self, name).take(rows)
            for name in self.__slots__
            if isinstance(getattr(self, name), Category)
        }
        return replace(self, **arrays, **categories)


def make_jobs(
    *,
    submit_ms: Int64Array,
    run_ms: Int64Array,
    gpus: Int32Array,
    **columns: object,
) -> Jobs:
    """Jobs from the three needed columns and any others, the rest filled with "not given"."""
    rows = len(submit_ms)
    submit = np.asarray(submit_ms, dtype=np.int64)
    whole_gpus = np.asarray(gpus, dtype=np.int32)
    defaults: dict[str, object] = {
        "job_id": np.array([str(row) for row in range(rows)], dtype=object),
        "eligible_ms": submit.copy(),
        "limit_ms": np.full(rows, MISSING, dtype=np.int64),
        "gpu_milli": whole_gpus.astype(np.int64) * 1000,
        "moves_as": np.zeros(rows, dtype=np.int8),
        "recorded_start_ms": np.full(rows, MISSING, dtype=np.int64),
        "recorded_end_ms": np.full(rows, MISSING, dtype=np.int64),
        "recorded_state": np.zeros(rows, dtype=np.int8),
    }
    defaults |= {name: np.zeros(rows, dtype=np.int32) for name in ("nodes", "gpus_per_node", "cpus")}
    defaults |= {name: np.zeros(rows, dtype=np.int64) for name in ("memory_mb", "priority")}
    defaults |= {
        name: Category.absent(rows) for name in ("user", "group", "queue", "job_class", "gpu_models")
    }
    chosen = defaults | columns
    return Jobs(
        submit_ms=submit,
        run_ms=np.asarray(run_ms, dtype=np.int64),
        gpus=whole_gpus,
        **chosen,  # type: ignore[arg-type]
    )
