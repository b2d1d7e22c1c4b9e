"""The seam of the compiled engine: ``advance`` replays instant by instant and can stop after any of them."""

from __future__ import annotations

from typing import Any

from twin.engine.agenda import NEVER, first_time, take_first
from twin.engine.bitset import add_member
from twin.engine.jit import compiled, compiled_entry, inlined, integers
from twin.engine.run import finish
from twin.engine.state import FINISHES, NOBODY, REASONS, agenda_at, job_at
from twin.engine.walk import run_pass
from twin.sched.rules import PASS_EVENT
from twin.sched.verdicts import WAITS_BEHIND


@compiled_entry
def advance(record: Any, max_events: int, until_ms: int) -> bool:
    """Apply whole instants up to ``until_ms`` until ``max_events`` events are done; False at the end.

    ``record`` is that of a ``World`` whose arrays are alive. Events of one instant in the order of rule 4:
    finishes, jobs becoming eligible, submits.
    """
    world = record[0]
    stop_at = world.events + max_events
    now = _next_instant(world)
    while now != NEVER:
        if now > world.now_ms:
            if now > until_ms or world.events >= stop_at:
                return True
            world.now_ms = now
        world.events += 1
        if first_time(agenda_at(world, FINISHES)) == now:
            row = take_first(agenda_at(world, FINISHES))
            finish(world, integers(world.rank_of_row_at)[row])
        else:
            joining = _take_arrival(world)
            if joining != NOBODY:
                _join_queue(world, joining)
        upcoming = _next_instant(world)
        if world.pass_mode == PASS_EVENT or upcoming > now:
            run_pass(world)
            upcoming = _next_instant(world)  # what started may end before all else
        now = upcoming
    return False


@compiled
def _next_instant(world: Any) -> int:
    instant = min(first_time(agenda_at(world, FINISHES)), _next_eligible_ms(world))
    if world.next_submit < world.submit_count:
        instant = min(instant, job_at(world, integers(world.submits_at)[world.next_submit]).submit_ms)
    return instant


@compiled
def _next_eligible_ms(world: Any) -> int:
    if world.next_eligible < world.eligible_count:
        return int(job_at(world, integers(world.eligibles_at)[world.next_eligible]).eligible_ms)
    return NEVER


@inlined
def _take_arrival(world: Any) -> int:
    """The next job to become eligible, or else to be submitted, now; NOBODY if it does not queue yet."""
    if _next_eligible_ms(world) == world.now_ms:
        world.next_eligible += 1
        world.not_yet_eligible -= 1
        return int(integers(world.eligibles_at)[world.next_eligible - 1])
    rank: int = integers(world.submits_at)[world.next_submit]
    world.next_submit += 1
    if job_at(world, rank).eligible_ms > world.now_ms:
        world.not_yet_eligible += 1
        return NOBODY
    return rank


@inlined
def _join_queue(world: Any, rank: int) -> None:
    job, now = job_at(world, rank), world.now_ms
    add_member(world.queue_at, 0, world.job_count, rank)
    world.queued += 1
    world.lowest_newcomer = min(world.lowest_newcomer, rank)
    # not yet eligible until now
    integers(world.wait_ms_at)[job.row * REASONS + job.reason] += now - job.submit_ms
    job.reason, job.reason_since_ms = WAITS_BEHIND, now
