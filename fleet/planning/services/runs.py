"""A run's life: queued, running, then succeeded, failed or cancelled.

Every change is a compare-and-set on (state, attempt): whoever finds the row changed has lost it and writes
nothing more. That is what makes a message delivered twice, a worker killed and a late cancel harmless.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerUnreachable

from fleet.planning.models import Outcome, Run, RunState
from fleet.planning.specs import spec_hash
from twin import engine

log = structlog.get_logger(__name__)

SILENT_AFTER = timedelta(seconds=20)  # without a heartbeat or a claim for so long, a run counts as lost
MAX_LOSSES = 2  # the second lost worker fails the run
MAX_RESENDS_A_BEAT = 100
WAITING = "waiting for a worker"
UNFINISHED = (RunState.QUEUED, RunState.RUNNING)


def run_claim(run_id: int) -> Run | None:
    """Take a queued run for this worker: the run as now held, or None where there is nothing to do.

    A run whose outcome already exists succeeds at once. One whose twin (equal specification) is running
    stays queued: the twin finishes it too.
    """
    run = Run.objects.filter(pk=run_id, state=RunState.QUEUED).first()
    if run is None:
        return None
    _restamp(run)
    if run_reuse_outcome(run):
        return None
    now = timezone.now()
    try:
        with transaction.atomic():
            claimed = _held(run).update(
                state=RunState.RUNNING,
                attempt=run.attempt + 1,
                started_at=now,
                heartbeat_at=now,
                progress=0.0,
                step="reading the jobs",
            )
    except IntegrityError:
        return None
    if not claimed:
        return None
    run.refresh_from_db()
    return run


def run_reuse_outcome(run: Run) -> bool:
    """Finish a queued run with the outcome of its specification, where there is one."""
    outcome = Outcome.objects.in_workspace(run.workspace).filter(spec_hash=run.spec_hash).first()
    return outcome is not None and bool(_succeed(_held(run), outcome))


def run_beat(run: Run, *, progress: float, step: str) -> bool:
    """Write a sign of life; False where the run is no longer this worker's or is to be cancelled."""
    held = _held(run).filter(cancel_requested=False)
    return bool(held.update(heartbeat_at=timezone.now(), progress=progress, step=step))


def run_succeed(run: Run, *, summary: dict[str, object], charts: str, jobs: str, computed_s: float) -> bool:
    """Store the outcome and finish the run, and its queued twins, in one transaction.

    False where the run was lost meanwhile or the outcome was there already: the caller's files are then
    nobody's.
    """
    with transaction.atomic():
        outcome, created = Outcome.objects.in_workspace(run.workspace).get_or_create(
            spec_hash=run.spec_hash,
            defaults={
                "workspace": run.workspace,
                "engine_version": run.spec["engine_version"],
                "summary": summary,
                "charts_file": charts,
                "jobs_file": jobs,
                "computed_s": computed_s,
            },
        )
        if not _succeed(_held(run), outcome):
            transaction.set_rollback(True)
            return False
        twins = Run.objects.filter(
            workspace=run.workspace, spec_hash=run.spec_hash, state=RunState.QUEUED, cancel_requested=False
        )
        _succeed(twins, outcome)
    return created


def run_fail(run: Run, reason: str) -> bool:
    """End a held run with a reason for people."""
    return bool(
        _held(run).update(
            state=RunState.FAILED, error=reason, finished_at=timezone.now(), cancel_requested=False
        )
    )


def run_end_cancelled(run: Run) -> bool:
    """End a held run whose cancel was asked for; False where it was lost instead."""
    held = _held(run).filter(cancel_requested=True)
    return bool(held.update(state=RunState.CANCELLED, finished_at=timezone.now(), step="cancelled"))


def runs_cancel(runs: Iterable[Run]) -> int:
    """Cancel what is unfinished: queued runs end at once, running ones at their next sign of life."""
    ids = [run.pk for run in runs]
    now = timezone.now()
    queued = Run.objects.filter(pk__in=ids, state=RunState.QUEUED).update(
        state=RunState.CANCELLED, finished_at=now, step="cancelled"
    )
    running = Run.objects.filter(pk__in=ids, state=RunState.RUNNING).update(cancel_requested=True)
    return queued + running


def runs_retry(runs: Iterable[Run]) -> int:
    """Queue failed and cancelled runs again, and send them."""
    ids = [run.pk for run in runs]
    again = Run.objects.filter(pk__in=ids, state__in=(RunState.FAILED, RunState.CANCELLED))
    retried = list(again.values_list("pk", flat=True))
    again.update(
        state=RunState.QUEUED,
        queued_at=timezone.now(),
        sent_at=None,
        finished_at=None,
        losses=0,
        sends=0,
        progress=0.0,
        step=WAITING,
        error="",
        cancel_requested=False,
    )
    transaction.on_commit(lambda: runs_send(retried))
    return len(retried)


def runs_send(run_ids: Iterable[int]) -> None:
    """Hand runs to the workers. What the broker does not take is sent again by ``runs_recover``."""
    from fleet.planning.tasks import run_replay  # the task calls these services

    for run_id in run_ids:
        try:
            run_replay.delay(run_id)
        except BrokerUnreachable as error:
            log.warning("broker unreachable, run waits for the next beat", run=run_id, error=str(error))
            return
        Run.objects.filter(pk=run_id, state=RunState.QUEUED).update(
            sent_at=timezone.now(), sends=F("sends") + 1
        )


@dataclass(frozen=True, slots=True)
class Recovery:
    """What one look at the silent runs did: counts."""

    requeued: int
    failed: int
    cancelled: int
    resent: int


def runs_recover(now: datetime) -> Recovery:
    """Take up what went silent: running without a heartbeat, or queued without a claim."""
    requeued = failed = cancelled = 0
    for run in Run.objects.filter(state=RunState.RUNNING, heartbeat_at__lt=now - SILENT_AFTER):
        silent = _held(run).filter(heartbeat_at=run.heartbeat_at)
        if run.cancel_requested:
            cancelled += silent.update(state=RunState.CANCELLED, finished_at=now, step="cancelled")
        elif run.losses + 1 >= MAX_LOSSES:
            failed += silent.update(
                state=RunState.FAILED, finished_at=now, losses=run.losses + 1, error=_lost_reason(run)
            )
        else:
            requeued += silent.update(
                state=RunState.QUEUED,
                losses=run.losses + 1,
                sent_at=None,
                queued_at=now - SILENT_AFTER,
                step="its worker was lost; queued again",
                progress=0.0,
            )
    resend = [run.pk for run in _unclaimed(now)]
    runs_send(resend)
    return Recovery(requeued, failed, cancelled, len(resend))


def _unclaimed(now: datetime) -> list[Run]:
    """Queued runs whose message seems lost; the wait doubles with each send, so that a long queue of
    waiting runs does not fill the broker."""
    silent = Q(sent_at=None, queued_at__lte=now - SILENT_AFTER)
    for sends in range(5):
        old = now - SILENT_AFTER * 2**sends
        silent |= Q(sends=sends + 1, sent_at__lte=old) if sends < 4 else Q(sends__gt=4, sent_at__lte=old)
    return list(Run.objects.filter(silent, state=RunState.QUEUED).order_by("pk")[:MAX_RESENDS_A_BEAT])


def _lost_reason(run: Run) -> str:
    return (
        f"The worker that ran this was lost twice, the last time at {run.progress:.0%} ({run.step}). "
        "Usually the machine ran out of memory: try fewer jobs, or a worker with more memory, then retry."
    )


def _held(run: Run) -> QuerySet[Run]:
    """The row, only while it is in the state and attempt that ``run`` was read with."""
    return Run.objects.filter(pk=run.pk, state=run.state, attempt=run.attempt)


def _succeed(runs: QuerySet[Run], outcome: Outcome) -> int:
    return runs.update(
        state=RunState.SUCCEEDED,
        outcome=outcome,
        finished_at=timezone.now(),
        progress=1.0,
        step="done",
        error="",
        cancel_requested=False,
    )


def _restamp(run: Run) -> None:
    """A run made under another engine version is asked of this one: its specification is stamped anew."""
    version = engine.engine_version()
    if run.spec["engine_version"] == version:
        return
    spec = run.spec | {"engine_version": version}
    if _held(run).update(spec=spec, spec_hash=spec_hash(spec)):
        run.spec, run.spec_hash = spec, spec_hash(spec)
