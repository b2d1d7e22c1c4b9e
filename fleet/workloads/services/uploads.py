"""An upload: staged under a name that the server makes, then committed as a workload, or cancelled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from fleet.accounts.models import Workspace
from fleet.accounts.services import record
from fleet.workloads.files import new_name, remove_files, sha256_of
from fleet.workloads.models import Kind, StagedUpload, State, Workload
from fleet.workloads.services.dispatch import send_ingest
from twin.problems import InvalidInput

KEPT_FOR = timedelta(hours=24)


def size_text(size_bytes: int) -> str:
    """A size for people: "3.4 MB"."""
    size = float(size_bytes)
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"


def upload_stage(workspace: Workspace, owner: User, uploaded: UploadedFile) -> StagedUpload:
    """Keep an uploaded file until it is committed or cancelled. InvalidInput if it is empty or too big."""
    shown = (uploaded.name or "upload")[-200:]
    size = uploaded.size or 0
    if size == 0:
        raise InvalidInput.single(shown, "the file is empty (0 bytes)", "a trace with one job a line")
    limit = settings.UPLOAD_LIMIT_BYTES
    if size > limit:
        what = f"the file has {size_text(size)}, more than this site takes"
        raise InvalidInput.single(
            shown, what, f"at most {size_text(limit)}; compress it with gzip, or split it"
        )
    digest = sha256_of(uploaded)
    name = default_storage.save(new_name(workspace.pk, ".upload"), uploaded)
    try:
        return StagedUpload.unscoped.create(
            workspace=workspace, owner=owner, original_name=shown, file=name, sha256=digest, size_bytes=size
        )
    except BaseException:
        remove_files(name)
        raise


def upload_cancel(upload: StagedUpload) -> bool:
    """Forget an upload and its file; False when it was committed or cancelled meanwhile."""
    gone = _take(upload)
    if gone:
        remove_files(upload.file)
    return gone


def _take(upload: StagedUpload) -> bool:
    """Remove the row; of two that try at the same time one succeeds."""
    return bool(StagedUpload.unscoped.filter(pk=upload.pk).delete()[0])


def uploads_sweep() -> int:
    """Forget uploads that nobody committed for a day; returns how many."""
    stale = list(StagedUpload.unscoped.filter(created_at__lt=timezone.now() - KEPT_FOR))
    return sum(upload_cancel(upload) for upload in stale)


def files_sweep(now: datetime) -> int:
    """Delete files under ``workloads/`` that no row names once they are a day old; returns how many. A crash
    between a file and its row leaves such files; what is just being written is younger."""
    names = list(_stored())
    staged = StagedUpload.unscoped.values_list("file", flat=True)
    kept = set(staged)
    for row in Workload.unscoped.values_list("original_file", "jobs_file", "refused_file"):
        kept.update(row)
    kept.update(staged.all())  # again: a workload may have become an upload between the two readings
    old = now - KEPT_FOR
    orphans = [n for n in names if n not in kept and default_storage.get_modified_time(n) < old]
    remove_files(*orphans)
    return len(orphans)


def _stored() -> Iterator[str]:
    """Every file under workloads/<workspace>/."""
    with suppress(FileNotFoundError):
        for folder in default_storage.listdir("workloads")[0]:
            for name in default_storage.listdir(f"workloads/{folder}")[1]:
                yield f"workloads/{folder}/{name}"


def next_version(workspace: Workspace, name: str) -> int:
    """The version that the next workload of this name gets; call it in the transaction that makes it."""
    Workspace.objects.select_for_update().get(pk=workspace.pk)  # so that two at a time get two versions
    newest = Workload.objects.in_workspace(workspace).filter(name=name).aggregate(newest=Max("version"))
    return (newest["newest"] or 0) + 1


@transaction.atomic
def upload_commit(upload: StagedUpload, user: User, *, name: str, reading: dict[str, Any]) -> Workload:
    """Make the upload a workload and have a worker read it.

    ``reading`` says how: {"format", "mapping", "keep"}. A name that exists already gets its next version.
    Raises InvalidInput where the upload was committed or cancelled meanwhile.
    """
    if not _take(upload):
        raise InvalidInput.single(upload.original_name, "this upload was committed or cancelled already")
    workload = Workload.unscoped.create(
        workspace=upload.workspace,
        name=name,
        version=next_version(upload.workspace, name),
        kind=Kind.TRACE,
        state=State.READING,
        uploaded_by=user,
        original_name=upload.original_name,
        original_file=upload.file,
        original_sha256=upload.sha256,
        original_bytes=upload.size_bytes,
        reading=reading,
        heartbeat_at=timezone.now(),
        step="waiting for a worker",
    )
    record(upload.workspace, user, "uploaded", workload, None, {"file": upload.original_name, **reading})
    send_ingest(workload)
    return workload
