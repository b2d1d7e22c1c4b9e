"""The metrics of job classes: what adds up from cells, what is ranked from their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from twin.analysis.cell_sums import CellSums, RanJobs, cell_sums, sums_by_code, taken
from twin.analysis.job_classes import Cells, CellValues, JobClass, by_cell, cell_order, cells_of
from twin.analysis.ledger import MS_PER_HOUR
from twin.analysis.percentiles import NEVER_MS, nearest_ranks, share_interval
from twin.analysis.summary import ClassMetrics, Waits
from twin.analysis.targets import SIZE_BUCKETS, Targets, size_codes
from twin.engine.result import Result, WaitReason
from twin.workload.jobs import Int64Array

_REASONS: Final = tuple(reason.name.lower() for reason in WaitReason)
WAIT_PERCENTS: Final = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class _Measured:
    """Waits and JCTs of some jobs, by cell."""

    started: Int64Array  # (cells,)
    never: Int64Array  # (cells,) set aside
    within: Int64Array  # (cells,) started within target
    wait_sum_ms: NDArray[np.float64]
    jct_sum_ms: NDArray[np.float64]
    jct_jobs: Int64Array
    wait_ms: CellValues
    jct_ms: CellValues

    def waits(self, job_class: JobClass) -> Waits:
        cells = list(job_class.cells)
        started, never = int(self.started[cells].sum()), int(self.never[cells].sum())
        jobs, within = started + never, int(self.within[cells].sum())
        jct_jobs = int(self.jct_jobs[cells].sum())
        ranked = nearest_ranks(self.wait_ms.of(job_class), WAIT_PERCENTS, never)
        wait = _seconds(ranked)
        jct = _seconds(nearest_ranks(self.jct_ms.of(job_class), (50, 95)))
        interval = share_interval(within, jobs)
        return Waits(
            jobs=jobs,
            jobs_started=started,
            started_within_target=within,
            share_within_target=within / jobs if jobs else None,
            share_low=interval[0] if interval else None,
            share_high=interval[1] if interval else None,
            wait_mean_s=float(self.wait_sum_ms[cells].sum()) / started / 1000 if started else None,
            wait_p50_s=wait[0],
            wait_p95_s=wait[1],
            wait_p99_s=wait[2],
            never_percents=tuple(
                percent for percent, at in zip(WAIT_PERCENTS, ranked, strict=True) if at == NEVER_MS
            ),
            jct_mean_s=float(self.jct_sum_ms[cells].sum()) / jct_jobs / 1000 if jct_jobs else None,
            jct_p50_s=jct[0],
            jct_p95_s=jct[1],
        )


class ClassTable:
    """Everything needed to answer for any class of one replay."""

    def __init__(self, result: Result, targets: Targets) -> None:
        self.cells = cells_of(result.jobs)
        self._targets = targets
        self._capacity_gpu_ms = result.cluster.gpus * result.horizon_ms
        self._horizon_h = result.horizon_ms / MS_PER_HOUR
        ran = RanJobs.of(result)
        code = taken(self.cells.code, ran.rows)
        self._sums: CellSums = cell_sums(result, ran, code.astype(np.intp), self.cells.count)
        set_aside = self.cells.code[result.start_ms < 0]
        never = np.bincount(set_aside, minlength=self.cells.count)
        self._replayed = _replayed(result, ran, code, never, targets)
        self._recorded = _recorded(result, self.cells, targets)
        self._all_jobs = np.bincount(self.cells.code, minlength=self.cells.count)

    def whole(self) -> ClassMetrics:
        """All jobs."""
        return self._metrics(self.cells.whole())

    def sizes(self) -> tuple[ClassMetrics, ...]:
        """By GPU size, sizes that occur."""
        return tuple(self._occurring(self.cells.sizes()))

    def groups(self) -> tuple[ClassMetrics, ...]:
        """By group, the largest first."""
        return tuple(self._occurring(self.cells.groups()))

    def pairs(self) -> tuple[ClassMetrics, ...]:
        """By GPU size within each group, pairs that occur."""
        return tuple(self._occurring(self.cells.pairs()))

    def _occurring(self, classes: Iterable[JobClass]) -> Iterator[ClassMetrics]:
        for job_class in classes:
            if self._all_jobs[list(job_class.cells)].any():
                yield self._metrics(job_class)

    def _metrics(self, job_class: JobClass) -> ClassMetrics:
        cells, sums = list(job_class.cells), self._sums
        ran = int(sums.jobs[cells].sum())
        all_jobs = int(self._all_jobs[cells].sum())
        offered = float(sums.offered_gpu_ms[cells].sum())
        held_h = float(sums.held_gpu_ms[cells].sum()) / MS_PER_HOUR
        reasons = sums.reason_ms[cells].sum(axis=0) / MS_PER_HOUR
        size = job_class.size
        return ClassMetrics(
            name=job_class.name,
            size=None if size is None else SIZE_BUCKETS[size].key,
            group=job_class.group,
            jobs=all_jobs,
            jobs_set_aside=all_jobs - ran,
            target_s=None if size is None else self._targets.wait_s[size],
            waits=self._replayed.waits(job_class),
            recorded=self._recorded.waits(job_class) if self._recorded else None,
            bounded_slowdown_mean=float(sums.slowdown[cells].sum()) / ran if ran else None,
            offered_gpu_hours=offered / MS_PER_HOUR,
            offered_load=offered / self._capacity_gpu_ms if self._capacity_gpu_ms else None,
            backlog_start_gpu_hours=float(sums.backlog_start_gpu_ms[cells].sum()) / MS_PER_HOUR,
            backlog_end_gpu_hours=float(sums.backlog_end_gpu_ms[cells].sum()) / MS_PER_HOUR,
            held_gpu_hours=held_h,
            throughput_gpu_hours_per_hour=held_h / self._horizon_h if self._horizon_h else None,
            jobs_waiting_at_horizon=int(sums.waiting_at_horizon[cells].sum()),
            jobs_running_at_horizon=int(sums.running_at_horizon[cells].sum()),
            wait_by_reason_job_hours=dict(zip(_REASONS, reasons.tolist(), strict=True)),
        )


def _replayed(
    result: Result, ran: RanJobs, code: NDArray[np.int16], never: Int64Array, targets: Targets
) -> _Measured:
    sizes = size_codes(taken(result.jobs.gpus, ran.rows))
    return _measured(ran.wait_ms, ran.end_ms - ran.submit_ms, code, code, sizes, never, targets)


def _recorded(result: Result, cells: Cells, targets: Targets) -> _Measured | None:
    """The trace's own past; None when it recorded no start. A start before eligible is no wait."""
    jobs = result.jobs
    rows = np.flatnonzero(jobs.recorded_start_ms >= 0)
    if len(rows) == 0:
        return None
    eligible = np.maximum(jobs.eligible_ms[rows], jobs.submit_ms[rows])
    wait = np.maximum(jobs.recorded_start_ms[rows] - eligible, 0)
    ended = rows[jobs.recorded_end_ms[rows] >= 0]
    jct = jobs.recorded_end_ms[ended] - jobs.submit_ms[ended]
    sizes = size_codes(jobs.gpus[rows])
    nobody = np.zeros(cells.count, dtype=np.int64)
    return _measured(wait, jct, cells.code[rows], cells.code[ended], sizes, nobody, targets)


def _measured(
    wait_ms: Int64Array,
    jct_ms: Int64Array,
    code: NDArray[np.int16],
    jct_code: NDArray[np.int16],
    sizes: NDArray[np.int16],
    never: Int64Array,
    targets: Targets,
) -> _Measured:
    cells = len(never)
    target_ms = np.array([round(wait_s * 1000) for wait_s in targets.wait_s], dtype=np.int64)
    within = code[wait_ms <= target_ms[sizes]]
    order, starts = cell_order(code, cells)
    jct_order, jct_starts = (order, starts) if jct_code is code else cell_order(jct_code, cells)
    return _Measured(
        started=np.diff(starts),
        never=never,
        within=np.bincount(within, minlength=cells),
        wait_sum_ms=sums_by_code(code, wait_ms, cells),
        jct_sum_ms=sums_by_code(jct_code, jct_ms, cells),
        jct_jobs=np.diff(jct_starts),
        wait_ms=by_cell(wait_ms, order, starts),
        jct_ms=by_cell(jct_ms, jct_order, jct_starts),
    )


def _seconds(values_ms: tuple[int | None, ...]) -> tuple[float | None, ...]:
    return tuple(None if value in (None, NEVER_MS) else value / 1000 for value in values_ms)
