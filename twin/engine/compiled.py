"""The production engine: chunks of compiled replay with progress in between, and its result."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from twin.engine.agenda import NEVER
from twin.engine.inputs import build_world
from twin.engine.jit import compiled_entry
from twin.engine.loop import advance
from twin.engine.result import Counters, OnProgress, Options, Progress, ReplayCancelled, Result
from twin.engine.state import FREE, World
from twin.hardware.cluster import Cluster
from twin.sched.policy import Placement, Policy
from twin.workload.jobs import MISSING, EndState, Int8Array, Jobs

_CHUNK_S = 0.010  # aimed at; half of the 20 ms within which a cancel is noticed
_FIRST_CHUNK_EVENTS = 500


def simulate_compiled(
    jobs: Jobs, cluster: Cluster, policy: Policy, options: Options, on_progress: OnProgress | None
) -> Result:
    """Replay in machine code. Raises ``ReplayCancelled`` when ``on_progress`` returns False."""
    horizon_ms = options.horizon_ms
    if horizon_ms is None:
        horizon_ms = int(jobs.submit_ms.max()) if len(jobs) else 0
    world, set_aside = build_world(jobs, cluster, policy, horizon_ms)
    _replay(world, on_progress)
    return _result(world, set_aside, jobs, cluster, policy, options, horizon_ms)


def _replay(world: World, on_progress: OnProgress | None) -> None:
    """Call ``advance`` until the end, each time for about as many events as one chunk's time allows.

    The clock here only says how often progress is told; it decides nothing of the replay.
    """
    events = _FIRST_CHUNK_EVENTS
    total = len(world.submits)
    going = True
    while going:
        began = time.perf_counter()
        going = advance(world.record, events, NEVER - 1)
        took = time.perf_counter() - began
        events = max(50, int(events * min(4.0, _CHUNK_S / max(took, 1e-6))))
        clock = world.record[0]
        if on_progress is not None and not on_progress(
            Progress(now_ms=int(clock["now_ms"]), finished_jobs=int(clock["finished"]), total_jobs=total)
        ):
            raise ReplayCancelled
    settle_to_horizon(world)


def settle_to_horizon(world: World) -> None:
    """Book the idle GPUs from the last change to the horizon."""
    clock = world.record[0]
    for number, pool in enumerate(world.pools):
        idle_ms = max(0, int(clock["horizon_ms"]) - int(pool["account_since_ms"]))
        world.ledger[number, pool["account"]] += int(world.free_total[FREE, number]) * idle_ms
        pool["account_since_ms"] += idle_ms


def _result(
    world: World,
    set_aside: Int8Array,
    jobs: Jobs,
    cluster: Cluster,
    policy: Policy,
    options: Options,
    horizon_ms: int,
) -> Result:
    rows = len(jobs)
    start_ms, end_ms = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    pool, state = np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int8)
    offset = np.zeros(rows + 1, dtype=np.int64)
    counting = policy.placement is Placement.COUNT
    parts = 0 if counting else int(world.record[0]["parts_used"])
    node, mask = np.empty(parts, dtype=np.int32), np.empty(parts, dtype=np.uint64)
    queue_area = _unload_jobs(
        world.jobs,
        world.rank_of_row,
        world.parts,
        counting,
        start_ms,
        end_ms,
        pool,
        state,
        offset,
        node,
        mask,
    )
    state[set_aside != 0] = EndState.SET_ASIDE
    for array in (start_ms, end_ms, pool):
        array[set_aside != 0] = MISSING
    clock = world.record[0]
    return Result(
        jobs=jobs,
        cluster=cluster,
        policy=policy,
        options=options,
        horizon_ms=horizon_ms,
        start_ms=start_ms,
        end_ms=end_ms,
        pool=pool,
        state=state,
        set_aside=set_aside,
        wait_by_reason_ms=world.wait_ms,
        node_offset=offset,
        node_index=node,
        gpu_mask=mask,
        ledger_gpu_ms=world.ledger,
        counters=Counters(
            events=int(clock["events"]),
            passes=int(clock["passes"]),
            jobs_examined=int(clock["examined"]),
            nodes_touched=int(clock["nodes_touched"]),
            queue_area_job_ms=queue_area,
        ),
    )


@compiled_entry
def _unload_jobs(
    jobs: Any,
    rank_of_row: Any,
    parts: Any,
    counting: bool,
    start_ms: Any,
    end_ms: Any,
    pool: Any,
    state: Any,
    offset: Any,
    node: Any,
    mask: Any,
) -> int:
    """Outcomes from queue order to row order; the integral of the number of waiting jobs, in job-ms."""
    waited = 0
    for row in range(len(jobs)):
        job = jobs[rank_of_row[row]]
        start_ms[row], end_ms[row] = job.start_ms, job.end_ms
        pool[row], state[row] = job.pool, job.state
        offset[row + 1] = offset[row]
        if job.pool < 0:
            continue
        waited += job.start_ms - job.eligible_ms
        if not counting:
            at = offset[row]
            for part in range(job.first_part, job.first_part + job.parts):
                slot = at + part - job.first_part
                while slot > at and node[slot - 1] > parts[part].node:  # by node, nearly sorted as it is
                    node[slot], mask[slot] = node[slot - 1], mask[slot - 1]
                    slot -= 1
                node[slot], mask[slot] = parts[part].node, np.uint64(parts[part].mask)
            offset[row + 1] = at + job.parts
    return waited
