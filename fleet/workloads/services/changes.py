"""What a person does to a workload: cancel its reading, read it again, delete it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from fleet.accounts.services import record
from fleet.workloads.files import remove_files
from fleet.workloads.models import StagedUpload, State, Workload
from fleet.workloads.services.dispatch import send_ingest


@transaction.atomic
def workload_cancel(workload: Workload, user: User) -> bool:
    """Stop a reading and forget it; the worker notices within half a second that its row is gone.

    False when it was finished already.
    """
    reading = Workload.unscoped.filter(pk=workload.pk, state=State.READING)
    if not reading.delete()[0]:
        return False
    record(workload.workspace, user, "cancelled", workload)
    transaction.on_commit(lambda: remove_files(workload.original_file))
    return True


@transaction.atomic
def workload_retry(workload: Workload, user: User) -> bool:
    """Read a failed trace again, the same way; False when it did not fail."""
    failed = Workload.unscoped.filter(pk=workload.pk, state=State.FAILED, attempt=workload.attempt)
    changed = failed.update(
        state=State.READING,
        attempt=workload.attempt + 1,
        losses=0,
        claimed=False,
        heartbeat_at=timezone.now(),
        progress=0.0,
        step="waiting for a worker",
        problems=[],
    )
    if changed:
        workload.refresh_from_db()
        record(workload.workspace, user, "read again", workload)
        send_ingest(workload)
    return bool(changed)


@transaction.atomic
def workload_reopen(workload: Workload, user: User) -> StagedUpload | None:
    """Turn a failed trace back into an upload, to read it otherwise; None when it did not fail."""
    failed = Workload.unscoped.filter(pk=workload.pk, state=State.FAILED)
    if not failed.delete()[0]:
        return None
    record(workload.workspace, user, "reopened", workload)
    return StagedUpload.unscoped.create(
        workspace=workload.workspace,
        owner=user,
        original_name=workload.original_name,
        file=workload.original_file,
        sha256=workload.original_sha256,
        size_bytes=workload.original_bytes,
    )


@transaction.atomic
def workload_delete(workload: Workload, user: User) -> None:
    """Delete a workload and its files. Studies that used it keep their results."""
    present = Workload.unscoped.select_for_update().filter(pk=workload.pk).first()
    if present is None:
        return
    workload = present  # with the files that a worker may have added since it was read
    record(workload.workspace, user, "deleted", workload, {"sha256": workload.sha256}, None)
    files = (workload.original_file, workload.jobs_file, workload.refused_file)
    workload.delete()
    transaction.on_commit(lambda: remove_files(*files))
