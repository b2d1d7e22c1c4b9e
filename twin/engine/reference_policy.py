"""What a policy decides in the reference engine, and where a user's own policy plugs in.

``ReferencePolicy`` answers with the rules that both engines share. To try a policy of your own, subclass it,
override a method and hand the object to ``simulate_reference`` in place of the named policy:

>>> from twin.sched import Policy
>>> class SmallestFirst(ReferencePolicy):
...     '''Fewest GPUs first; equals in the order of submission.'''
...
...     def order_key(self, job):
...         return job.gpus
>>> policy = SmallestFirst(Policy(name="smallest first"))
>>> policy.order_key(WaitingJob(row=0, job_id="a", submit_ms=0, eligible_ms=0, run_ms=5, gpus=8))
8
"""

from __future__ import annotations

from dataclasses import dataclass

from twin.hardware.gpu_matching import accepts_gpu
from twin.sched import rules
from twin.sched.policy import Policy
from twin.workload.jobs import MISSING, Category, EndState, Jobs, MovesAs


@dataclass(frozen=True, slots=True)
class WaitingJob:
    """One row of the Jobs table as a policy sees it.

    ``limit_ms`` is MISSING without a time limit; ``nodes``, ``gpus_per_node``, ``cpus`` and ``memory_mb`` are
    0 where not given; ``gpu_models`` None means any. ``run_ms`` and ``recorded_state`` are what no real
    scheduler knows in advance: a policy that reads them has perfect foresight, and should say so.
    """

    row: int
    job_id: str
    submit_ms: int
    eligible_ms: int
    run_ms: int
    gpus: int
    limit_ms: int = MISSING
    nodes: int = 0
    gpus_per_node: int = 0
    cpus: int = 0
    memory_mb: int = 0
    priority: int = 0
    moves_as: int = MovesAs.FIXED_WORK
    recorded_state: int = EndState.UNKNOWN
    gpu_models: frozenset[str] | None = None
    user: str | None = None
    group: str | None = None
    queue: str | None = None
    job_class: str | None = None

    def accepts(self, gpu_model: str) -> bool:
        """Whether the job may run on this GPU model."""
        return self.gpu_models is None or any(accepts_gpu(asked, gpu_model) for asked in self.gpu_models)


def waiting_jobs(jobs: Jobs) -> list[WaitingJob]:
    """The rows of the table, one object each, in row order."""
    return [_waiting_job(jobs, row) for row in range(len(jobs))]


def _waiting_job(jobs: Jobs, row: int) -> WaitingJob:
    models = _name(jobs.gpu_models, row)
    nodes, gpus_per_node = rules.given_shape(
        int(jobs.gpus[row]), int(jobs.nodes[row]), int(jobs.gpus_per_node[row])
    )
    return WaitingJob(
        row=row,
        job_id=str(jobs.job_id[row]),
        submit_ms=int(jobs.submit_ms[row]),
        eligible_ms=max(int(jobs.submit_ms[row]), int(jobs.eligible_ms[row])),
        run_ms=int(jobs.run_ms[row]),
        gpus=int(jobs.gpus[row]),
        limit_ms=int(jobs.limit_ms[row]),
        nodes=nodes,
        gpus_per_node=gpus_per_node,
        cpus=int(jobs.cpus[row]),
        memory_mb=int(jobs.memory_mb[row]),
        priority=int(jobs.priority[row]),
        moves_as=int(jobs.moves_as[row]),
        recorded_state=int(jobs.recorded_state[row]),
        gpu_models=None if models is None else frozenset(name.strip() for name in models.split("|")),
        user=_name(jobs.user, row),
        group=_name(jobs.group, row),
        queue=_name(jobs.queue, row),
        job_class=_name(jobs.job_class, row),
    )


def _name(column: Category, row: int) -> str | None:
    code = int(column.codes[row])
    return None if code < 0 else column.names[code]


class ReferencePolicy:
    """A named policy's decisions, each a method that a subclass may override.

    ``policy`` gives the rest: how the queue is walked (``backfill``, ``backfill_depth``), what an allocation
    looks like (``placement: count`` or nodes, ``shape``), when passes run, whether limits end jobs.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def order_key(self, job: WaitingJob) -> int:
        """The smaller goes first; ties by submit time, then by row. Asked anew in every pass."""
        return rules.order_key(rules.ORDER_CODE[self.policy.order], job.priority, job.run_ms, job.limit_ms)

    def node_rank(self, job: WaitingJob, node: int, free_gpus: int) -> int:  # noqa: ARG002 (for subclasses)
        """Among nodes that can take a part of ``job``, the smallest is chosen; ties by node index.

        ``node`` counts from 0 in its pool. A node with all its GPUs free takes a whole-node part of a gang
        by this rank too.
        """
        return rules.node_rank(rules.PLACEMENT_CODE[self.policy.placement], free_gpus)
