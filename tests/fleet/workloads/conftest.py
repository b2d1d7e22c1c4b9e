"""Trace files as people upload them, and the way through the import wizard."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from fleet.workloads.models import StagedUpload, Workload
from fleet.workloads.tasks import ingest

HEADER = "job_id,submit,duration,gpus,user,group\n"
ROWS = [
    "1,2024-03-04 09:00:00,3600,1,ann,vision",
    "2,2024-03-04 09:30:00,7200,8,bob,speech",
    "3,2024-03-05 10:00:00,600,4,ann,vision",
    "4,2024-03-05 11:00:00,60,1,cid,vision",
]
PLAIN = (HEADER + "\n".join(ROWS) + "\n").encode()


@pytest.fixture
def plain_csv() -> bytes:
    return PLAIN


@pytest.fixture
def gzipped() -> bytes:
    return gzip.compress(PLAIN)


@pytest.fixture
def zipped() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("jobs.csv", PLAIN)
    return packed.getvalue()


@pytest.fixture
def send(planner_client, workspace_url) -> Callable[..., object]:
    """Upload bytes as a file; the JSON answer."""

    def post(content: bytes, name: str = "jobs.csv", client=None):
        file = SimpleUploadedFile(name, content)
        return (client or planner_client).post(
            workspace_url("workloads:upload"), {"file": file}, headers={"Accept": "application/json"}
        )

    return post


@pytest.fixture
def staged(send) -> Callable[..., StagedUpload]:
    """An upload that arrived."""

    def make(content: bytes, name: str = "jobs.csv") -> StagedUpload:
        assert send(content, name).status_code == 201
        return StagedUpload.unscoped.latest("created_at")

    return make


@pytest.fixture
def worker(monkeypatch) -> list[tuple[int, int]]:
    """Messages to the worker, kept for the test to deliver."""
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(ingest, "delay", lambda *message: sent.append(message))
    return sent


@pytest.fixture
def commit(
    planner_client, workspace_url, worker, django_capture_on_commit_callbacks
) -> Callable[..., Workload]:
    """Commit an upload; the workload that a worker is to read."""

    def post(upload: StagedUpload, name: str = "jobs", **reading: str) -> Workload:
        url = workspace_url("workloads:upload_commit", upload_id=upload.pk)
        with django_capture_on_commit_callbacks(execute=True):
            response = planner_client.post(url, {"name": name, **reading})
        assert response.status_code == 302, response.content.decode()
        return Workload.unscoped.latest("id")

    return post


@pytest.fixture
def imported(staged, commit, worker) -> Callable[..., Workload]:
    """A file uploaded, committed and read by a worker."""

    def make(
        content: bytes = PLAIN, name: str = "jobs", file_name: str = "jobs.csv", **reading: str
    ) -> Workload:
        workload = commit(staged(content, file_name), name, **reading)
        ingest(*worker.pop())
        workload.refresh_from_db()
        return workload

    return make
