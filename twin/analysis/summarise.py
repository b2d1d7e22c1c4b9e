"""Turns a replay into its summary."""

from __future__ import annotations

import numpy as np

from twin.analysis.class_metrics import ClassTable
from twin.analysis.labels import HELD, PRODUCTIVE, SET_ASIDE_LABELS
from twin.analysis.ledger import MS_PER_HOUR, pool_ledgers, share_of, whole_ledger
from twin.analysis.recorded import replay_against_recorded
from twin.analysis.summary import SUMMARY_VERSION, Ledger, SetAsideJobs, Summary, Work
from twin.analysis.targets import DEFAULT_TARGETS, SIZE_BUCKETS, Targets
from twin.engine.result import Account, Result, SetAside

MOST_EXAMPLES = 5


def summarise(result: Result, *, targets: Targets = DEFAULT_TARGETS) -> Summary:
    """The metrics of a replay, for all jobs and by class (GPU size × group).

    Waits count every job that ran; load, backlog, throughput, allocation and ledger count the horizon.
    Jobs set aside are counted and named, and are part of nothing else.
    """
    table = ClassTable(result, targets)
    whole = table.whole()
    ledger = whole_ledger(result)
    ran = whole.jobs - whole.jobs_set_aside
    makespan_ms = int(result.end_ms.max()) if ran else None
    drained_per_day = result.cluster.gpus * 24
    return Summary(
        version=SUMMARY_VERSION,
        cluster=result.cluster.name,
        policy=result.policy.name,
        horizon_s=result.horizon_ms / 1000,
        capacity_gpus=result.cluster.gpus,
        jobs=whole.jobs,
        jobs_ran=ran,
        jobs_set_aside=whole.jobs_set_aside,
        set_aside=_set_aside(result),
        all=whole,
        by_size=table.sizes(),
        by_group=table.groups(),
        by_class=table.pairs(),
        allocation=share_of(ledger, HELD),
        productive_share=share_of(ledger, PRODUCTIVE),
        productive_share_by_state=_by_state(ledger),
        fragmentation=share_of(ledger, (Account.IDLE_FRAGMENTED,)),
        backlog_days_to_drain=whole.backlog_end_gpu_hours / drained_per_day if drained_per_day else None,
        makespan_s=None if makespan_ms is None else makespan_ms / 1000,
        jobs_per_hour=ran * MS_PER_HOUR / makespan_ms if makespan_ms else None,
        ledger=ledger,
        ledger_by_pool=pool_ledgers(result),
        replay_check=replay_against_recorded(result),
        targets_s={bucket.key: wait_s for bucket, wait_s in zip(SIZE_BUCKETS, targets.wait_s, strict=True)},
        targets_source=targets.source,
        random_inputs=(),
        deterministic=True,
        work=_work(result),
        origin_epoch_ms=result.jobs.origin_epoch_ms,
        time_zone=result.jobs.time_zone,
        notes=result.jobs.notes,
    )


def _by_state(ledger: Ledger) -> dict[str, float]:
    """The share of capacity that was productive, by how the attempt ended."""
    return {
        account.name.removeprefix("PRODUCTIVE_").lower(): ledger.lines[account].share or 0.0
        for account in PRODUCTIVE
    }


def _set_aside(result: Result) -> tuple[SetAsideJobs, ...]:
    told = []
    for reason, label in SET_ASIDE_LABELS.items():
        rows = np.flatnonzero(result.set_aside == reason)
        if len(rows) == 0:
            continue
        jobs, first = result.jobs, rows[:MOST_EXAMPLES]
        gpu_ms = float((jobs.gpus[rows].astype(np.float64) * jobs.run_ms[rows]).sum())
        told.append(
            SetAsideJobs(
                reason=SetAside(reason).name.lower(),
                label=label,
                jobs=len(rows),
                gpu_hours=gpu_ms / MS_PER_HOUR,
                examples=tuple(str(job_id) for job_id in jobs.job_id[first]),
                example_gpus=tuple(int(gpus) for gpus in jobs.gpus[first]),
            )
        )
    return tuple(told)


def _work(result: Result) -> Work:
    counters = result.counters
    last_start_ms = int(result.start_ms.max()) if len(result.start_ms) else 0
    return Work(
        events=counters.events,
        passes=counters.passes,
        jobs_examined=counters.jobs_examined,
        jobs_examined_per_pass=counters.jobs_examined / counters.passes if counters.passes else None,
        mean_queue_jobs=counters.queue_area_job_ms / last_start_ms if last_start_ms > 0 else None,
    )
