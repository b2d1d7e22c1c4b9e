"""Nodes by number of free GPUs: changing what is free, and finding where a gang fits (rule 6).

Every function takes the view that it works on: what is free now, what is open to long jobs, or what will
be free at the shadow. A placement is found by walking the index in the placement's order, so its cost is
the number of nodes taken, not the number that exist.
"""

from __future__ import annotations

from typing import Any

from twin.engine.bitset import add_member, next_member, remove_member
from twin.engine.jit import compiled, integers
from twin.engine.state import picked_parts, pool_at
from twin.sched.rules import (
    PLACE_BEST_FIT,
    PLACE_COUNT,
    PLACE_FIRST_FIT,
    SCATTER,
    asked,
    gang_parts,
    node_can_take,
    part_need,
    scatter_share,
)


@compiled
def free_total(world: Any, view: int, pool: int) -> int:
    return int(integers(world.free_total_at)[view * world.pool_count + pool])


@compiled
def set_free_gpus(world: Any, pool_number: int, view: int, node: int, free: int) -> None:
    """Set a node's free GPUs in a view and keep the index true."""
    gpus, at = integers(world.free_gpus_at), view * world.node_count + node
    before = gpus[at]
    if before == free:
        return
    gpus[at] = free
    integers(world.free_total_at)[view * world.pool_count + pool_number] += free - before
    if world.placement == PLACE_COUNT:
        return
    pool = pool_at(world, pool_number)
    local, base = node - pool.first_node, view * world.word_count + pool.set_base
    if before > 0:
        remove_member(world.sets_at, base + (before - 1) * pool.set_stride, pool.nodes, local)
    if free > 0:
        add_member(world.sets_at, base + (free - 1) * pool.set_stride, pool.nodes, local)
    at_least, counts = integers(world.at_least_at), view * world.count_count + pool.count_base
    for count in range(free + 1, before + 1):
        at_least[counts + count] -= 1
    for count in range(before + 1, free + 1):
        at_least[counts + count] += 1


@compiled
def change_free(world: Any, pool: int, view: int, node: int, gpus: int, cpus: int, memory: int) -> None:
    """Give back (or take, where negative) GPUs, CPUs and MB of a node in a view."""
    at = view * world.node_count + node
    set_free_gpus(world, pool, view, node, integers(world.free_gpus_at)[at] + gpus)
    if cpus != 0 or memory != 0:
        integers(world.free_cpus_at)[at] += cpus
        integers(world.free_memory_at)[at] += memory


@compiled
def _copy_row(address: int, width: int, source: int, target: int) -> None:
    array = integers(address)
    for column in range(width):
        array[target * width + column] = array[source * width + column]


@compiled
def copy_view(world: Any, source: int, target: int) -> None:
    for address in (world.free_gpus_at, world.free_cpus_at, world.free_memory_at):
        _copy_row(address, world.node_count, source, target)
    _copy_row(world.free_total_at, world.pool_count, source, target)
    _copy_row(world.at_least_at, world.count_count, source, target)
    _copy_row(world.sets_at, world.word_count, source, target)


@compiled
def _next_of_level(world: Any, pool: Any, view: int, level: int, local: int, idle_from: int) -> int:
    """The node after ``local`` among those with exactly ``level`` free GPUs, -1 if there is none.

    Idle nodes below ``idle_from`` are passed over: they are already taken by this gang.
    """
    at_least, counts = integers(world.at_least_at), view * world.count_count + pool.count_base
    if at_least[counts + level] == at_least[counts + level + 1]:
        return -1
    base = view * world.word_count + pool.set_base + (level - 1) * pool.set_stride
    start = max(local + 1, idle_from) if level == pool.node_gpus else local + 1
    return next_member(world.sets_at, base, pool.nodes, start)


@compiled
def next_candidate(
    world: Any, pool: Any, view: int, least: int, level: int, local: int, idle_from: int
) -> tuple[int, int]:
    """The node after (level, local) in the placement's order with at least ``least`` free GPUs.

    ``level`` is the node's number of free GPUs; (-1, -1) starts, level -1 ends.
    """
    top = pool.node_gpus
    if world.placement == PLACE_FIRST_FIT:
        found_level, found = -1, pool.nodes
        for candidate in range(least, top + 1):
            member = _next_of_level(world, pool, view, candidate, local, idle_from)
            if 0 <= member < found:
                found_level, found = candidate, member
        return found_level, found
    step = 1 if world.placement == PLACE_BEST_FIT else -1
    if level < 0:
        level, local = (least if step > 0 else top), -1
    while least <= level <= top:
        local = _next_of_level(world, pool, view, level, local, idle_from)
        if local >= 0:
            return level, local
        level += step
    return -1, -1


@compiled
def may_fit(world: Any, job: Any, pool_number: int, view: int) -> bool:
    """Whether GPUs alone allow the gang: exact where the pool does not track CPUs and memory."""
    gpus = job.gpus
    if gpus > free_total(world, view, pool_number):
        return False
    if world.placement == PLACE_COUNT or (world.shape == SCATTER and job.nodes == 0):
        return True
    pool = pool_at(world, pool_number)
    at_least, counts = integers(world.at_least_at), view * world.count_count + pool.count_base
    count, each, rest = gang_parts(gpus, job.nodes, job.gpus_per_node, pool.node_gpus)
    if each > pool.node_gpus or at_least[counts + each] < count:
        return False
    return bool(rest == 0 or at_least[counts + rest] > count)


@compiled
def fits(world: Any, job: Any, pool: int, view: int) -> bool:
    if not may_fit(world, job, pool, view):
        return False
    return pool_at(world, pool).tracks == 0 or place(world, job, pool, view) > 0


@compiled
def place(world: Any, job: Any, pool_number: int, view: int) -> int:
    """Choose the gang's nodes: how many parts were written to ``picked_parts``; 0 = it does not fit."""
    if not may_fit(world, job, pool_number, view):
        return 0
    pool = pool_at(world, pool_number)
    cpus, memory = asked(job.cpus, pool.node_cpus), asked(job.memory_mb, pool.node_memory_mb)
    if world.placement == PLACE_COUNT:
        if not _can_take(world, view, pool.first_node, job.gpus, cpus, memory):
            return 0
        pick = picked_parts(world)[0]
        pick.node, pick.gpus = pool.first_node, job.gpus
        return 1
    if world.shape == SCATTER and job.nodes == 0:
        return _place_scattered(world, job, pool, view, cpus, memory)
    count, each, rest = gang_parts(job.gpus, job.nodes, job.gpus_per_node, pool.node_gpus)
    last = _place_equal_parts(world, job, pool, view, 0, count, each, 0)
    if last < 0:
        return 0
    if rest == 0:
        return count
    # The whole parts took the idle nodes of lowest index; the rest goes to one of the others.
    if _place_equal_parts(world, job, pool, view, count, 1, rest, last + 1) < 0:
        return 0
    return count + 1


@compiled
def _can_take(world: Any, view: int, node: int, gpus: int, cpus: int, memory: int) -> bool:
    at = view * world.node_count + node
    return node_can_take(
        integers(world.free_gpus_at)[at],
        integers(world.free_cpus_at)[at],
        integers(world.free_memory_at)[at],
        gpus,
        cpus,
        memory,
    )


@compiled
def _place_equal_parts(
    world: Any, job: Any, pool: Any, view: int, first: int, count: int, each: int, idle_from: int
) -> int:
    """Pick ``count`` nodes giving ``each`` GPUs; the last one's number in its pool, -1 if too few can."""
    picked = picked_parts(world)
    cpus = part_need(asked(job.cpus, pool.node_cpus), each, job.gpus)
    memory = part_need(asked(job.memory_mb, pool.node_memory_mb), each, job.gpus)
    level, local = -1, -1
    for part in range(first, first + count):
        while True:
            level, local = next_candidate(world, pool, view, each, level, local, idle_from)
            if level < 0:
                return -1
            if pool.tracks == 0 or _can_take(world, view, pool.first_node + local, each, cpus, memory):
                break
        pick = picked[part]
        pick.node, pick.gpus = pool.first_node + local, each
    return local


@compiled
def _place_scattered(world: Any, job: Any, pool: Any, view: int, cpus: int, memory: int) -> int:
    picked = picked_parts(world)
    free_cpus, free_memory = integers(world.free_cpus_at), integers(world.free_memory_at)
    level, local, parts, wanted = -1, -1, 0, job.gpus
    while wanted > 0:
        level, local = next_candidate(world, pool, view, 1, level, local, 0)
        if level < 0:
            return 0
        at = view * world.node_count + pool.first_node + local
        share = scatter_share(level, free_cpus[at], free_memory[at], wanted, job.gpus, cpus, memory)
        if share > 0:
            pick = picked[parts]
            pick.node, pick.gpus = pool.first_node + local, share
            parts, wanted = parts + 1, wanted - share
    return parts
