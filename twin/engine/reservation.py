"""EASY's reservation for the head of the queue (rule 7), kept from pass to pass while it must be the same.

The shadow is the first instant at which the head fits once every release up to then has happened. The view
SHADOW holds what is free at that instant, and for every node OPEN = min(FREE, SHADOW - reserved). On nodes
without a reservation SHADOW >= FREE, so OPEN differs from FREE on the reserved nodes only.

Between two passes, for the same head, when no running job is overdue (fitting is monotone: more free GPUs
never hurt, so a gang that does not fit at some instant did not fit at any earlier one):

- a start estimated to end by the shadow takes nothing away at the shadow and gives nothing before it;
- a start that outlasts the shadow takes from SHADOW. The shadow cannot come earlier. A backfilled one left
  the reserved parts alone, so the head still fits then, but the placement may prefer other nodes now:
  choose again. A job ahead of the head may have taken them: choosing fails, and all is found anew;
- a finish of a job estimated to end before the shadow gives nothing new at the shadow; and at any instant
  in between it would give no more than what had been released at its estimate, where the head did not fit;
- a finish of a job estimated at the shadow, or later, may bring the shadow forward (and in the latter case
  adds to SHADOW): step back instant by instant while the head fits.

A running job at or past its estimate is released "in the next ms", which moves with the clock: then
nothing is kept.
"""

from __future__ import annotations

from typing import Any

from twin.engine.agenda import NEVER, earliest, entry_at, first_time, seek, step_earlier, step_later
from twin.engine.jit import compiled, inlined, integers
from twin.engine.nodes import change_free, copy_view, fits, place, set_free_gpus
from twin.engine.state import (
    FREE,
    NOBODY,
    OPEN,
    RELEASES,
    SHADOW,
    accepts,
    agenda_at,
    allocated_parts,
    job_at,
    picked_parts,
    pool_at,
)
from twin.sched.rules import asked, expected_release_ms, open_to_long_jobs, part_need


@compiled
def refresh_open(world: Any, pool: int, node: int) -> None:
    """Make OPEN true again for a node after FREE, SHADOW or what is reserved changed."""
    reserved = integers(world.reserved_gpus_at)[node]
    gpus = integers(world.free_gpus_at)
    free = gpus[FREE * world.node_count + node]
    if reserved > 0:
        free = open_to_long_jobs(free, gpus[SHADOW * world.node_count + node], reserved)
    set_free_gpus(world, pool, OPEN, node, free)
    if pool_at(world, pool).tracks:
        _refresh_open_amount(world, world.free_cpus_at, world.reserved_cpus_at, node, reserved > 0)
        _refresh_open_amount(world, world.free_memory_at, world.reserved_memory_at, node, reserved > 0)


@compiled
def _refresh_open_amount(world: Any, free_at: int, reserved_at: int, node: int, is_reserved: bool) -> None:
    amounts, nodes = integers(free_at), world.node_count
    free = amounts[FREE * nodes + node]
    if is_reserved:
        free = open_to_long_jobs(free, amounts[SHADOW * nodes + node], integers(reserved_at)[node])
    amounts[OPEN * nodes + node] = free


@compiled
def part_demand(world: Any, job: Any, pool_number: int, gpus: int) -> tuple[int, int]:
    """CPUs and MB that a part of ``gpus`` GPUs holds; zeros where the pool does not track them."""
    pool = pool_at(world, pool_number)
    if pool.tracks == 0:
        return 0, 0
    cpus, memory = asked(job.cpus, pool.node_cpus), asked(job.memory_mb, pool.node_memory_mb)
    return part_need(cpus, gpus, job.gpus), part_need(memory, gpus, job.gpus)


@compiled
def shift_shadow(world: Any, rank: int, sign: int) -> None:
    """Give a running job's resources to SHADOW (+1) or take them from it (-1)."""
    job, parts = job_at(world, rank), allocated_parts(world)
    for number in range(job.first_part, job.first_part + job.parts):
        part = parts[number]
        cpus, memory = part_demand(world, job, job.pool, part.gpus)
        change_free(world, job.pool, SHADOW, part.node, sign * part.gpus, sign * cpus, sign * memory)


@compiled
def unreserve(world: Any) -> None:
    """Give the reserved nodes back to OPEN; head and shadow stay known."""
    for part in range(world.reserved_parts):
        node = integers(world.reserved_node_at)[part]
        integers(world.reserved_gpus_at)[node] = 0
        integers(world.reserved_cpus_at)[node] = 0
        integers(world.reserved_memory_at)[node] = 0
        refresh_open(world, world.reserved_pool, node)
    world.reserved_parts = 0
    world.choose_again = 1


@compiled
def forget_reservation(world: Any) -> None:
    unreserve(world)
    world.head = NOBODY


@inlined
def reserve(world: Any, rank: int) -> None:
    """Make the reservation for this head, from what is still true of the last one where it was his."""
    if world.head == rank:
        if world.may_come_earlier:
            _bring_forward(world, rank)
        if world.choose_again == 0 or _choose(world, rank):
            return
    forget_reservation(world)
    if _find_shadow(world, rank):
        world.head = rank
        world.may_come_earlier = 0
        _choose(world, rank)


@compiled
def _fits_somewhere(world: Any, rank: int) -> bool:
    job = job_at(world, rank)
    for pool in range(world.pool_count):
        if accepts(world, job, pool) and fits(world, job, pool, SHADOW):
            return True
    return False


@compiled
def _choose(world: Any, rank: int) -> bool:
    """The head's own placement at the shadow, pools in file order, becomes what is reserved."""
    job, picked = job_at(world, rank), picked_parts(world)
    unreserve(world)
    for pool in range(world.pool_count):
        if not accepts(world, job, pool):
            continue
        count = place(world, job, pool, SHADOW)
        for part in range(count):
            node, gpus = picked[part].node, picked[part].gpus
            cpus, memory = part_demand(world, job, pool, gpus)
            integers(world.reserved_node_at)[part] = node
            integers(world.reserved_gpus_at)[node] = gpus
            integers(world.reserved_cpus_at)[node] = cpus
            integers(world.reserved_memory_at)[node] = memory
            refresh_open(world, pool, node)
        if count > 0:
            world.reserved_pool, world.reserved_parts, world.choose_again = pool, count, 0
            world.nodes_touched += count
            return True
    return False


@inlined
def _find_shadow(world: Any, rank: int) -> bool:
    """Replay the releases, a whole instant at a time, until the head fits; False if it never does."""
    releases, now = agenda_at(world, RELEASES), world.now_ms
    world.has_overdue = 1 if first_time(releases) <= now else 0
    copy_view(world, FREE, SHADOW)
    at, index = earliest(releases)
    while at >= 0:
        instant = expected_release_ms(entry_at(releases, at, index).time, now)
        while at >= 0 and expected_release_ms(entry_at(releases, at, index).time, now) == instant:
            shift_shadow(world, entry_at(releases, at, index).tie, 1)
            at, index = step_later(releases, at, index)
        if _fits_somewhere(world, rank):
            world.shadow_ms = instant
            return True
    return False


@inlined
def _bring_forward(world: Any, rank: int) -> None:
    """Move the shadow to earlier releases as long as the head fits without those of the shadow itself."""
    releases = agenda_at(world, RELEASES)
    world.may_come_earlier = 0
    while True:
        shadow = world.shadow_ms
        at, index = _shift_instant(world, shadow, -1)
        if at == releases.used or not _fits_somewhere(world, rank):
            _shift_instant(world, shadow, 1)
            return
        world.shadow_ms = entry_at(releases, at, index).time
        world.choose_again = 1


@compiled
def _shift_instant(world: Any, instant: int, sign: int) -> tuple[int, int]:
    """Apply or undo the releases estimated at an instant; the position of the next earlier one."""
    releases = agenda_at(world, RELEASES)
    at, index = seek(releases, instant, NEVER)
    while at < releases.used and entry_at(releases, at, index).time == instant:
        shift_shadow(world, entry_at(releases, at, index).tie, sign)
        at, index = step_earlier(releases, at, index)
    return at, index
