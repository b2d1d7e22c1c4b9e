"""The scheduling pass: walk the queue in order, start what fits, say why the rest waits (rules 5, 7, 9, 10).

Most passes need not repeat the whole walk. A pass is *settled* if, once it had met a job that does not fit,
it started none: repeated at once it would do the same, because everything before that job has left the
queue and the reservation is a function of what is free. It stays so while only time moves: a job refused
because it does not fit is refused again, one refused because it outlasts the shadow outlasts it by more
(overdue jobs, whose estimate moves with the clock, unsettle it). So with no finish since, jobs that joined
the queue behind the last examined one leave all earlier answers as they are, and the walk is resumed behind
it with the examinations that were left; if none were, nothing is done. A job that joined further ahead, a
finish, or a start behind the head asks for the whole walk.
"""

from __future__ import annotations

from typing import Any

from twin.engine.agenda import NEVER, first_time
from twin.engine.bitset import next_member, remove_member
from twin.engine.jit import compiled, inlined
from twin.engine.nodes import fits, place
from twin.engine.reservation import forget_reservation, reserve
from twin.engine.run import settle_idle, start, write_reason
from twin.engine.state import FREE, NOBODY, OPEN
from twin.sched.rules import EASY, ends_by_shadow, estimate_ms, run_length_ms
from twin.sched.verdicts import NOBODY_ASKS, idle_account, wait_reason


@inlined
def run_pass(world: Any) -> None:
    clock = world.clock[0]
    clock.passes += 1
    if clock.head != NOBODY and (clock.has_overdue or first_time(world.releases) <= clock.now_ms):
        forget_reservation(world)
        clock.settled = 0
    if clock.settled and not clock.released and clock.lowest_newcomer > clock.last_examined:
        first = clock.last_examined + 1
    else:
        first = 0
        _begin(world)
    clock.released, clock.lowest_newcomer = 0, NEVER
    if clock.queued > 0:
        _walk(world, first)
    _account_idle(world)


@inlined
def _begin(world: Any) -> None:
    clock = world.clock[0]
    clock.settled, clock.blocked = 1, 0
    clock.remaining, clock.last_examined = clock.depth, NOBODY
    for number in range(len(world.pools)):
        pool = world.pools[number]
        pool.smallest_ask, pool.smallest_held = NOBODY_ASKS, NOBODY_ASKS


@inlined
def _walk(world: Any, first: int) -> None:
    clock, ranks = world.clock[0], len(world.jobs)
    rank = next_member(world.queue, 0, ranks, first)
    while rank >= 0 and (clock.blocked == 0 or clock.remaining > 0):
        clock.remaining -= clock.blocked
        clock.last_examined = rank
        clock.examined += 1
        if _try_to_start(world, rank):
            remove_member(world.queue, 0, ranks, rank)
            clock.queued -= 1
            if clock.blocked:
                clock.settled = 0
        else:
            if clock.backfill == EASY and (clock.blocked == 0 or clock.head == NOBODY):
                reserve(world, rank)
            clock.blocked = 1
        rank = next_member(world.queue, 0, ranks, rank + 1)


@inlined
def _try_to_start(world: Any, rank: int) -> bool:
    """Examine one job: start it on the first pool that takes it, or write why it waits."""
    clock, job = world.clock[0], world.jobs[rank]
    behind_reservation = clock.blocked != 0 and clock.head != NOBODY
    held, enough, enough_elsewhere = False, False, False
    for pool in range(len(world.pools)):
        if job.gpus > world.nodes.total[FREE, pool]:
            continue
        if not world.accepts[job.models, pool]:
            enough_elsewhere = True
            continue
        enough = True
        view = FREE
        if behind_reservation:
            if not fits(world, job, pool, FREE):
                continue
            length = run_length_ms(job.moves_as, job.run_ms, job.limit_ms, world.pools[pool].speed_ppm)
            if not ends_by_shadow(clock.now_ms, estimate_ms(length, job.limit_ms), clock.shadow_ms):
                view = OPEN
        count = place(world, job, pool, view)
        if count > 0:
            start(world, rank, pool, count)
            return True
        if view == OPEN:
            held = True
            world.pools[pool].held_candidate = clock.examined
    write_reason(world, rank, wait_reason(held, enough, enough_elsewhere))
    _count_waiting(world, job, held)
    return False


@inlined
def _count_waiting(world: Any, job: Any, held: bool) -> None:
    """Let an examined waiting job count for the accounts of the pools that it accepts."""
    clock = world.clock[0]
    for number in range(len(world.pools)):
        if world.accepts[job.models, number]:
            pool = world.pools[number]
            pool.smallest_ask = min(pool.smallest_ask, job.gpus)
            if held and pool.held_candidate == clock.examined:
                pool.smallest_held = min(pool.smallest_held, job.gpus)


@inlined
def _account_idle(world: Any) -> None:
    clock = world.clock[0]
    for number in range(len(world.pools)):
        pool = world.pools[number]
        account = idle_account(
            clock.queued,
            clock.not_yet_eligible,
            pool.smallest_ask,
            pool.smallest_held,
            world.nodes.total[FREE, number],
        )
        if account != pool.account:
            settle_idle(world, number)
            pool.account = account
