"""Sending a workload to a worker, again when a worker was lost."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerUnreachable

from fleet.workloads.models import State, Workload

log = structlog.get_logger(__name__)

SILENT_FOR = timedelta(seconds=20)  # a worker tells that it lives every 5 s
MAX_LOSSES = 2


def send_ingest(workload: Workload) -> None:
    """Have a worker read the trace, once the row is committed.

    What the broker does not take is sent again by ``lost_take_up``.
    """
    from fleet.workloads.tasks import ingest  # the task imports the services

    pk, attempt = workload.pk, workload.attempt

    def send() -> None:
        try:
            ingest.delay(pk, attempt)
        except BrokerUnreachable as error:
            log.warning("broker unreachable, reading waits for the next beat", workload=pk, error=str(error))

    transaction.on_commit(send)


def lost_take_up() -> int:
    """Send readings again whose worker went silent, or whose message was lost. The second loss fails them."""
    silent = Workload.unscoped.filter(state=State.READING, heartbeat_at__lt=timezone.now() - SILENT_FOR)
    return sum(_take_up(workload) for workload in silent)


def _take_up(workload: Workload) -> int:
    """Give one silent reading to another worker; 0 when somebody was quicker."""
    still = Workload.unscoped.filter(
        pk=workload.pk, state=State.READING, attempt=workload.attempt, heartbeat_at=workload.heartbeat_at
    )
    losses = workload.losses + int(workload.claimed)
    if losses >= MAX_LOSSES:
        problem = {
            "where": workload.original_name,
            "what": f"the worker that read the file was lost, {losses} times",
            "valid": "read it again; if it is lost again the file may need more memory than a worker has",
        }
        return still.update(state=State.FAILED, losses=losses, problems=[problem], step="")
    with transaction.atomic():
        changed = still.update(
            attempt=workload.attempt + 1,
            losses=losses,
            claimed=False,
            heartbeat_at=timezone.now(),
            progress=0.0,
            step="the worker was lost; given to another" if workload.claimed else "waiting for a worker",
        )
        if changed:
            workload.attempt += 1
            send_ingest(workload)
    return changed
