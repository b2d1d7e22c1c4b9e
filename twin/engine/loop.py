"""The seam of the compiled engine: ``advance`` replays instant by instant and can stop after any of them."""

from __future__ import annotations

from typing import Any

from twin.engine.agenda import NEVER, first_tie, first_time, remove
from twin.engine.bitset import add_member
from twin.engine.jit import compiled, compiled_entry
from twin.engine.run import finish
from twin.engine.state import World
from twin.engine.walk import run_pass
from twin.sched.rules import PASS_EVENT
from twin.sched.verdicts import WAITS_BEHIND


@compiled_entry
def advance(world: World, max_events: int, until_ms: int) -> bool:
    """Apply whole instants up to ``until_ms`` until ``max_events`` events are done; False at the end.

    Events of one instant in the order of rule 4: finishes, jobs becoming eligible, submits.
    """
    clock = world.clock[0]
    stop_at = clock.events + max_events
    while clock.events < stop_at:
        now = _next_instant(world)
        if now == NEVER:
            return False
        if now > until_ms:
            return True
        clock.now_ms = now
        _apply_finishes(world)
        _apply_eligibles(world)
        _apply_submits(world)
        if clock.pass_mode != PASS_EVENT:
            run_pass(world)
    return True


@compiled
def _next_instant(world: Any) -> int:
    clock, jobs = world.clock[0], world.jobs
    instant = first_time(world.finishes)
    if clock.next_eligible < len(world.eligibles):
        instant = min(instant, jobs[world.eligibles[clock.next_eligible]].eligible_ms)
    if clock.next_submit < len(world.submits):
        instant = min(instant, jobs[world.submits[clock.next_submit]].submit_ms)
    return instant


@compiled
def _after_event(world: Any) -> None:
    clock = world.clock[0]
    clock.events += 1
    if clock.pass_mode == PASS_EVENT:
        run_pass(world)


@compiled
def _apply_finishes(world: Any) -> None:
    finishes, now = world.finishes, world.clock[0].now_ms
    while first_time(finishes) == now:
        row = first_tie(finishes)
        remove(finishes, now, row)
        finish(world, world.rank_of_row[row])
        _after_event(world)


@compiled
def _apply_eligibles(world: Any) -> None:
    clock, eligibles = world.clock[0], world.eligibles
    while clock.next_eligible < len(eligibles):
        rank = eligibles[clock.next_eligible]
        if world.jobs[rank].eligible_ms != clock.now_ms:
            return
        clock.next_eligible += 1
        clock.not_yet_eligible -= 1
        _join_queue(world, rank)
        _after_event(world)


@compiled
def _apply_submits(world: Any) -> None:
    clock, submits = world.clock[0], world.submits
    while clock.next_submit < len(submits):
        rank = submits[clock.next_submit]
        job = world.jobs[rank]
        if job.submit_ms != clock.now_ms:
            return
        clock.next_submit += 1
        if job.eligible_ms > job.submit_ms:
            clock.not_yet_eligible += 1
        else:
            _join_queue(world, rank)
        _after_event(world)


@compiled
def _join_queue(world: Any, rank: int) -> None:
    clock, job = world.clock[0], world.jobs[rank]
    now = clock.now_ms
    add_member(world.queue, 0, len(world.jobs), rank)
    clock.queued += 1
    clock.lowest_newcomer = min(clock.lowest_newcomer, rank)
    world.wait_ms[job.row, job.reason] += now - job.submit_ms  # not yet eligible until now
    job.reason, job.reason_since_ms = WAITS_BEHIND, now
