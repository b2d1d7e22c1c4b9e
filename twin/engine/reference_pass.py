"""One scheduling pass, as rules 5, 7 and 9 of docs/design/main-job.md say it, recomputed from scratch.

A pass is given the queue and what runs, and answers which jobs start where and why the others it examined
do not. It keeps nothing from one pass to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from twin.engine.reference_placement import (
    Node,
    Nodes,
    Parts,
    Place,
    fit,
    free_gpus,
    free_nodes,
    give_back,
    take,
)
from twin.engine.reference_policy import ReferencePolicy, WaitingJob
from twin.engine.result import WaitReason
from twin.sched import rules
from twin.sched.policy import Backfill


@dataclass(frozen=True, slots=True)
class Running:
    """A job on its GPUs; ``estimated_end_ms`` is what the scheduler believed when it started."""

    job: WaitingJob
    place: Place
    parts: Parts
    start_ms: int
    end_ms: int
    estimated_end_ms: int
    state: int  # EndState that it ends with


@dataclass(frozen=True, slots=True)
class Refused:
    """A job that the pass examined and did not start."""

    job: WaitingJob
    reason: WaitReason
    held_in: frozenset[int]  # numbers of the pools where only the reservation refused it


@dataclass(slots=True)
class Outcome:
    """What a pass did, and the free amounts that it left, pool by pool."""

    free: list[Nodes]
    started: list[Running] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)


@dataclass(slots=True)
class Reservation:
    """The head's promise: from ``shadow_ms`` on, ``reserved`` of what is then free."""

    shadow_ms: int
    at_shadow: list[Nodes]
    reserved: list[Nodes]

    def open_to_long_jobs(self, place: Place, free: Nodes) -> Nodes:
        """What a job that outlasts the shadow may use of a pool; a full node stays as it is."""
        at_shadow, reserved = self.at_shadow[place.number], self.reserved[place.number]
        return [
            Node(*map(rules.open_to_long_jobs, now, then, held)) if now.gpus else now
            for now, then, held in zip(free, at_shadow, reserved, strict=True)
        ]


def scheduling_pass(
    now_ms: int,
    queue: Sequence[WaitingJob],
    running: Sequence[Running],
    pools: Sequence[Place],
    policy: ReferencePolicy,
) -> Outcome:
    """Walk the queue in order; start every job that fits and may start."""
    outcome = Outcome([free_nodes(place, _parts_in(place, running)) for place in pools])
    reservation: Reservation | None = None
    past_the_head = 0
    depth = rules.depth_limit(policy.policy)
    for job in sorted(queue, key=lambda job: (policy.order_key(job), job.submit_ms, job.row)):
        if outcome.refused:
            if past_the_head == depth:
                break
            past_the_head += 1
        found = _find(now_ms, job, pools, outcome.free, reservation, policy)
        if found is not None:
            place, parts = found
            take(outcome.free[place.number], parts)
            if reservation is not None and not _ends_by_shadow(now_ms, job, place, reservation):
                take(reservation.at_shadow[place.number], parts)
            outcome.started.append(_start(now_ms, job, place, parts, policy))
            continue
        outcome.refused.append(_refuse(job, pools, outcome.free, reservation, policy))
        if reservation is None and policy.policy.backfill is Backfill.EASY:
            still_here = [*running, *outcome.started]
            reservation = _reserve(now_ms, job, pools, outcome.free, still_here, policy)
    return outcome


def _find(
    now_ms: int,
    job: WaitingJob,
    pools: Sequence[Place],
    free: Sequence[Nodes],
    reservation: Reservation | None,
    policy: ReferencePolicy,
) -> tuple[Place, Parts] | None:
    """The first pool in file order where the gang fits without delaying the reservation."""
    for place in pools:
        if not job.accepts(place.gpu_model) or free_gpus(free[place.number]) < job.gpus:
            continue
        usable = free[place.number]
        if reservation is not None and not _ends_by_shadow(now_ms, job, place, reservation):
            usable = reservation.open_to_long_jobs(place, usable)
        parts = fit(job, place, usable, policy)
        if parts is not None:
            return place, parts
    return None


def _ends_by_shadow(now_ms: int, job: WaitingJob, place: Place, reservation: Reservation) -> bool:
    return rules.ends_by_shadow(now_ms, _estimate_ms(job, place), reservation.shadow_ms)


def _reserve(
    now_ms: int,
    head: WaitingJob,
    pools: Sequence[Place],
    free: Sequence[Nodes],
    running: Sequence[Running],
    policy: ReferencePolicy,
) -> Reservation | None:
    """Release what runs, a whole instant at a time, until the head's own placement succeeds."""

    def release_ms(other: Running) -> int:
        return rules.expected_release_ms(other.estimated_end_ms, now_ms)

    at_shadow = [list(nodes) for nodes in free]
    for shadow_ms, leaving in groupby(sorted(running, key=release_ms), key=release_ms):
        for other in leaving:
            give_back(at_shadow[other.place.number], other.parts)
        found = _find(now_ms, head, pools, at_shadow, None, policy)
        if found is not None:
            place, parts = found
            reserved = [[Node(0, 0, 0)] * place.nodes for place in pools]
            for node, part in parts.items():
                reserved[place.number][node] = part
            return Reservation(shadow_ms, at_shadow, reserved)
    return None


def _start(now_ms: int, job: WaitingJob, place: Place, parts: Parts, policy: ReferencePolicy) -> Running:
    length_ms = _run_length_ms(job, place)
    is_cut = rules.cut_by_limit(length_ms, job.limit_ms, policy.policy.enforce_limits)
    return Running(
        job=job,
        place=place,
        parts=parts,
        start_ms=now_ms,
        end_ms=now_ms + (job.limit_ms if is_cut else length_ms),
        estimated_end_ms=now_ms + _estimate_ms(job, place),
        state=rules.end_state(job.recorded_state, rules.times_out(job.moves_as, is_cut)),
    )


def _run_length_ms(job: WaitingJob, place: Place) -> int:
    return rules.run_length_ms(job.moves_as, job.run_ms, job.limit_ms, place.speed_ppm)


def _estimate_ms(job: WaitingJob, place: Place) -> int:
    return rules.estimate_ms(_run_length_ms(job, place), job.limit_ms)


def _refuse(
    job: WaitingJob,
    pools: Sequence[Place],
    free: Sequence[Nodes],
    reservation: Reservation | None,
    policy: ReferencePolicy,
) -> Refused:
    """Why the job does not start: judged on the free amounts at its examination (rule 9)."""
    enough = [place for place in pools if free_gpus(free[place.number]) >= job.gpus]
    accepted = [place for place in enough if job.accepts(place.gpu_model)]
    held_in = frozenset(
        place.number
        for place in accepted
        if reservation is not None and fit(job, place, free[place.number], policy) is not None
    )
    if held_in:
        reason = WaitReason.HELD_FOR_ANOTHER
    elif accepted:
        reason = WaitReason.FRAGMENTED
    else:
        reason = WaitReason.WRONG_GPU_MODEL if enough else WaitReason.TOO_FEW_FREE
    return Refused(job, reason, held_in)


def _parts_in(place: Place, running: Sequence[Running]) -> list[Parts]:
    return [other.parts for other in running if other.place is place]
