"""What a worker does with a run: claim it, replay, store files, then the row."""

from __future__ import annotations

import io
import json
import time

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from fleet.planning.models import Run, RunState
from fleet.planning.replay import Answer, replay
from fleet.planning.services.heartbeat import Heartbeat, Stopped
from fleet.planning.services.runs import run_claim, run_end_cancelled, run_fail, run_succeed, runs_send
from fleet.planning.specs import replay_inputs
from fleet.workloads.models import Workload
from fleet.workloads.services import jobs_of
from twin.economics import Tag
from twin.engine import Progress, ReplayCancelled
from twin.problems import InvalidInput
from twin.workload import Jobs

log = structlog.get_logger(__name__)

READ, REPLAYED, SUMMARISED = 0.1, 0.85, 0.95  # shares of the whole at which the steps end


def run_execute(run_id: int) -> None:
    """Replay one run if it is to be had. Harmless when repeated: a run that is not queued is left alone."""
    run = run_claim(run_id)
    if run is None:
        return
    try:
        with Heartbeat(run) as heartbeat:
            _compute(run, heartbeat)
    except (Stopped, ReplayCancelled):
        run_end_cancelled(run)
    except Exception as error:
        log.exception("run failed", run=run.pk, spec=run.spec_hash[:12])
        run_fail(run, reason_of(error))
    _send_twins(run)


def reason_of(error: Exception) -> str:
    """Why a run failed, for people: what is wrong and how to go on."""
    if isinstance(error, InvalidInput):
        return str(error)
    if isinstance(error, SoftTimeLimitExceeded):
        return "The replay took longer than a task may. Use a shorter trace or horizon, or raise the limit."
    if isinstance(error, MemoryError):
        return "The worker ran out of memory. Use fewer jobs, or a worker with more memory, then retry."
    return f"The program stopped on an error of its own: {type(error).__name__}: {error}"


def _compute(run: Run, heartbeat: Heartbeat) -> None:
    began = time.monotonic()
    jobs = _jobs(run)

    def on_progress(progress: Progress) -> bool:
        done = progress.finished_jobs / max(progress.total_jobs, 1)
        return heartbeat.tell(
            READ + (REPLAYED - READ) * done,
            f"replaying: {progress.finished_jobs:,} of {progress.total_jobs:,} jobs",
        )

    heartbeat.enter(READ, "replaying")
    answer = replay(
        jobs,
        replay_inputs(run.spec),
        workload_tag=Tag.INFERRED if run.scenario.workload_snapshot["random"] else Tag.MEASURED,
        on_progress=on_progress,
        on_replayed=lambda: heartbeat.enter(REPLAYED, "adding up"),
    )
    heartbeat.enter(SUMMARISED, "storing")
    charts, outcomes = store_files(run, answer)
    computed_s = time.monotonic() - began
    stored = False
    try:
        stored = run_succeed(
            run, summary=answer.summary, charts=charts, jobs=outcomes, computed_s=round(computed_s, 3)
        )
    finally:
        if not stored:  # lost meanwhile, or the outcome was there: these files are nobody's
            default_storage.delete(charts)
            default_storage.delete(outcomes)


def _jobs(run: Run) -> Jobs:
    """The run's jobs, or InvalidInput where the workload is not what the run was made for."""
    snapshot = run.scenario.workload_snapshot
    workload = Workload.objects.in_workspace(run.workspace).filter(pk=snapshot["id"]).first()
    if workload is None:
        raise InvalidInput.single(
            snapshot["name"], "this workload was deleted", "run the study again on another"
        )
    if workload.sha256 != run.spec["workload"]["content"]:
        raise InvalidInput.single(
            workload.name, "this workload has changed since the study was run", "run the study again"
        )
    return jobs_of(workload, run.seed)


def store_files(run: Run, answer: Answer) -> tuple[str, str]:
    """Write charts and per-job outcomes under names that no other attempt uses; returns the stored names."""
    folder = f"outcomes/{run.spec_hash}/{run.pk}-{run.attempt}"
    table = io.BytesIO()
    answer.jobs.write_parquet(table)
    charts = json.dumps(answer.charts, separators=(",", ":"), allow_nan=False).encode()
    return (
        default_storage.save(f"{folder}/charts.json", ContentFile(charts)),
        default_storage.save(f"{folder}/jobs.parquet", ContentFile(table.getvalue())),
    )


def _send_twins(run: Run) -> None:
    """Runs of the same specification waited for this one; where it made no outcome, they start now."""
    twins = Run.objects.filter(
        workspace=run.workspace, spec_hash=run.spec_hash, state=RunState.QUEUED
    ).exclude(pk=run.pk)
    runs_send(list(twins.values_list("pk", flat=True)))
