"""Nodes by number of free GPUs: changing what is free, and finding where a gang fits (rule 6).

Every function takes the view that it works on: what is free now, what is open to long jobs, or what will
be free at the shadow. A placement is found by walking the index in the placement's order, so its cost is
the number of nodes taken, not the number that exist.
"""

from __future__ import annotations

from typing import Any

from twin.engine.bitset import add_member, next_member, remove_member
from twin.engine.jit import compiled
from twin.sched.rules import (
    PLACE_BEST_FIT,
    PLACE_COUNT,
    PLACE_WORST_FIT,
    SCATTER,
    asked,
    gang_parts,
    node_can_take,
    part_need,
    scatter_share,
)


@compiled
def set_free_gpus(world: Any, pool_number: int, view: int, node: int, free: int) -> None:
    """Set a node's free GPUs in a view and keep the index true."""
    nodes, pool = world.nodes, world.pools[pool_number]
    before = nodes.gpus[view, node]
    if before == free:
        return
    nodes.gpus[view, node] = free
    nodes.total[view, pool_number] += free - before
    if world.clock[0].placement == PLACE_COUNT:
        return
    local, sets = node - pool.first_node, nodes.sets[view]
    if before > 0:
        remove_member(sets, pool.set_base + (before - 1) * pool.set_stride, pool.nodes, local)
    if free > 0:
        add_member(sets, pool.set_base + (free - 1) * pool.set_stride, pool.nodes, local)
    at_least = nodes.at_least[view]
    for count in range(free + 1, before + 1):
        at_least[pool.count_base + count] -= 1
    for count in range(before + 1, free + 1):
        at_least[pool.count_base + count] += 1


@compiled
def change_free(
    world: Any, pool_number: int, view: int, node: int, gpus: int, cpus: int, memory: int
) -> None:
    """Give back (or take, where negative) GPUs, CPUs and memory of a node in a view."""
    nodes = world.nodes
    set_free_gpus(world, pool_number, view, node, nodes.gpus[view, node] + gpus)
    if world.pools[pool_number].tracks:
        nodes.cpus[view, node] += cpus
        nodes.memory[view, node] += memory


@compiled
def copy_view(world: Any, source: int, target: int) -> None:
    nodes = world.nodes
    nodes.gpus[target, :] = nodes.gpus[source, :]
    nodes.cpus[target, :] = nodes.cpus[source, :]
    nodes.memory[target, :] = nodes.memory[source, :]
    nodes.total[target, :] = nodes.total[source, :]
    nodes.at_least[target, :] = nodes.at_least[source, :]
    nodes.sets[target, :] = nodes.sets[source, :]


@compiled
def next_candidate(
    world: Any, pool: Any, view: int, least: int, level: int, local: int, idle_from: int
) -> tuple[int, int]:
    """The node after (level, local) in the placement's order with at least ``least`` free GPUs.

    ``level`` is the node's number of free GPUs; (-1, -1) starts, level -1 ends. Idle nodes below
    ``idle_from`` are passed over: they are already taken by this gang.
    """
    placement, sets = world.clock[0].placement, world.nodes.sets[view]
    at_least, base = world.nodes.at_least[view], pool.count_base
    top = pool.node_gpus
    if placement in (PLACE_BEST_FIT, PLACE_WORST_FIT):
        step = 1 if placement == PLACE_BEST_FIT else -1
        if level < 0:
            level, local = (least if step > 0 else top), -1
        while least <= level <= top:
            if at_least[base + level] > at_least[base + level + 1]:
                start = local + 1
                if level == top:
                    start = max(start, idle_from)
                local = next_member(sets, pool.set_base + (level - 1) * pool.set_stride, pool.nodes, start)
                if local >= 0:
                    return level, local
            level, local = level + step, -1
        return -1, -1
    found_level, found = -1, pool.nodes
    for candidate in range(least, top + 1):
        if at_least[base + candidate] > at_least[base + candidate + 1]:
            start = local + 1
            if candidate == top:
                start = max(start, idle_from)
            member = next_member(sets, pool.set_base + (candidate - 1) * pool.set_stride, pool.nodes, start)
            if 0 <= member < found:
                found_level, found = candidate, member
    return found_level, found


@compiled
def may_fit(world: Any, job: Any, pool_number: int, view: int) -> bool:
    """Whether GPUs alone allow the gang: exact where the pool does not track CPUs and memory."""
    gpus = job.gpus
    if gpus > world.nodes.total[view, pool_number]:
        return False
    clock = world.clock[0]
    if clock.placement == PLACE_COUNT or (clock.shape == SCATTER and job.nodes == 0):
        return True
    pool, at_least = world.pools[pool_number], world.nodes.at_least[view]
    count, each, rest = gang_parts(gpus, job.nodes, job.gpus_per_node, pool.node_gpus)
    if each > pool.node_gpus or at_least[pool.count_base + each] < count:
        return False
    return rest == 0 or at_least[pool.count_base + rest] > count


@compiled
def fits(world: Any, job: Any, pool_number: int, view: int) -> bool:
    if not may_fit(world, job, pool_number, view):
        return False
    return world.pools[pool_number].tracks == 0 or place(world, job, pool_number, view) > 0


@compiled
def place(world: Any, job: Any, pool_number: int, view: int) -> int:
    """Choose the gang's nodes: how many parts were written to picked_node and picked_gpus; 0 = no fit."""
    if not may_fit(world, job, pool_number, view):
        return 0
    clock, pool = world.clock[0], world.pools[pool_number]
    cpus, memory = asked(job.cpus, pool.node_cpus), asked(job.memory_mb, pool.node_memory_mb)
    if clock.placement == PLACE_COUNT:
        nodes, node = world.nodes, pool.first_node
        if not node_can_take(nodes.gpus[view, node], nodes.cpus[view, node], nodes.memory[view, node],
                             job.gpus, cpus, memory):  # fmt: skip
            return 0
        world.picked_node[0], world.picked_gpus[0] = node, job.gpus
        return 1
    if clock.shape == SCATTER and job.nodes == 0:
        return _place_scattered(world, job, pool, view, cpus, memory)
    count, each, rest = gang_parts(job.gpus, job.nodes, job.gpus_per_node, pool.node_gpus)
    last = _place_equal_parts(world, job, pool, view, 0, count, each, 0, cpus, memory)
    if last < 0:
        return 0
    if rest == 0:
        return count
    # The whole parts took the idle nodes of lowest index; the rest goes to one of the others.
    if _place_equal_parts(world, job, pool, view, count, 1, rest, last + 1, cpus, memory) < 0:
        return 0
    return count + 1


@compiled
def _place_equal_parts(
    world: Any, job: Any, pool: Any, view: int, at: int, count: int, each: int, idle_from: int, cpus: int,
    memory: int,
) -> int:  # fmt: skip
    """Pick ``count`` nodes giving ``each`` GPUs; the last one's number in its pool, -1 if too few can."""
    nodes = world.nodes
    need_cpus, need_memory = part_need(cpus, each, job.gpus), part_need(memory, each, job.gpus)
    level, local = -1, -1
    for part in range(at, at + count):
        while True:
            level, local = next_candidate(world, pool, view, each, level, local, idle_from)
            if level < 0:
                return -1
            node = pool.first_node + local
            if pool.tracks == 0 or node_can_take(
                level, nodes.cpus[view, node], nodes.memory[view, node], each, need_cpus, need_memory
            ):
                break
        world.picked_node[part], world.picked_gpus[part] = pool.first_node + local, each
    return local


@compiled
def _place_scattered(world: Any, job: Any, pool: Any, view: int, cpus: int, memory: int) -> int:
    nodes = world.nodes
    level, local, parts, wanted = -1, -1, 0, job.gpus
    while wanted > 0:
        level, local = next_candidate(world, pool, view, 1, level, local, 0)
        if level < 0:
            return 0
        node = pool.first_node + local
        share = scatter_share(
            level, nodes.cpus[view, node], nodes.memory[view, node], wanted, job.gpus, cpus, memory
        )
        if share > 0:
            world.picked_node[parts], world.picked_gpus[parts] = node, share
            parts, wanted = parts + 1, wanted - share
    return parts
