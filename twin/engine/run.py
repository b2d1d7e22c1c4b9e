"""Starting and ending a job: its GPUs, its wait by reason, and the accounts it moves GPU time between."""

from __future__ import annotations

from typing import Any

from twin.engine.agenda import insert, remove
from twin.engine.jit import compiled, inlined
from twin.engine.nodes import change_free
from twin.engine.reservation import part_demand, refresh_open, unreserve
from twin.engine.state import FREE, NOBODY, SHADOW
from twin.sched.rules import (
    EASY,
    PLACE_COUNT,
    cut_by_limit,
    end_state,
    estimate_ms,
    run_length_ms,
    times_out,
)


@compiled
def settle_idle(world: Any, pool_number: int) -> None:
    """Book a pool's idle GPUs up to now, in the account that the latest pass gave them (rule 10)."""
    clock, pool = world.clock[0], world.pools[pool_number]
    now = min(clock.now_ms, clock.horizon_ms)
    if now > pool.account_since_ms:
        idle_ms = now - pool.account_since_ms
        world.ledger[pool_number, pool.account] += world.nodes.total[FREE, pool_number] * idle_ms
        pool.account_since_ms = now


@inlined
def write_reason(world: Any, rank: int, reason: int) -> None:
    """Book the wait since the reason last changed; nothing is written where it stays (rule 9)."""
    job = world.jobs[rank]
    if job.reason != reason:
        now = world.clock[0].now_ms
        world.wait_ms[job.row, job.reason] += now - job.reason_since_ms
        job.reason = reason
        job.reason_since_ms = now


@inlined
def take_lowest_gpus(world: Any, node: int, count: int) -> int:
    """Take the free GPUs of lowest index from a node; their mask."""
    free: int = world.nodes.mask[node]
    left = free
    for _ in range(count):
        left &= left - 1
    world.nodes.mask[node] = left
    return free & ~left


@inlined
def start(world: Any, rank: int, pool_number: int, count: int) -> None:
    """Start a job on the ``count`` parts last picked."""
    clock, job, pool, parts = world.clock[0], world.jobs[rank], world.pools[pool_number], world.parts
    now = clock.now_ms
    length = run_length_ms(job.moves_as, job.run_ms, job.limit_ms, pool.speed_ppm)
    is_cut = cut_by_limit(length, job.limit_ms, clock.enforce_limits != 0)
    job.pool = pool_number
    job.state = end_state(job.recorded_state, times_out(job.moves_as, is_cut))
    job.start_ms = now
    job.end_ms = now + (job.limit_ms if is_cut else length)
    job.estimated_end_ms = now + estimate_ms(length, job.limit_ms)
    world.wait_ms[job.row, job.reason] += now - job.reason_since_ms
    if clock.backfill == EASY and clock.blocked == 0 and clock.reserved_parts > 0:
        unreserve(world)  # a job ahead of the head may take what the last pass reserved
    settle_idle(world, pool_number)
    job.first_part, job.parts = clock.parts_used, count
    clock.parts_used += count
    clock.nodes_touched += count
    for part in range(count):
        node, gpus = world.picked_node[part], world.picked_gpus[part]
        parts.node[job.first_part + part], parts.gpus[job.first_part + part] = node, gpus
        if clock.placement != PLACE_COUNT:
            parts.mask[job.first_part + part] = take_lowest_gpus(world, node, gpus)
        _change_node(world, rank, node, gpus, -1)
    insert(world.finishes, job.end_ms, job.row)
    if clock.backfill == EASY:
        insert(world.releases, job.estimated_end_ms, rank)
        if clock.head != NOBODY and job.estimated_end_ms > clock.shadow_ms:
            clock.choose_again = 1


@inlined
def finish(world: Any, rank: int) -> None:
    """End a running job now: free its GPUs and book them as productive."""
    clock, job, nodes, parts = world.clock[0], world.jobs[rank], world.nodes, world.parts
    settle_idle(world, job.pool)
    for part in range(job.first_part, job.first_part + job.parts):
        node = parts.node[part]
        if clock.placement != PLACE_COUNT:
            nodes.mask[node] |= parts.mask[part]
        _change_node(world, rank, node, parts.gpus[part], 1)
    if clock.backfill == EASY:
        remove(world.releases, job.estimated_end_ms, rank)
        if clock.head != NOBODY and job.estimated_end_ms >= clock.shadow_ms:
            clock.may_come_earlier = 1
            if job.estimated_end_ms > clock.shadow_ms:
                clock.choose_again = 1
    held_ms = min(clock.now_ms, clock.horizon_ms) - min(job.start_ms, clock.horizon_ms)
    world.ledger[job.pool, job.state - 1] += job.gpus * held_ms  # accounts 0..3 are end states 1..4
    clock.finished += 1
    clock.released = 1


@compiled
def _change_node(world: Any, rank: int, node: int, gpus: int, sign: int) -> None:
    """Take (-1) or give back (+1) a part in every view that it concerns."""
    clock, job = world.clock[0], world.jobs[rank]
    cpus, memory = part_demand(world, job, job.pool, gpus)
    change_free(world, job.pool, FREE, node, sign * gpus, sign * cpus, sign * memory)
    if clock.backfill != EASY:
        return
    if clock.head != NOBODY and job.estimated_end_ms > clock.shadow_ms:
        change_free(world, job.pool, SHADOW, node, sign * gpus, sign * cpus, sign * memory)
    refresh_open(world, job.pool, node)
