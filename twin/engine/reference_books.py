"""The reference engine's books: why each job waited, where every GPU-millisecond went (rules 9, 10)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twin.engine.reference_pass import Outcome, Refused, Running
from twin.engine.reference_placement import Place, free_gpus
from twin.engine.reference_policy import WaitingJob
from twin.engine.result import Account, WaitReason
from twin.workload.jobs import EndState, Int64Array

PRODUCTIVE = {
    EndState.COMPLETED: Account.PRODUCTIVE_COMPLETED,
    EndState.CANCELLED: Account.PRODUCTIVE_CANCELLED,
    EndState.FAILED: Account.PRODUCTIVE_FAILED,
    EndState.TIMED_OUT: Account.PRODUCTIVE_TIMED_OUT,
}


class WaitBook:
    """How long each submitted job has waited, by reason; ``wait_by_reason_ms`` has shape (n, reasons)."""

    def __init__(self, jobs: int) -> None:
        self.wait_by_reason_ms: Int64Array = np.zeros((jobs, len(WaitReason)), dtype=np.int64)
        self._now: dict[int, tuple[WaitReason, int]] = {}  # row -> its reason, and since when

    def turn(self, row: int, reason: WaitReason | None, now_ms: int) -> None:
        """Book the reason a job had until now; from now on it waits for ``reason`` (None: it runs)."""
        if row in self._now:
            old, since_ms = self._now.pop(row)
            self.wait_by_reason_ms[row, old] += now_ms - since_ms
        if reason is not None:
            self._now[row] = (reason, now_ms)


class Ledger:
    """Every GPU-millisecond of capacity in one account; ``gpu_ms`` has shape (pools, accounts).

    Each account is added up by itself: what is held from the jobs that hold, what is idle from the nodes
    that are free. That they sum to the capacity is a test, not a definition.
    """

    def __init__(self, pools: Sequence[Place], horizon_ms: int) -> None:
        self.gpu_ms: Int64Array = np.zeros((len(pools), len(Account)), dtype=np.int64)
        self._horizon_ms = horizon_ms
        self._since_ms = 0
        self._idle = [(Account.IDLE_NO_DEMAND, free_gpus(place.empty())) for place in pools]

    def book_held(self, ended: Running) -> None:
        """The GPUs that a job held, by how it ended."""
        span_ms = min(ended.end_ms, self._horizon_ms) - min(ended.start_ms, self._horizon_ms)
        account = PRODUCTIVE[EndState(ended.state)]
        self.gpu_ms[ended.place.number, account] += ended.job.gpus * span_ms

    def book_idle_until(self, now_ms: int) -> None:
        """The GPUs that have been idle since the last pass, each pool's whole free count in one account."""
        until_ms = min(now_ms, self._horizon_ms)
        for pool, (account, gpus) in enumerate(self._idle):
            self.gpu_ms[pool, account] += gpus * (until_ms - self._since_ms)
        self._since_ms = until_ms

    def judge_idle(
        self,
        pools: Sequence[Place],
        outcome: Outcome,
        queue: Sequence[WaitingJob],
        not_yet_eligible: Sequence[WaitingJob],
    ) -> None:
        """Why each pool's free GPUs are idle after a pass; ``queue`` is what the pass left waiting."""
        self._idle = []
        for place in pools:
            free = free_gpus(outcome.free[place.number])
            if not queue:
                account = Account.IDLE_NOT_ELIGIBLE if not_yet_eligible else Account.IDLE_NO_DEMAND
            else:
                account = _while_jobs_wait(place, free, outcome.refused)
            self._idle.append((account, free))


def _while_jobs_wait(place: Place, free: int, refused: Sequence[Refused]) -> Account:
    accepting = [one for one in refused if one.job.accepts(place.gpu_model)]
    if not accepting:
        return Account.IDLE_WRONG_GPU_MODEL
    small_enough = [one for one in accepting if one.job.gpus <= free]
    if any(place.number in one.held_in for one in small_enough):
        return Account.IDLE_HELD_FOR_WAITING_JOB
    return Account.IDLE_FRAGMENTED if small_enough else Account.IDLE_TOO_FEW_FREE
