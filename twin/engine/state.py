"""The compiled engine's world: plain arrays and one record, so that a replay can stop after any instant.

Jobs are numbered by *rank*, their place in queue order (key, submit, row): all keys of today's policies
are fixed, so the queue is a set of ranks. Nodes are numbered through all pools in file order. In counting
mode a pool is one node that has all its GPUs, CPUs and memory.

Compiled functions pass the record ``world``, which is a pointer, and reach the arrays through the addresses
in it. A tuple of the arrays themselves is copied at every call (two kilobytes): measured, that made the
engine fifteen times slower and its compilation three times longer. ``World`` keeps the arrays alive.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import carray  # type: ignore[attr-defined]

from twin.engine.agenda import AGENDA
from twin.engine.jit import MANY, compiled, pointer
from twin.engine.result import Account, WaitReason

FREE = 0  # what is free now
OPEN = 1  # what a job may use that outlasts the shadow: min(free, extra)
SHADOW = 2  # what is free at the shadow instant, before the head's reservation
VIEWS = 3

NOBODY = -1

FINISHES, RELEASES = 0, 1

REASONS, ACCOUNTS = len(WaitReason), len(Account)
JOB = np.dtype(
    [
        ("gpus", np.int32),
        ("nodes", np.int32),  # both 0 where no shape was given
        ("gpus_per_node", np.int32),
        ("cpus", np.int32),
        ("models", np.int32),  # row of World.accepts
        ("row", np.int32),
        ("pool", np.int32),
        ("parts", np.int32),
        ("moves_as", np.int8),
        ("recorded_state", np.int8),
        ("state", np.int8),
        ("reason", np.int8),
        ("memory_mb", np.int64),
        ("run_ms", np.int64),
        ("limit_ms", np.int64),
        ("submit_ms", np.int64),
        ("eligible_ms", np.int64),  # never before submit
        ("reason_since_ms", np.int64),
        ("start_ms", np.int64),
        ("end_ms", np.int64),
        ("estimated_end_ms", np.int64),
        ("first_part", np.int64),
    ],
    align=True,
)

POOL = np.dtype(
    [
        ("first_node", np.int64),
        ("nodes", np.int64),
        ("node_gpus", np.int64),
        ("node_cpus", np.int64),
        ("node_memory_mb", np.int64),
        ("speed_ppm", np.int64),
        ("count_base", np.int64),  # into Nodes.at_least, by GPU count
        ("set_base", np.int64),  # into Nodes.sets, by GPU count from 1
        ("set_stride", np.int64),
        ("tracks", np.int64),  # 1: some job asks CPUs or memory that this pool states
        ("account", np.int64),  # of its idle GPUs, since:
        ("account_since_ms", np.int64),
        ("smallest_ask", np.int64),  # of the waiting jobs that the latest pass examined
        ("smallest_held", np.int64),  # of those that only the reservation refused here
        ("held_candidate", np.int64),  # the examination that saw so, until the job is known to wait
    ],
    align=True,
)

PART = np.dtype([("mask", np.int64), ("node", np.int32), ("gpus", np.int32)], align=True)

PICK = np.dtype([("node", np.int32), ("gpus", np.int32)], align=True)


class World(NamedTuple):
    """The arrays of a replay, and ``record`` (shape (1,)), which has the address of each as ``<name>_at``."""

    record: Any
    jobs: Any  # (n,) of JOB, by rank
    pools: Any  # (p,) of POOL
    accepts: Any  # (model sets, p) bytes: whether a job with these models accepts the pool
    queue: Any  # bitset of ranks
    submits: Any  # ranks in order of (submit, row)
    eligibles: Any  # ranks of those eligible after their submit, in order of (eligible, row)
    rank_of_row: Any
    agendas: Any  # (2,) of AGENDA: FINISHES has (end, row), RELEASES (estimated end, rank) of running jobs
    free_gpus: Any  # (VIEWS, nodes)
    free_cpus: Any
    free_memory: Any
    free_total: Any  # (VIEWS, pools): free GPUs
    at_least: Any  # (VIEWS, .): nodes of a pool with at least so many free GPUs
    sets: Any  # (VIEWS, .): bitsets of the nodes of a pool with exactly so many free GPUs
    gpu_mask: Any  # (nodes,): the free GPUs themselves, now
    reserved_gpus: Any  # (nodes,): what the reservation takes at the shadow
    reserved_cpus: Any
    reserved_memory: Any
    picked: Any  # (nodes,) of PICK: the placement last found
    reserved_node: Any  # the nodes of the reservation
    parts: Any  # of PART, allocations in order of start; job.first_part and job.parts point into it
    wait_ms: Any  # (n, reasons), by row
    ledger: Any  # (p, accounts)
    agenda_arrays: Any  # what the agendas' own addresses point to


WORLD = np.dtype(
    [(f"{name}_at", np.int64) for name in World._fields if name not in ("record", "agenda_arrays")]
    + [
        (name, np.int64)
        for name in (
            "now_ms",
            "horizon_ms",
            "job_count",
            "pool_count",
            "node_count",
            "word_count",  # of one view of sets
            "count_count",  # of one view of at_least
            "submit_count",
            "eligible_count",
            "order",
            "backfill",
            "placement",
            "shape",
            "pass_mode",
            "enforce_limits",
            "depth",
            "next_submit",  # positions in World.submits and World.eligibles
            "next_eligible",
            "queued",
            "not_yet_eligible",
            "finished",
            "parts_used",
            # the latest pass, as far as the next one may rely on it (see walk.py)
            "settled",  # 1: repeating it would start nothing
            "released",  # 1: a job finished since
            "blocked",  # 1: it met a job that does not fit
            "most_free",  # GPUs of the pool that has most, during a walk
            "remaining",  # examinations left when it stopped
            "last_examined",  # rank, NOBODY if none
            "lowest_newcomer",  # rank, of those that joined the queue since
            # the reservation (see reservation.py)
            "head",  # rank, NOBODY: no reservation
            "shadow_ms",
            "reserved_pool",
            "reserved_parts",
            "may_come_earlier",
            "choose_again",
            "has_overdue",
            # counters
            "events",
            "passes",
            "examined",
            "nodes_touched",
        )
    ],
    align=True,
)


def point_to_arrays(world: World) -> World:
    """Write the addresses of the arrays into the record."""
    for name, array in world._asdict().items():
        if name not in ("record", "agenda_arrays"):
            world.record[f"{name}_at"] = array.ctypes.data
    return world


# --- the arrays, as compiled code reaches them -------------------------------------------------------


@compiled
def job_at(world: Any, rank: int) -> Any:
    return carray(pointer(world.jobs_at), world.job_count, JOB)[rank]


@compiled
def pool_at(world: Any, pool: int) -> Any:
    return carray(pointer(world.pools_at), world.pool_count, POOL)[pool]


@compiled
def agenda_at(world: Any, which: int) -> Any:
    return carray(pointer(world.agendas_at), 2, AGENDA)[which]


@compiled
def accepts(world: Any, job: Any, pool: int) -> bool:
    """Whether the job's GPU models include the pool's."""
    table = carray(pointer(world.accepts_at), MANY, np.uint8)
    return bool(table[job.models * world.pool_count + pool] != 0)


@compiled
def picked_parts(world: Any) -> Any:
    return carray(pointer(world.picked_at), MANY, PICK)


@compiled
def allocated_parts(world: Any) -> Any:
    return carray(pointer(world.parts_at), MANY, PART)
