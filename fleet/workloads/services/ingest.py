"""Reading a trace in a worker.

Only the attempt that holds the row writes to it. When the row is gone or another attempt holds it, the
reading stops and leaves nothing.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.utils import timezone

from fleet.workloads.files import keep_file, local_path, new_name, remove_files, scratch_folder
from fleet.workloads.models import State, Workload
from fleet.workloads.services.profiles import profile_fields
from fleet.workloads.services.reading import read_file
from twin.problems import InvalidInput, Problem
from twin.workload import ImportCancelled, Imported, ImportProgress, save_jobs

LOGGER = logging.getLogger(__name__)
PROGRESS_EVERY_S = 0.5
HEARTBEAT_EVERY_S = 5.0


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's hold on a row."""

    workload_id: int
    attempt: int

    @property
    def row(self) -> QuerySet[Workload]:
        """The row, as long as it is held."""
        return Workload.unscoped.filter(
            pk=self.workload_id, attempt=self.attempt, state=State.READING, claimed=True
        )

    def write(self, **fields: Any) -> bool:
        """Write to the row; False when it is no longer held."""
        return bool(self.row.update(heartbeat_at=timezone.now(), **fields))


def claim_take(workload_id: int, attempt: int) -> Claim | None:
    """Take the row for this attempt; None when it was taken, cancelled or given to another attempt."""
    free = Workload.unscoped.filter(pk=workload_id, attempt=attempt, state=State.READING, claimed=False)
    taken = free.update(claimed=True, heartbeat_at=timezone.now(), progress=0.0, step="opening the file")
    return Claim(workload_id, attempt) if taken else None


@contextmanager
def heartbeat(claim: Claim) -> Iterator[None]:
    """Tell every 5 s that this worker lives, whatever the reading is busy with."""
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(HEARTBEAT_EVERY_S):
            try:
                if not claim.write():
                    break
            except DatabaseError:  # a busy database is no reason to count as lost
                LOGGER.warning("heartbeat of workload %s not written", claim.workload_id, exc_info=True)
        connection.close()

    thread = threading.Thread(target=beat, name="workload-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


class ProgressWriter:
    """Writes progress into the row at most twice a second; answers False once the row is no longer held."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.written_at = 0.0

    def __call__(self, progress: ImportProgress) -> bool:
        now = time.monotonic()
        if now - self.written_at < PROGRESS_EVERY_S:
            return True
        self.written_at = now
        return self.claim.write(progress=0.95 * progress.done, step=progress.step[:80])


def workload_ingest(workload_id: int, attempt: int) -> None:
    """Read the trace of a workload: ready with its jobs, or failed with the problems found. Idempotent."""
    claim = claim_take(workload_id, attempt)
    if claim is None:
        return
    workload = Workload.unscoped.get(pk=workload_id)
    with heartbeat(claim):
        try:
            with local_path(workload.original_file) as path:
                imported = read_file(
                    path, workload.original_name, workload.reading, on_progress=ProgressWriter(claim)
                )
            _keep(claim, workload, imported)
        except InvalidInput as error:
            claim.write(state=State.FAILED, problems=[asdict(problem) for problem in error.problems], step="")
        except ImportCancelled:
            return
        except SoftTimeLimitExceeded:
            _fail(
                claim, workload, "reading took longer than a worker may", "split the trace into smaller files"
            )
        except Exception as error:  # the row must not say "reading" for ever, whatever broke
            LOGGER.exception("workload %s could not be read", workload_id)
            _fail(
                claim, workload, f"the program failed: {type(error).__name__}: {error}", "tell the operator"
            )


def _fail(claim: Claim, workload: Workload, what: str, valid: str) -> None:
    problem = Problem(workload.original_name, what, valid)
    claim.write(state=State.FAILED, problems=[asdict(problem)], step="")


def _keep(claim: Claim, workload: Workload, imported: Imported) -> None:
    """Files first, then the row; if the row is lost meanwhile, the files go."""
    if not claim.write(progress=0.95, step="profiling"):
        return
    jobs = imported.jobs
    fields = profile_fields(jobs)
    with scratch_folder() as folder:
        table = folder / "jobs.parquet"
        save_jobs(jobs, table)
        refused = folder / "refused.csv"
        imported.write_refused_csv(refused)
        digest = _digest(table)
        jobs_file = keep_file(table, new_name(workload.workspace_id, ".jobs.parquet"))
        refused_file = keep_file(refused, new_name(workload.workspace_id, ".refused.csv"))
    kept = claim.write(
        state=State.READY,
        sha256=digest,
        jobs_file=jobs_file,
        refused_file=refused_file,
        report=imported.report.to_dict(),
        progress=1.0,
        step="",
        **fields,
    )
    if not kept:
        remove_files(jobs_file, refused_file)


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
