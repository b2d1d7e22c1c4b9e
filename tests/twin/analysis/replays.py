"""Hand-made replays: the starts are given, the rest follows from them."""

from __future__ import annotations

import numpy as np

from twin.engine.result import Account, Counters, Options, Result, WaitReason
from twin.hardware import Cluster, Gpu, Pool
from twin.sched import Policy
from twin.workload.jobs import EndState, Jobs

ONE_POOL = Cluster("one", (Pool("a", 4, Gpu("X", tdp_w=400.0), 8),))


def replay(
    jobs: Jobs,
    start_ms,
    *,
    cluster: Cluster = ONE_POOL,
    pool=None,
    horizon_ms: int | None = None,
    set_aside=None,
    state=None,
    nodes=None,
) -> Result:
    """A result with these starts (-1: set aside); idle GPUs are booked as "no demand", waits as "behind
    others". ``nodes``: a list of node indices for each job."""
    n = len(jobs)
    start = np.asarray(start_ms, dtype=np.int64)
    ran = start >= 0
    end = np.where(ran, start + jobs.run_ms, -1)
    pools = np.where(ran, np.zeros(n) if pool is None else np.asarray(pool), -1).astype(np.int32)
    horizon = int(jobs.submit_ms.max()) if horizon_ms is None else horizon_ms
    states = np.where(ran, EndState.COMPLETED, EndState.SET_ASIDE).astype(np.int8) if state is None else state
    ledger = np.zeros((len(cluster.pools), len(Account)), dtype=np.int64)
    accounts = {EndState.CANCELLED: 1, EndState.FAILED: 2, EndState.TIMED_OUT: 3}
    for row in np.flatnonzero(ran):
        held = int(jobs.gpus[row]) * int(min(end[row], horizon) - min(start[row], horizon))
        ledger[pools[row], accounts.get(EndState(int(states[row])), 0)] += held
    for index, one in enumerate(cluster.pools):
        ledger[index, Account.IDLE_NO_DEMAND] = one.gpus * horizon - ledger[index].sum()
    reasons = np.zeros((n, len(WaitReason)), dtype=np.int64)
    reasons[ran, WaitReason.BEHIND_OTHERS] = (start - np.maximum(jobs.eligible_ms, jobs.submit_ms))[ran]
    reasons[ran, WaitReason.NOT_YET_ELIGIBLE] = np.maximum(jobs.eligible_ms - jobs.submit_ms, 0)[ran]
    given = [[] for _ in range(n)] if nodes is None else nodes
    flat = np.array([node for each in given for node in each], dtype=np.int32)
    return Result(
        jobs=jobs,
        cluster=cluster,
        policy=Policy(),
        options=Options(horizon_ms),
        horizon_ms=horizon,
        start_ms=start,
        end_ms=end,
        pool=pools,
        state=states,
        set_aside=np.zeros(n, dtype=np.int8) if set_aside is None else np.asarray(set_aside, dtype=np.int8),
        wait_by_reason_ms=reasons,
        node_offset=np.concatenate(([0], np.cumsum([len(each) for each in given]))).astype(np.int64),
        node_index=flat,
        gpu_mask=np.ones(len(flat), dtype=np.uint64),
        ledger_gpu_ms=ledger,
        counters=Counters(0, 0, 0, 0, 0),
    )
