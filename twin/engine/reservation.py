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

from twin.engine.agenda import NEVER, earliest, first_time, seek, step_earlier, step_later
from twin.engine.jit import compiled, inlined
from twin.engine.nodes import change_free, copy_view, fits, place, set_free_gpus
from twin.engine.state import FREE, NOBODY, OPEN, SHADOW
from twin.sched.rules import asked, expected_release_ms, open_to_long_jobs, part_need


@compiled
def refresh_open(world: Any, pool_number: int, node: int) -> None:
    """Make OPEN true again for a node after FREE, SHADOW or what is reserved changed."""
    nodes = world.nodes
    gpus = nodes.gpus[FREE, node]
    cpus, memory = nodes.cpus[FREE, node], nodes.memory[FREE, node]
    if nodes.reserved_gpus[node] > 0:
        gpus = open_to_long_jobs(gpus, nodes.gpus[SHADOW, node], nodes.reserved_gpus[node])
        cpus = open_to_long_jobs(cpus, nodes.cpus[SHADOW, node], nodes.reserved_cpus[node])
        memory = open_to_long_jobs(memory, nodes.memory[SHADOW, node], nodes.reserved_memory[node])
    set_free_gpus(world, pool_number, OPEN, node, gpus)
    nodes.cpus[OPEN, node], nodes.memory[OPEN, node] = cpus, memory


@compiled
def part_demand(world: Any, job: Any, pool_number: int, gpus: int) -> tuple[int, int]:
    """CPUs and MB that a part of ``gpus`` GPUs holds; zeros where the pool does not track them."""
    pool = world.pools[pool_number]
    if pool.tracks == 0:
        return 0, 0
    cpus, memory = asked(job.cpus, pool.node_cpus), asked(job.memory_mb, pool.node_memory_mb)
    return part_need(cpus, gpus, job.gpus), part_need(memory, gpus, job.gpus)


@compiled
def shift_shadow(world: Any, rank: int, sign: int) -> None:
    """Give a running job's resources to SHADOW (+1) or take them from it (-1)."""
    job, parts = world.jobs[rank], world.parts
    for part in range(job.first_part, job.first_part + job.parts):
        gpus = parts.gpus[part]
        cpus, memory = part_demand(world, job, job.pool, gpus)
        change_free(world, job.pool, SHADOW, parts.node[part], sign * gpus, sign * cpus, sign * memory)


@compiled
def unreserve(world: Any) -> None:
    """Give the reserved nodes back to OPEN; head and shadow stay known."""
    clock, nodes = world.clock[0], world.nodes
    for part in range(clock.reserved_parts):
        node = world.reserved_node[part]
        nodes.reserved_gpus[node] = 0
        nodes.reserved_cpus[node] = 0
        nodes.reserved_memory[node] = 0
        refresh_open(world, clock.reserved_pool, node)
    clock.reserved_parts = 0
    clock.choose_again = 1


@compiled
def forget_reservation(world: Any) -> None:
    clock = world.clock[0]
    unreserve(world)
    clock.head = NOBODY


@inlined
def reserve(world: Any, rank: int) -> None:
    """Make the reservation for this head, from what is still true of the last one where it was his."""
    clock = world.clock[0]
    if clock.head == rank:
        if clock.may_come_earlier:
            _bring_forward(world, rank)
        if clock.choose_again == 0 or _choose(world, rank):
            return
    forget_reservation(world)
    if _find_shadow(world, rank):
        clock.head = rank
        clock.may_come_earlier = 0
        _choose(world, rank)


@compiled
def _fits_somewhere(world: Any, rank: int) -> bool:
    job = world.jobs[rank]
    for pool in range(len(world.pools)):
        if world.accepts[job.models, pool] and fits(world, job, pool, SHADOW):
            return True
    return False


@inlined
def _choose(world: Any, rank: int) -> bool:
    """The head's own placement at the shadow, pools in file order, becomes what is reserved."""
    clock, nodes, job = world.clock[0], world.nodes, world.jobs[rank]
    unreserve(world)
    for pool in range(len(world.pools)):
        if not world.accepts[job.models, pool]:
            continue
        count = place(world, job, pool, SHADOW)
        for part in range(count):
            node, gpus = world.picked_node[part], world.picked_gpus[part]
            cpus, memory = part_demand(world, job, pool, gpus)
            world.reserved_node[part] = node
            nodes.reserved_gpus[node] = gpus
            nodes.reserved_cpus[node] = cpus
            nodes.reserved_memory[node] = memory
            refresh_open(world, pool, node)
        if count > 0:
            clock.reserved_pool, clock.reserved_parts, clock.choose_again = pool, count, 0
            clock.nodes_touched += count
            return True
    return False


@inlined
def _find_shadow(world: Any, rank: int) -> bool:
    """Replay the releases, a whole instant at a time, until the head fits; False if it never does."""
    clock, releases = world.clock[0], world.releases
    now = clock.now_ms
    clock.has_overdue = 1 if first_time(releases) <= now else 0
    copy_view(world, FREE, SHADOW)
    at, index = earliest(releases)
    while at >= 0:
        instant = expected_release_ms(releases.time[releases.order[at], index], now)
        while at >= 0 and expected_release_ms(releases.time[releases.order[at], index], now) == instant:
            shift_shadow(world, releases.tie[releases.order[at], index], 1)
            at, index = step_later(releases, at, index)
        if _fits_somewhere(world, rank):
            clock.shadow_ms = instant
            return True
    return False


@inlined
def _bring_forward(world: Any, rank: int) -> None:
    """Move the shadow to earlier releases as long as the head fits without those of the shadow itself."""
    clock, releases = world.clock[0], world.releases
    clock.may_come_earlier = 0
    while True:
        shadow = clock.shadow_ms
        at, index = _shift_instant(world, shadow, -1)
        if at == releases.used[0] or not _fits_somewhere(world, rank):
            _shift_instant(world, shadow, 1)
            return
        clock.shadow_ms = releases.time[releases.order[at], index]
        clock.choose_again = 1


@compiled
def _shift_instant(world: Any, instant: int, sign: int) -> tuple[int, int]:
    """Apply or undo the releases estimated at an instant; the position of the next earlier one."""
    releases = world.releases
    at, index = seek(releases, instant, NEVER)
    while at < releases.used[0] and releases.time[releases.order[at], index] == instant:
        shift_shadow(world, releases.tie[releases.order[at], index], sign)
        at, index = step_earlier(releases, at, index)
    return at, index
