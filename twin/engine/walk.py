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
from twin.engine.nodes import fits, free_total, place
from twin.engine.reservation import forget_reservation, reserve
from twin.engine.run import settle_idle, start, write_reason
from twin.engine.state import FREE, NOBODY, OPEN, RELEASES, accepts, agenda_at, job_at, pool_at
from twin.sched.rules import EASY, ends_by_shadow, estimate_ms, run_length_ms
from twin.sched.verdicts import NOBODY_ASKS, WAITS_TOO_FEW, idle_account, wait_reason


@inlined
def run_pass(world: Any) -> None:
    world.passes += 1
    if world.head != NOBODY and (world.has_overdue or first_time(agenda_at(world, RELEASES)) <= world.now_ms):
        forget_reservation(world)
        world.settled = 0
    if world.settled and not world.released and world.lowest_newcomer > world.last_examined:
        first = world.last_examined + 1
    else:
        first = 0
        _begin(world)
    world.released, world.lowest_newcomer = 0, NEVER
    if world.queued > 0:
        _find_most_free(world)
        _walk(world, first)
    _account_idle(world)


@inlined
def _begin(world: Any) -> None:
    world.settled, world.blocked = 1, 0
    world.remaining, world.last_examined = world.depth, NOBODY
    for number in range(world.pool_count):
        pool = pool_at(world, number)
        pool.smallest_ask, pool.smallest_held = NOBODY_ASKS, NOBODY_ASKS


@inlined
def _walk(world: Any, first: int) -> None:
    rank = next_member(world.queue_at, 0, world.job_count, first)
    while rank >= 0 and (world.blocked == 0 or world.remaining > 0):
        if world.blocked and job_at(world, rank).gpus > world.most_free:
            rank = _refuse_the_large(world, rank)
            continue
        world.remaining -= world.blocked
        world.last_examined = rank
        world.examined += 1
        if _try_to_start(world, rank):
            remove_member(world.queue_at, 0, world.job_count, rank)
            world.queued -= 1
            _find_most_free(world)
            if world.blocked:
                world.settled = 0
        else:
            if world.backfill == EASY and (world.blocked == 0 or world.head == NOBODY):
                reserve(world, rank)
            world.blocked = 1
        rank = next_member(world.queue_at, 0, world.job_count, rank + 1)


@compiled
def _refuse_the_large(world: Any, rank: int) -> int:
    """Examine jobs from this one on while they ask more than any pool has free; the next job, -1 if none.

    Most examinations of a busy cluster end here, so this loop touches nothing but a job's size and reason.
    """
    most, last, left, smallest = world.most_free, rank, world.remaining, NOBODY_ASKS
    only_pool = world.pool_count == 1  # accepted by every job that is not set aside
    while rank >= 0 and left > 0:
        job = job_at(world, rank)
        if job.gpus <= most:
            break
        if job.reason != WAITS_TOO_FEW:
            write_reason(world, rank, WAITS_TOO_FEW)
        if only_pool:
            smallest = min(smallest, job.gpus)
        else:
            _count_waiting(world, job, False)
        last = rank
        left -= 1
        rank = next_member(world.queue_at, 0, world.job_count, rank + 1)
    pool = pool_at(world, 0)
    pool.smallest_ask = min(pool.smallest_ask, smallest)
    world.examined += world.remaining - left
    world.remaining, world.last_examined = left, last
    return rank


@compiled
def _find_most_free(world: Any) -> None:
    """The free GPUs of the pool that has most: what asks for more is refused at one glance."""
    most = 0
    for pool in range(world.pool_count):
        most = max(most, free_total(world, FREE, pool))
    world.most_free = most


@inlined
def _try_to_start(world: Any, rank: int) -> bool:
    """Examine one job: start it on the first pool that takes it, or write why it waits."""
    job = job_at(world, rank)
    behind_reservation = world.blocked != 0 and world.head != NOBODY
    held, enough, enough_elsewhere = False, False, False
    for pool in range(world.pool_count):
        if job.gpus > free_total(world, FREE, pool):
            continue
        if not accepts(world, job, pool):
            enough_elsewhere = True
            continue
        enough = True
        view = FREE
        if behind_reservation:
            if not fits(world, job, pool, FREE):
                continue
            length = run_length_ms(job.moves_as, job.run_ms, job.limit_ms, pool_at(world, pool).speed_ppm)
            if not ends_by_shadow(world.now_ms, estimate_ms(length, job.limit_ms), world.shadow_ms):
                view = OPEN
        count = place(world, job, pool, view)
        if count > 0:
            start(world, rank, pool, count)
            return True
        if view == OPEN:
            held = True
            pool_at(world, pool).held_candidate = world.examined
    write_reason(world, rank, wait_reason(held, enough, enough_elsewhere))
    _count_waiting(world, job, held)
    return False


@compiled
def _count_waiting(world: Any, job: Any, held: bool) -> None:
    """Let an examined waiting job count for the accounts of the pools that it accepts."""
    for number in range(world.pool_count):
        if accepts(world, job, number):
            pool = pool_at(world, number)
            pool.smallest_ask = min(pool.smallest_ask, job.gpus)
            if held and pool.held_candidate == world.examined:
                pool.smallest_held = min(pool.smallest_held, job.gpus)


@inlined
def _account_idle(world: Any) -> None:
    for number in range(world.pool_count):
        pool = pool_at(world, number)
        account = idle_account(
            world.queued,
            world.not_yet_eligible,
            pool.smallest_ask,
            pool.smallest_held,
            free_total(world, FREE, number),
        )
        if account != pool.account:
            settle_idle(world, number)
            pool.account = account
