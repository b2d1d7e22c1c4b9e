"""What workers do for workloads."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from fleet.workloads.services.dispatch import lost_take_up
from fleet.workloads.services.ingest import workload_ingest
from fleet.workloads.services.uploads import files_sweep, uploads_sweep


@shared_task(name="workloads.ingest")
def ingest(workload_id: int, attempt: int) -> None:
    """Read one trace."""
    workload_ingest(workload_id, attempt)


@shared_task(name="workloads.take_up_lost")
def take_up_lost() -> None:
    """Every 10 s: readings whose worker went silent go to another."""
    lost_take_up()


@shared_task(name="workloads.sweep_uploads")
def sweep_uploads() -> None:
    """Every hour: uploads that nobody committed for a day are removed, and files that no row names."""
    uploads_sweep()
    files_sweep(timezone.now())
