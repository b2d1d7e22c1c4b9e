"""What adds up over jobs, summed for each cell once: every class is then a sum of cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from twin.engine.result import Result, WaitReason
from twin.workload.jobs import Int64Array

FloatArray = NDArray[np.float64]
BOUND_MS: Final = 10_000
"""Bounded slowdown counts shorter runs as this long (Feitelson et al., JSSPP 1997)."""


@dataclass(frozen=True, slots=True)
class RanJobs:
    """The jobs of a replay that ran (all but those set aside), row by row of ``rows``."""

    rows: NDArray[np.intp] | None  # None: all of them, so that nothing need be copied
    submit_ms: Int64Array
    start_ms: Int64Array
    end_ms: Int64Array
    wait_ms: Int64Array  # start − eligible
    gpus: FloatArray

    @classmethod
    def of(cls, result: Result) -> RanJobs:
        """The jobs that ran in ``result``."""
        ran = result.start_ms >= 0
        rows = None if ran.all() else np.flatnonzero(ran)
        jobs = result.jobs
        submit, start = taken(jobs.submit_ms, rows), taken(result.start_ms, rows)
        eligible = np.maximum(taken(jobs.eligible_ms, rows), submit)
        gpus = taken(jobs.gpus, rows).astype(np.float64)
        return cls(rows, submit, start, taken(result.end_ms, rows), start - eligible, gpus)

    def __len__(self) -> int:
        return len(self.start_ms)


def taken(column: NDArray[Any], rows: NDArray[np.intp] | None) -> NDArray[Any]:
    """The rows of a column; the column itself when ``rows`` is None."""
    return column if rows is None else column[rows]


@dataclass(frozen=True, slots=True)
class CellSums:
    """Sums over the jobs that ran, shape (cells,) each; GPU·ms in floating point (15 digits)."""

    jobs: Int64Array
    wait_ms: FloatArray
    jct_ms: FloatArray
    slowdown: FloatArray
    offered_gpu_ms: FloatArray
    held_gpu_ms: FloatArray
    backlog_start_gpu_ms: FloatArray
    backlog_end_gpu_ms: FloatArray
    waiting_at_horizon: Int64Array
    running_at_horizon: Int64Array
    reason_ms: FloatArray  # (cells, reasons)


def sums_by_code(code: NDArray[Any], weights: NDArray[Any], cells: int) -> FloatArray:
    """The sum of ``weights`` for each code in ``0..cells - 1``."""
    sums: FloatArray = np.bincount(code, weights, cells).astype(np.float64, copy=False)
    return sums


def cell_sums(result: Result, ran: RanJobs, code: NDArray[np.intp], cells: int) -> CellSums:
    """The sums of a replay for each cell; ``code`` is the cell of each job that ran."""
    horizon = result.horizon_ms
    run_ms = ran.end_ms - ran.start_ms
    work = ran.gpus * run_ms
    held = ran.gpus * (np.minimum(ran.end_ms, horizon) - np.minimum(ran.start_ms, horizon))
    slowdown = (ran.wait_ms + run_ms) / np.maximum(run_ms, BOUND_MS)
    waiting = (ran.submit_ms <= horizon) & (ran.start_ms > horizon)
    waiting_at_start = (ran.submit_ms <= 0) & (ran.start_ms > 0)
    running = (ran.start_ms <= horizon) & (ran.end_ms > horizon)

    def summed(weights: NDArray[Any], where: NDArray[np.bool_] | None = None) -> FloatArray:
        if where is None:
            return sums_by_code(code, weights, cells)
        return sums_by_code(code[where], weights[where], cells)

    return CellSums(
        jobs=np.bincount(code, minlength=cells),
        wait_ms=summed(ran.wait_ms),
        jct_ms=summed(ran.end_ms - ran.submit_ms),
        slowdown=summed(np.maximum(slowdown, 1.0)),
        offered_gpu_ms=summed(work, ran.submit_ms <= horizon),
        held_gpu_ms=summed(held),
        backlog_start_gpu_ms=summed(work, waiting_at_start),
        backlog_end_gpu_ms=summed(work, waiting),
        waiting_at_horizon=np.bincount(code[waiting], minlength=cells),
        running_at_horizon=np.bincount(code[running], minlength=cells),
        reason_ms=_reason_sums(result, ran, code, cells),
    )


def _reason_sums(result: Result, ran: RanJobs, code: NDArray[np.intp], cells: int) -> FloatArray:
    sums = np.zeros((cells, len(WaitReason)))
    waited = np.flatnonzero(ran.start_ms > ran.submit_ms)
    rows = waited if ran.rows is None else ran.rows[waited]
    columns = np.ascontiguousarray(result.wait_by_reason_ms[rows].T)
    waited_code = code[waited]
    for reason, column in enumerate(columns):
        if column.any():
            sums[:, reason] = sums_by_code(waited_code, column, cells)
    return sums
