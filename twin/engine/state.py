"""The compiled engine's world: plain arrays and records, so that a replay can stop after any instant.

Jobs are numbered by *rank*, their place in queue order (key, submit, row): all keys of today's policies
are fixed, so the queue is a set of ranks. Nodes are numbered through all pools in file order. In counting
mode a pool is one node that has all its GPUs, CPUs and memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from twin.engine.agenda import Agenda

FREE = 0  # what is free now
OPEN = 1  # what a job may use that outlasts the shadow: min(free, extra)
SHADOW = 2  # what is free at the shadow instant, before the head's reservation
VIEWS = 3

NOBODY = -1

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

CLOCK = np.dtype(
    [
        (name, np.int64)
        for name in (
            "now_ms",
            "horizon_ms",
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


class Nodes(NamedTuple):
    """Free resources in three views (FREE, OPEN, SHADOW), and their index by number of free GPUs."""

    gpus: Any  # (VIEWS, nodes)
    cpus: Any
    memory: Any
    total: Any  # (VIEWS, pools): free GPUs
    at_least: Any  # (VIEWS, .): nodes of a pool with at least so many free GPUs
    sets: Any  # (VIEWS, .): bitsets of the nodes of a pool with exactly so many free GPUs
    mask: Any  # (nodes,): the free GPUs themselves, now
    reserved_gpus: Any  # (nodes,): what the reservation takes at the shadow
    reserved_cpus: Any
    reserved_memory: Any


class Parts(NamedTuple):
    """Allocations in order of start; job.first_part and job.parts point into them."""

    node: Any
    gpus: Any
    mask: Any


class World(NamedTuple):
    clock: Any  # (1,) of CLOCK
    jobs: Any  # (n,) of JOB, by rank
    pools: Any  # (p,) of POOL
    accepts: Any  # (model sets, p): whether a job with these models accepts the pool
    nodes: Nodes
    queue: Any  # bitset of ranks
    submits: Any  # ranks in order of (submit, row)
    eligibles: Any  # ranks of those eligible after their submit, in order of (eligible, row)
    rank_of_row: Any
    finishes: Agenda  # (end, row) of the running jobs
    releases: Agenda  # (estimated end, rank) of the running jobs; used by EASY only
    parts: Parts
    picked_node: Any  # the placement last found
    picked_gpus: Any
    reserved_node: Any  # nodes of the reservation
    wait_ms: Any  # (n, reasons), by row
    ledger: Any  # (p, accounts)
