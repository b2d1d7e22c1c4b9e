"""Starting and ending a job: its GPUs, its wait by reason, and the accounts it moves GPU time between."""

from __future__ import annotations

from typing import Any

from twin.engine.agenda import insert, remove
from twin.engine.jit import compiled, inlined, integers
from twin.engine.nodes import change_free, free_total
from twin.engine.reservation import part_demand, refresh_open, unreserve
from twin.engine.state import (
    ACCOUNTS,
    FINISHES,
    FREE,
    NOBODY,
    REASONS,
    RELEASES,
    SHADOW,
    agenda_at,
    allocated_parts,
    job_at,
    picked_parts,
    pool_at,
)
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
    pool = pool_at(world, pool_number)
    now = min(world.now_ms, world.horizon_ms)
    if now > pool.account_since_ms:
        idle_gpu_ms = free_total(world, FREE, pool_number) * (now - pool.account_since_ms)
        integers(world.ledger_at)[pool_number * ACCOUNTS + pool.account] += idle_gpu_ms
        pool.account_since_ms = now


@compiled
def write_reason(world: Any, rank: int, reason: int) -> None:
    """Book the wait since the reason last changed; nothing is written where it stays (rule 9)."""
    job = job_at(world, rank)
    if job.reason != reason:
        integers(world.wait_ms_at)[job.row * REASONS + job.reason] += world.now_ms - job.reason_since_ms
        job.reason = reason
        job.reason_since_ms = world.now_ms


@compiled
def take_lowest_gpus(world: Any, node: int, count: int) -> int:
    """Take the free GPUs of lowest index from a node; their mask."""
    free: int = integers(world.gpu_mask_at)[node]
    left = free
    for _ in range(count):
        left &= left - 1
    integers(world.gpu_mask_at)[node] = left
    return free & ~left


@inlined
def start(world: Any, rank: int, pool_number: int, count: int) -> None:
    """Start a job on the ``count`` parts last picked."""
    job, now = job_at(world, rank), world.now_ms
    length = run_length_ms(job.moves_as, job.run_ms, job.limit_ms, pool_at(world, pool_number).speed_ppm)
    is_cut = cut_by_limit(length, job.limit_ms, world.enforce_limits != 0)
    job.pool = pool_number
    job.state = end_state(job.recorded_state, times_out(job.moves_as, is_cut))
    job.start_ms = now
    job.end_ms = now + (job.limit_ms if is_cut else length)
    job.estimated_end_ms = now + estimate_ms(length, job.limit_ms)
    integers(world.wait_ms_at)[job.row * REASONS + job.reason] += now - job.reason_since_ms
    if world.blocked == 0 and world.reserved_parts > 0:
        unreserve(world)  # a job ahead of the head may take what the last pass reserved
    settle_idle(world, pool_number)
    job.first_part, job.parts = world.parts_used, count
    world.parts_used += count
    world.nodes_touched += count
    for number in range(count):
        pick = picked_parts(world)[number]
        part = allocated_parts(world)[job.first_part + number]
        part.node, part.gpus, part.mask = pick.node, pick.gpus, 0
        if world.placement != PLACE_COUNT:
            part.mask = take_lowest_gpus(world, pick.node, pick.gpus)
        _change_node(world, job, pick.node, pick.gpus, -1)
    insert(agenda_at(world, FINISHES), job.end_ms, job.row)
    if world.backfill == EASY:
        insert(agenda_at(world, RELEASES), job.estimated_end_ms, rank)
        if world.head != NOBODY and job.estimated_end_ms > world.shadow_ms:
            world.choose_again = 1


@inlined
def finish(world: Any, rank: int) -> None:
    """End a running job now: free its GPUs and book them as productive."""
    job = job_at(world, rank)
    settle_idle(world, job.pool)
    for number in range(job.first_part, job.first_part + job.parts):
        part = allocated_parts(world)[number]
        integers(world.gpu_mask_at)[part.node] |= part.mask
        _change_node(world, job, part.node, part.gpus, 1)
    if world.backfill == EASY:
        remove(agenda_at(world, RELEASES), job.estimated_end_ms, rank)
        if world.head != NOBODY and job.estimated_end_ms >= world.shadow_ms:
            world.may_come_earlier = 1
            if job.estimated_end_ms > world.shadow_ms:
                world.choose_again = 1
    held_ms = min(world.now_ms, world.horizon_ms) - min(job.start_ms, world.horizon_ms)
    account = job.state - 1  # the first four accounts are the end states from COMPLETED on
    integers(world.ledger_at)[job.pool * ACCOUNTS + account] += job.gpus * held_ms
    world.finished += 1
    world.released = 1


@compiled
def _change_node(world: Any, job: Any, node: int, gpus: int, sign: int) -> None:
    """Take (-1) or give back (+1) a part in every view that it concerns."""
    cpus, memory = part_demand(world, job, job.pool, gpus)
    change_free(world, job.pool, FREE, node, sign * gpus, sign * cpus, sign * memory)
    if world.backfill == EASY:
        if world.head != NOBODY and job.estimated_end_ms > world.shadow_ms:
            change_free(world, job.pool, SHADOW, node, sign * gpus, sign * cpus, sign * memory)
        refresh_open(world, job.pool, node)
