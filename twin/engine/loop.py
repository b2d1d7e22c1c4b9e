"""The seam of the compiled engine: ``advance`` replays instant by instant and can stop after any of them."""

from __future__ import annotations

from typing import Any

from twin.engine.agenda import NEVER, first_time, take_first
from twin.engine.bitset import add_member
from twin.engine.jit import compiled, compiled_entry, inlined
from twin.engine.run import finish
from twin.engine.state import NOBODY, World
from twin.engine.walk import run_pass
from twin.sched.rules import PASS_EVENT
from twin.sched.verdicts import WAITS_BEHIND


@compiled_entry
def advance(world: World, max_events: int, until_ms: int) -> bool:
    """Apply whole instants up to ``until_ms`` until ``max_events`` events are done; False at the end.

    Events of one instant in the order of rule 4: finishes, jobs becoming eligible, submits. In one
    function, because each pass of the compiler over it costs seconds.
    """
    clock, jobs = world.clock[0], world.jobs
    stop_at = clock.events + max_events
    now = _next_instant(world)
    while now != NEVER:
        if now > clock.now_ms:
            if now > until_ms or clock.events >= stop_at:
                return True
            clock.now_ms = now
        clock.events += 1
        if first_time(world.finishes) == now:
            finish(world, world.rank_of_row[take_first(world.finishes)])
        else:
            joining = NOBODY
            if _next_eligible(world) == now:
                joining = world.eligibles[clock.next_eligible]
                clock.next_eligible += 1
                clock.not_yet_eligible -= 1
            else:
                submitted = world.submits[clock.next_submit]
                clock.next_submit += 1
                if jobs[submitted].eligible_ms > now:
                    clock.not_yet_eligible += 1
                else:
                    joining = submitted
            if joining != NOBODY:
                _join_queue(world, joining)
        upcoming = _next_instant(world)
        if clock.pass_mode == PASS_EVENT or upcoming > now:
            run_pass(world)
            upcoming = _next_instant(world)  # what started may end before all else
        now = upcoming
    return False


@compiled
def _next_instant(world: Any) -> int:
    clock = world.clock[0]
    instant = min(first_time(world.finishes), _next_eligible(world))
    if clock.next_submit < len(world.submits):
        instant = min(instant, world.jobs[world.submits[clock.next_submit]].submit_ms)
    return instant


@compiled
def _next_eligible(world: Any) -> int:
    clock = world.clock[0]
    if clock.next_eligible < len(world.eligibles):
        eligible_ms: int = world.jobs[world.eligibles[clock.next_eligible]].eligible_ms
        return eligible_ms
    return NEVER


@inlined
def _join_queue(world: Any, rank: int) -> None:
    clock, job = world.clock[0], world.jobs[rank]
    now = clock.now_ms
    add_member(world.queue, 0, len(world.jobs), rank)
    clock.queued += 1
    clock.lowest_newcomer = min(clock.lowest_newcomer, rank)
    world.wait_ms[job.row, job.reason] += now - job.submit_ms  # not yet eligible until now
    job.reason, job.reason_since_ms = WAITS_BEHIND, now
