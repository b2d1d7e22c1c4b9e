"""Work for the Celery workers. Each only calls a service, and repeating it is harmless."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from fleet.planning import services


@shared_task(name="planning.run_replay")
def run_replay(run_id: int) -> None:
    """Replay one run."""
    services.run_execute(run_id)


@shared_task(name="planning.runs_recover")
def runs_recover() -> None:
    """Every 10 s: take up runs whose worker or message was lost."""
    services.runs_recover(timezone.now())


@shared_task(name="planning.outcomes_sweep")
def outcomes_sweep() -> None:
    """Every hour: delete outcomes and files that nothing points to."""
    services.outcomes_sweep(timezone.now())
