"""The reference engine: the world of a replay as SimPy processes, one a job.

This is the specification in running form, and the place where a user plugs in a policy written in plain
Python (``twin.engine.reference_policy``). It keeps no index and no state but who waits and who runs; every
pass works out the rest from scratch. The compiled engine must answer the same, job by job, and much sooner.

SimPy orders events by (time, priority, order of scheduling). A ``Moment`` uses the priority to put the
events of one instant in the order that docs/design/main-job.md gives them: finishes, then jobs becoming
eligible, then submits, each by row; and in ``pass: instant`` the scheduler comes after them all.
"""

from __future__ import annotations

from collections.abc import Generator
from enum import IntEnum

import numpy as np
import simpy
from simpy.events import EventPriority

from twin.engine.reference_books import Ledger, WaitBook
from twin.engine.reference_pass import Running, scheduling_pass
from twin.engine.reference_placement import Place, places
from twin.engine.reference_policy import ReferencePolicy, WaitingJob, waiting_jobs
from twin.engine.result import (
    Counters,
    OnProgress,
    Options,
    Progress,
    ReplayCancelled,
    Result,
    SetAside,
    WaitReason,
)
from twin.hardware.cluster import Cluster
from twin.sched import rules, verdicts
from twin.sched.policy import PassMode, Placement, Policy
from twin.workload.jobs import MISSING, EndState, Jobs

STEPS_BETWEEN_PROGRESS = 256
DEFAULT_OPTIONS = Options()


class Kind(IntEnum):
    """Events of one instant apply in this order."""

    FINISH = 0
    ELIGIBLE = 1
    SUBMIT = 2
    PASS = 3


class Moment(simpy.Event):
    """A point in time, in its place among the events of the same instant."""

    def __init__(self, env: simpy.Environment, at_ms: int, kind: Kind, row: int, rows: int) -> None:
        super().__init__(env)
        self._ok = True
        self._value = None
        env.schedule(self, EventPriority(kind * (rows + 1) + row), at_ms - int(env.now))


Process = Generator[simpy.Event, object, None]


class World:
    """Who waits, who runs, and the books; ``history`` is everything that ever started."""

    def __init__(self, jobs: Jobs, cluster: Cluster, policy: ReferencePolicy, horizon_ms: int) -> None:
        self.env = simpy.Environment(initial_time=0)
        self.policy = policy
        self.pools = places(cluster, policy.policy)
        self.rows = len(jobs)
        self.not_yet_eligible: list[WaitingJob] = []
        self.queue: list[WaitingJob] = []
        self.running: dict[int, Running] = {}
        self.history: dict[int, Running] = {}
        self.masks: dict[int, dict[int, int]] = {}
        self.waits = WaitBook(len(jobs))
        self.ledger = Ledger(self.pools, horizon_ms)
        self.events = self.passes = self.examined = self.nodes_taken = 0
        self._pass_due_ms = MISSING

    def moment(self, at_ms: int, kind: Kind, row: int) -> Moment:
        return Moment(self.env, at_ms, kind, row, self.rows)

    def life(self, job: WaitingJob) -> Process:
        """A job from its submission to the end of its run."""
        yield self.moment(job.submit_ms, Kind.SUBMIT, job.row)
        if job.eligible_ms > job.submit_ms:
            self.waits.turn(job.row, WaitReason.NOT_YET_ELIGIBLE, job.submit_ms)
            self.not_yet_eligible.append(job)
            self.happened()
            yield self.moment(job.eligible_ms, Kind.ELIGIBLE, job.row)
            self.not_yet_eligible.remove(job)
        self.waits.turn(job.row, WaitReason.BEHIND_OTHERS, job.eligible_ms)
        self.queue.append(job)
        self.happened()

    def run(self, started: Running) -> Process:
        """A job on its GPUs, to its end."""
        yield self.moment(started.end_ms, Kind.FINISH, started.job.row)
        del self.running[started.job.row]
        self.ledger.book_held(started)
        self.happened()

    def happened(self) -> None:
        """Something happened: the scheduler runs now, or once when this instant has had all its events."""
        now_ms = int(self.env.now)
        self.events += 1
        self.ledger.book_idle_until(now_ms)
        if self.policy.policy.pass_mode is PassMode.EVENT:
            self.schedule(now_ms)
        elif self._pass_due_ms != now_ms:
            self._pass_due_ms = now_ms
            self.env.process(self.pass_of_this_instant(now_ms))

    def pass_of_this_instant(self, now_ms: int) -> Process:
        yield self.moment(now_ms, Kind.PASS, 0)
        self.schedule(now_ms)

    def schedule(self, now_ms: int) -> None:
        """One scheduling pass: start what it starts, and write down why the rest waits."""
        outcome = scheduling_pass(now_ms, self.queue, list(self.running.values()), self.pools, self.policy)
        self.passes += 1
        self.examined += len(outcome.started) + len(outcome.refused)
        for started in outcome.started:
            row = started.job.row
            self.queue.remove(started.job)
            self.waits.turn(row, None, now_ms)
            self.masks[row] = self.free_gpu_masks(started)
            self.running[row] = self.history[row] = started
            self.nodes_taken += len(started.parts)
            self.env.process(self.run(started))
        for refused in outcome.refused:
            self.waits.turn(refused.job.row, refused.reason, now_ms)
        self.ledger.judge_idle(self.pools, outcome, self.queue, self.not_yet_eligible)

    def free_gpu_masks(self, started: Running) -> dict[int, int]:
        """The lowest GPUs that nobody holds, a bit mask a node; none where a pool is one bag of GPUs."""
        if self.policy.policy.placement is Placement.COUNT:
            return {}
        masks: dict[int, int] = {}
        for node, part in sorted(started.parts.items()):
            busy = 0
            for row, other in self.running.items():
                if other.place is started.place:
                    busy |= self.masks[row].get(node, 0)
            free = [gpu for gpu in range(started.place.node.gpus) if not busy >> gpu & 1]
            masks[node] = sum(1 << gpu for gpu in free[: part.gpus])
        return masks


def simulate_reference(
    jobs: Jobs,
    cluster: Cluster,
    policy: Policy | ReferencePolicy,
    options: Options = DEFAULT_OPTIONS,
    on_progress: OnProgress | None = None,
) -> Result:
    """Replay a workload with the reference engine; ``policy`` may be a user's own object.

    Raises ``ReplayCancelled`` when ``on_progress`` returns False.
    """
    decisions = policy if isinstance(policy, ReferencePolicy) else ReferencePolicy(policy)
    last_submit_ms = int(jobs.submit_ms.max()) if len(jobs) else 0
    horizon_ms = last_submit_ms if options.horizon_ms is None else options.horizon_ms
    world = World(jobs, cluster, decisions, horizon_ms)
    rows = waiting_jobs(jobs)
    set_aside = np.array([never_fits(job, world.pools, decisions.policy) for job in rows], dtype=np.int8)
    for job in rows:
        if set_aside[job.row] == SetAside.NO:
            world.env.process(world.life(job))
    _run_to_the_end(world, len(jobs), on_progress)
    world.ledger.book_idle_until(horizon_ms)
    return _result(world, jobs, cluster, decisions.policy, options, horizon_ms, set_aside)


def _run_to_the_end(world: World, total_jobs: int, on_progress: OnProgress | None) -> None:
    steps = 0
    while world.env.peek() != float("inf"):
        world.env.step()
        steps += 1
        if on_progress is not None and steps % STEPS_BETWEEN_PROGRESS == 0:
            finished = len(world.history) - len(world.running)
            if not on_progress(Progress(int(world.env.now), finished, total_jobs)):
                raise ReplayCancelled


def never_fits(job: WaitingJob, pools: list[Place], policy: Policy) -> int:
    """Why a job could run in no pool even when that is empty: the furthest test that it reached (rule 8)."""
    reached = int(SetAside.UNKNOWN_GPU_MODEL)
    for place in pools:
        if not job.accepts(place.gpu_model):
            continue
        failed = verdicts.never_fits(
            job.gpus,
            job.nodes,
            job.gpus_per_node,
            rules.asked(job.cpus, place.node.cpus),
            rules.asked(job.memory_mb, place.node.memory_mb),
            rules.PLACEMENT_CODE[policy.placement],
            rules.SHAPE_CODE[policy.shape],
            place.nodes,
            *place.node,
        )
        if failed == SetAside.NO:
            return SetAside.NO
        reached = max(reached, failed)
    return reached


def _result(
    world: World,
    jobs: Jobs,
    cluster: Cluster,
    policy: Policy,
    options: Options,
    horizon_ms: int,
    set_aside: np.ndarray,
) -> Result:
    n = len(jobs)
    start = np.full(n, MISSING, dtype=np.int64)
    end = np.full(n, MISSING, dtype=np.int64)
    pool = np.full(n, MISSING, dtype=np.int32)
    state = np.full(n, EndState.SET_ASIDE, dtype=np.int8)
    offset = np.zeros(n + 1, dtype=np.int64)
    nodes: list[int] = []
    masks: list[int] = []
    for row in range(n):
        if row in world.history:
            ran = world.history[row]
            start[row], end[row], state[row] = ran.start_ms, ran.end_ms, ran.state
            pool[row] = ran.place.number
            nodes += [ran.place.first_node + node for node in world.masks[row]]
            masks += world.masks[row].values()
        offset[row + 1] = len(nodes)
    wait_by_reason_ms = world.waits.wait_by_reason_ms
    queued_ms = wait_by_reason_ms.sum() - wait_by_reason_ms[:, WaitReason.NOT_YET_ELIGIBLE].sum()
    return Result(
        jobs=jobs,
        cluster=cluster,
        policy=policy,
        options=options,
        horizon_ms=horizon_ms,
        start_ms=start,
        end_ms=end,
        pool=pool,
        state=state,
        set_aside=set_aside,
        wait_by_reason_ms=wait_by_reason_ms,
        node_offset=offset,
        node_index=np.array(nodes, dtype=np.int32),
        gpu_mask=np.array(masks, dtype=np.uint64),
        ledger_gpu_ms=world.ledger.gpu_ms,
        counters=Counters(
            events=world.events,
            passes=world.passes,
            jobs_examined=world.examined,
            nodes_touched=world.nodes_taken,
            queue_area_job_ms=int(queued_ms),
        ),
    )
