"""From jobs, cluster and policy to the compiled engine's world at time zero."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twin.engine.agenda import AGENDA, NEVER, make_agenda
from twin.engine.bitset import add_member, set_words
from twin.engine.jit import compiled_entry
from twin.engine.result import SetAside
from twin.engine.state import (
    ACCOUNTS,
    FINISHES,
    JOB,
    NOBODY,
    PART,
    PICK,
    POOL,
    REASONS,
    RELEASES,
    VIEWS,
    WORLD,
    World,
    point_to_arrays,
)
from twin.hardware.cluster import Cluster
from twin.hardware.gpu_matching import accepts_one_of
from twin.sched.policy import Order, Placement, Policy
from twin.sched.rules import (
    BACKFILL_CODE,
    ORDER_CODE,
    PASS_CODE,
    PLACE_COUNT,
    PLACEMENT_CODE,
    SHAPE_CODE,
    asked,
    depth_limit,
    gang_parts,
    given_shape,
    node_memory_mb,
    order_key,
    speed_ppm,
)
from twin.sched.verdicts import (
    IDLE_NO_DEMAND,
    NEVER_UNKNOWN_GPU_MODEL,
    NOBODY_ASKS,
    WAITS_NOT_ELIGIBLE,
    never_fits,
)
from twin.workload.jobs import Category, Int8Array, Int64Array, Jobs


def build_world(jobs: Jobs, cluster: Cluster, policy: Policy, horizon_ms: int) -> tuple[World, Int8Array]:
    """The world before the first event, and why each job (by row) is set aside, if it is (rule 8)."""
    rows = len(jobs)
    counting = policy.placement is Placement.COUNT
    pools = _pool_records(cluster, counting)
    table = accepted_pools(jobs.gpu_models, cluster)
    ranks = _queue_order(jobs, policy)
    records = np.empty(rows, dtype=JOB)
    set_aside = np.zeros(rows, dtype=np.int8)
    rank_of_row = np.empty(rows, dtype=np.int64)
    record = _record(policy, horizon_ms)
    most_parts = _load_jobs(records, set_aside, rank_of_row, ranks, pools, table, record, *_columns(jobs))
    agendas = np.zeros(2, dtype=AGENDA)
    running = min(rows, cluster.gpus)
    agenda_arrays = make_agenda(running, agendas[FINISHES]) + make_agenda(running, agendas[RELEASES])
    free = _empty_nodes(pools, counting)
    node_count = free["free_gpus"].shape[1]
    world = World(
        record=record,
        jobs=records,
        pools=pools,
        accepts=table,
        queue=np.zeros(set_words(rows), dtype=np.int64),
        submits=_submit_order(jobs, set_aside, rank_of_row),
        eligibles=_eligible_order(jobs, set_aside, rank_of_row),
        rank_of_row=rank_of_row,
        agendas=agendas,
        picked=np.zeros(node_count + 1, dtype=PICK),
        reserved_node=np.zeros(node_count + 1, dtype=np.int64),
        # Never touched beyond what is used: the system gives no memory for the rest.
        parts=np.empty(most_parts, dtype=PART),
        wait_ms=np.zeros((rows, REASONS), dtype=np.int64),
        ledger=np.zeros((len(pools), ACCOUNTS), dtype=np.int64),
        agenda_arrays=agenda_arrays,
        **free,
    )
    counts = {
        "job_count": rows,
        "pool_count": len(pools),
        "node_count": node_count,
        "word_count": world.sets.shape[1],
        "count_count": world.at_least.shape[1],
        "submit_count": len(world.submits),
        "eligible_count": len(world.eligibles),
    }
    for name, count in counts.items():
        record[name] = count
    return point_to_arrays(world), set_aside


def _columns(jobs: Jobs) -> list[NDArray[Any]]:
    """The columns that the engine reads, in the order of ``_load_jobs``.

    All of the one type that it is compiled for: a read-only or strided column (as Parquet readers give)
    would be another type, hence seconds of compiling.
    """
    wide, narrow, tiny = np.int64, np.int32, np.int8
    columns = (
        (jobs.submit_ms, wide),
        (jobs.eligible_ms, wide),
        (jobs.run_ms, wide),
        (jobs.limit_ms, wide),
        (jobs.gpus, narrow),
        (jobs.nodes, narrow),
        (jobs.gpus_per_node, narrow),
        (jobs.cpus, narrow),
        (jobs.memory_mb, wide),
        (jobs.gpu_models.codes, narrow),
        (jobs.moves_as, tiny),
        (jobs.recorded_state, tiny),
    )
    return [np.require(column, dtype=kind, requirements=["C", "W"]) for column, kind in columns]


def accepted_pools(models: Category, cluster: Cluster) -> NDArray[np.uint8]:
    """Shape (model sets + 1, pools): whether a job with these GPU models accepts the pool; last row: any."""
    table = np.ones((len(models.names) + 1, len(cluster.pools)), dtype=np.uint8)
    for row, names in enumerate(models.names):
        table[row] = [accepts_one_of(names, pool.gpu.name) for pool in cluster.pools]
    return table


def _pool_records(cluster: Cluster, counting: bool) -> Any:
    pools = np.zeros(len(cluster.pools), dtype=POOL)
    first_node = set_base = count_base = 0
    for record, pool in zip(pools, cluster.pools, strict=True):
        scale = pool.nodes if counting else 1
        nodes = 1 if counting else pool.nodes
        stride = set_words(nodes)
        record["first_node"], record["nodes"] = first_node, nodes
        record["node_gpus"] = pool.gpus_per_node * scale
        record["node_cpus"] = pool.cpus * scale
        record["node_memory_mb"] = node_memory_mb(pool.memory_gb) * scale
        record["speed_ppm"] = speed_ppm(pool.speed)
        record["set_base"], record["set_stride"], record["count_base"] = set_base, stride, count_base
        record["account"] = IDLE_NO_DEMAND
        record["smallest_ask"] = record["smallest_held"] = NOBODY_ASKS
        first_node += nodes
        if not counting:
            set_base += stride * pool.gpus_per_node
            count_base += pool.gpus_per_node + 2
    return pools


def _record(policy: Policy, horizon_ms: int) -> Any:
    record = np.zeros(1, dtype=WORLD)
    values = {
        "horizon_ms": horizon_ms,
        "order": ORDER_CODE[policy.order],
        "backfill": BACKFILL_CODE[policy.backfill],
        "placement": PLACEMENT_CODE[policy.placement],
        "shape": SHAPE_CODE[policy.shape],
        "pass_mode": PASS_CODE[policy.pass_mode],
        "enforce_limits": int(policy.enforce_limits),
        "depth": depth_limit(policy),
        "last_examined": NOBODY,
        "lowest_newcomer": NEVER,
        "head": NOBODY,
        "released": 1,
        "now_ms": -NEVER,
    }
    for name, value in values.items():
        record[name] = value
    return record


def _queue_order(jobs: Jobs, policy: Policy) -> Int64Array:
    """Rows in queue order: key, submit, row (rule 1)."""
    by_submit = _stable_order(jobs.submit_ms)
    if policy.order is Order.FIFO:
        return by_submit
    keys = np.empty(len(jobs), dtype=np.int64)
    columns = [
        np.require(column, dtype=np.int64, requirements=["C", "W"])
        for column in (jobs.priority, jobs.run_ms, jobs.limit_ms)
    ]
    _fill_keys(keys, ORDER_CODE[policy.order], *columns)
    return by_submit[_stable_order(keys[by_submit])]


def _stable_order(values: Int64Array) -> Int64Array:
    if bool(np.all(values[:-1] <= values[1:])):
        return np.arange(len(values), dtype=np.int64)
    order: Int64Array = np.argsort(values, kind="stable").astype(np.int64, copy=False)
    return order


def _submit_order(jobs: Jobs, set_aside: Int8Array, rank_of_row: Int64Array) -> Int64Array:
    rows = _stable_order(jobs.submit_ms)
    ranks: Int64Array = rank_of_row[rows[set_aside[rows] == SetAside.NO]]
    return ranks


def _eligible_order(jobs: Jobs, set_aside: Int8Array, rank_of_row: Int64Array) -> Int64Array:
    later = np.flatnonzero((jobs.eligible_ms > jobs.submit_ms) & (set_aside == SetAside.NO))
    eligible: Int64Array = rank_of_row[later[_stable_order(jobs.eligible_ms[later])]]
    return eligible


def _empty_nodes(pools: Any, counting: bool) -> dict[str, Any]:
    """All nodes idle, in all views."""
    per_pool = pools["nodes"]
    words = 0 if counting else int((pools["set_stride"] * pools["node_gpus"]).sum())
    counts = 0 if counting else int((pools["node_gpus"] + 2).sum())
    gpus = np.repeat(pools["node_gpus"], per_pool)
    sets, at_least = np.zeros(words + 1, dtype=np.int64), np.zeros(counts + 1, dtype=np.int64)
    if not counting:
        _fill_index(pools, sets.ctypes.data, at_least)
    masks = np.array([_full_mask(int(width)) for width in gpus], dtype=np.int64)
    return {
        "free_gpus": np.tile(gpus, (VIEWS, 1)),
        "free_cpus": np.tile(np.repeat(pools["node_cpus"], per_pool), (VIEWS, 1)),
        "free_memory": np.tile(np.repeat(pools["node_memory_mb"], per_pool), (VIEWS, 1)),
        "free_total": np.tile(pools["node_gpus"] * per_pool, (VIEWS, 1)),
        "at_least": np.tile(at_least, (VIEWS, 1)),
        "sets": np.tile(sets, (VIEWS, 1)),
        "gpu_mask": masks,
        "reserved_gpus": np.zeros(len(gpus), dtype=np.int64),
        "reserved_cpus": np.zeros(len(gpus), dtype=np.int64),
        "reserved_memory": np.zeros(len(gpus), dtype=np.int64),
    }


def _full_mask(gpus: int) -> int:
    """The lowest ``gpus`` bits as an int64; in counting mode, where no mask is kept, a pool may be wider."""
    return -1 if gpus >= 64 else (1 << gpus) - 1


@compiled_entry
def _fill_index(pools: Any, sets: int, at_least: Any) -> None:
    for number in range(len(pools)):
        pool = pools[number]
        base = pool.set_base + (pool.node_gpus - 1) * pool.set_stride
        for node in range(pool.nodes):
            add_member(sets, base, pool.nodes, node)
        for count in range(1, pool.node_gpus + 1):
            at_least[pool.count_base + count] = pool.nodes


@compiled_entry
def _fill_keys(keys: Any, order: int, priority: Any, run_ms: Any, limit_ms: Any) -> None:
    for row in range(len(keys)):
        keys[row] = order_key(order, priority[row], run_ms[row], limit_ms[row])


@compiled_entry
def _load_jobs(
    records: Any, set_aside: Any, rank_of_row: Any, ranks: Any, pools: Any, accepted: Any, record: Any,
    submit_ms: Any, eligible_ms: Any, run_ms: Any, limit_ms: Any, gpus: Any, nodes: Any, gpus_per_node: Any,
    cpus: Any, memory_mb: Any, models: Any, moves_as: Any, recorded_state: Any,
) -> int:  # fmt: skip
    """Fill the job records in queue order and judge who never fits; the most parts that all can take.

    One long loop over many columns: a million jobs must not cost a tenth of a second.
    """
    world = record[0]
    most_parts = 1
    for rank in range(len(ranks)):
        row = ranks[rank]
        rank_of_row[row] = rank
        job = records[rank]
        job.row = row
        job.gpus, job.cpus, job.memory_mb = gpus[row], cpus[row], memory_mb[row]
        job.nodes, job.gpus_per_node = given_shape(gpus[row], nodes[row], gpus_per_node[row])
        job.models = models[row] if models[row] >= 0 else len(accepted) - 1
        job.moves_as, job.recorded_state = moves_as[row], recorded_state[row]
        job.run_ms, job.limit_ms = run_ms[row], limit_ms[row]
        job.submit_ms, job.eligible_ms = submit_ms[row], max(submit_ms[row], eligible_ms[row])
        job.reason, job.reason_since_ms = WAITS_NOT_ELIGIBLE, submit_ms[row]
        job.pool, job.parts, job.state, job.first_part = NOBODY, 0, 0, 0
        job.start_ms, job.end_ms, job.estimated_end_ms = -1, -1, -1
        verdict, parts = NEVER_UNKNOWN_GPU_MODEL, 1
        could_run = False
        for number in range(len(pools)):
            if not accepted[job.models, number]:
                continue
            pool = pools[number]
            asked_cpus = asked(job.cpus, pool.node_cpus)
            asked_memory = asked(job.memory_mb, pool.node_memory_mb)
            if asked_cpus > 0 or asked_memory > 0:
                pool.tracks = 1
            failed = never_fits(
                job.gpus, job.nodes, job.gpus_per_node, asked_cpus, asked_memory,
                world.placement, world.shape, pool.nodes, pool.node_gpus, pool.node_cpus, pool.node_memory_mb,
            )  # fmt: skip
            if failed == 0:
                could_run = True
                if world.placement != PLACE_COUNT:
                    if world.shape != 0 and job.nodes == 0:
                        parts = max(parts, min(job.gpus, pool.nodes))
                    else:
                        count, _, rest = gang_parts(job.gpus, job.nodes, job.gpus_per_node, pool.node_gpus)
                        parts = max(parts, count + (1 if rest > 0 else 0))
            verdict = max(verdict, failed)
        if could_run:
            most_parts += parts
        else:
            set_aside[row] = verdict
    return most_parts
