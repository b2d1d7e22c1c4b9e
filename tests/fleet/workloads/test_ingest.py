"""Reading in a worker: what is kept, and that a lost, repeated or cancelled reading does no harm."""

import threading

import polars as pl
import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError
from kombu.exceptions import OperationalError as BrokerUnreachable

from fleet.workloads.models import StagedUpload, State, Workload
from fleet.workloads.services import ingest as reading
from fleet.workloads.services import jobs_of
from fleet.workloads.services.changes import workload_reopen
from fleet.workloads.services.dispatch import SILENT_FOR, lost_take_up
from fleet.workloads.tasks import ingest
from tests.fleet.workloads.conftest import HEADER, ROWS
from tests.fleet.workloads.test_upload import files_kept
from twin.problems import InvalidInput


@pytest.fixture
def queued(staged, commit, plain_csv) -> Workload:
    return commit(staged(plain_csv))


def test_a_trace_is_read_and_kept(imported, plain_csv):
    workload = imported(plain_csv, "march")
    assert workload.state == State.READY
    assert workload.job_count == 4
    assert workload.gpu_hours == pytest.approx(1 + 16 + 4 * 600 / 3600 + 60 / 3600)
    assert workload.span_ms == (26 * 60) * 60_000
    assert workload.report["rows_read"] == 4
    assert list(jobs_of(workload).gpus) == [1, 8, 4, 1]
    assert not StagedUpload.unscoped.exists()


def test_refused_rows_can_be_downloaded_with_their_reasons(imported, viewer_client, workspace_url):
    content = (HEADER + "\n".join([*ROWS, "5,2024-03-05 12:00:00,-60,1,ann,vision"]) + "\n").encode()
    workload = imported(content)
    answer = viewer_client.get(workspace_url("workloads:workload_refused", workload_id=workload.pk))
    refused = pl.read_csv(b"".join(answer.streaming_content))
    assert refused["line"].to_list() == [6]
    assert "negative" in refused["reason"][0]


def test_the_same_name_gets_the_next_version(imported, plain_csv):
    first, second = imported(plain_csv, "march"), imported(plain_csv, "march")
    assert (first.version, second.version) == (1, 2)
    assert first.sha256 == second.sha256


def test_a_file_that_turns_bad_after_its_beginning_fails_with_the_reason(imported):
    good = (HEADER + "\n".join(f"{n},{n},60,1,ann,vision" for n in range(100_000)) + "\n").encode()
    workload = imported(good + b"x" * (2 << 20))
    assert workload.state == State.FAILED
    assert "a line is longer than 1 MiB" in workload.problems[0]["what"]
    assert len(files_kept()) == 1  # the original, to read it otherwise


def test_an_unexpected_failure_is_told_and_not_left_reading(queued, worker, monkeypatch):
    def broken(*args, **kwargs):
        raise MemoryError("no room")

    monkeypatch.setattr(reading, "read_file", broken)
    ingest(*worker.pop())
    queued.refresh_from_db()
    assert queued.state == State.FAILED
    assert "MemoryError: no room" in queued.problems[0]["what"]


def test_a_message_delivered_twice_reads_once(queued, worker, monkeypatch):
    message = worker.pop()
    ingest(*message)
    monkeypatch.setattr(reading, "read_file", lambda *args, **kwargs: pytest.fail("read again"))
    ingest(*message)


def test_a_cancelled_reading_leaves_no_row_and_no_file(
    queued, worker, planner_client, workspace_url, django_capture_on_commit_callbacks, monkeypatch
):
    real = reading.read_file

    def cancelled_meanwhile(*args, **kwargs):
        imported = real(*args, **kwargs)
        with django_capture_on_commit_callbacks(execute=True):
            planner_client.post(workspace_url("workloads:workload_cancel", workload_id=queued.pk))
        return imported

    monkeypatch.setattr(reading, "read_file", cancelled_meanwhile)
    ingest(*worker.pop())
    assert not Workload.unscoped.exists()
    assert files_kept() == []


def test_a_reading_stops_when_its_row_is_gone(queued, worker, monkeypatch):
    monkeypatch.setattr(reading, "PROGRESS_EVERY_S", 0.0)
    claim = reading.claim_take(*worker.pop())
    Workload.unscoped.filter(pk=queued.pk).delete()
    assert reading.ProgressWriter(claim)(reading.ImportProgress("checking", 0.5)) is False


def silence(workload: Workload) -> None:
    """Make the worker look silent."""
    row = Workload.unscoped.filter(pk=workload.pk)
    row.update(heartbeat_at=row.get().heartbeat_at - 2 * SILENT_FOR)


def test_a_lost_worker_is_replaced_once_and_the_second_loss_is_told(
    queued, worker, django_capture_on_commit_callbacks
):
    for _ in range(2):
        reading.claim_take(*worker.pop())
        silence(queued)
        with django_capture_on_commit_callbacks(execute=True):
            assert lost_take_up() == 1
    queued.refresh_from_db()
    assert queued.state == State.FAILED
    assert "was lost, 2 times" in queued.problems[0]["what"]


def test_a_lost_message_is_sent_again_and_is_no_loss(queued, worker, django_capture_on_commit_callbacks):
    worker.clear()
    silence(queued)
    with django_capture_on_commit_callbacks(execute=True):
        lost_take_up()
    ingest(*worker.pop())
    queued.refresh_from_db()
    assert (queued.state, queued.losses) == (State.READY, 0)


def test_a_worker_that_wakes_up_late_changes_nothing(queued, worker, django_capture_on_commit_callbacks):
    late = reading.claim_take(*worker.pop())
    silence(queued)
    with django_capture_on_commit_callbacks(execute=True):
        lost_take_up()
    ingest(*worker.pop())
    assert late.write(state=State.FAILED) is False
    queued.refresh_from_db()
    assert queued.state == State.READY


def test_a_failed_file_can_be_read_otherwise(imported, staged, planner_client, workspace_url):
    workload = imported()
    Workload.unscoped.filter(pk=workload.pk).update(state=State.FAILED)
    answer = planner_client.post(workspace_url("workloads:workload_reopen", workload_id=workload.pk))
    upload = StagedUpload.unscoped.get()
    assert answer.url == workspace_url("workloads:upload_review", upload_id=upload.pk)
    assert default_storage.exists(upload.file)
    assert not Workload.unscoped.exists()


def test_of_two_who_would_read_it_otherwise_one_gets_the_file(imported, planner):
    workload = imported()
    Workload.unscoped.filter(pk=workload.pk).update(state=State.FAILED)
    assert workload_reopen(workload, planner) is not None
    assert workload_reopen(workload, planner) is None
    assert StagedUpload.unscoped.count() == 1


def test_deleting_asks_first_and_removes_the_files(
    imported, planner_client, workspace_url, django_capture_on_commit_callbacks
):
    url = workspace_url("workloads:workload_delete", workload_id=imported().pk)
    assert "This cannot be undone" in planner_client.get(url).content.decode()
    assert Workload.unscoped.exists()
    with django_capture_on_commit_callbacks(execute=True):
        planner_client.post(url)
    assert not Workload.unscoped.exists()
    assert files_kept() == []


def test_jobs_of_a_workload_that_is_not_ready_are_refused(queued):
    with pytest.raises(InvalidInput, match="reading, not ready"):
        jobs_of(queued)


def test_without_a_broker_the_reading_waits_for_the_next_look(staged, commit, plain_csv, worker, monkeypatch):
    def unreachable(*message):
        raise BrokerUnreachable("no broker")

    monkeypatch.setattr(ingest, "delay", unreachable)
    workload = commit(staged(plain_csv))
    assert workload.state == State.READING
    Workload.unscoped.update(heartbeat_at=workload.heartbeat_at - 2 * SILENT_FOR)
    assert lost_take_up() == 1


def test_a_busy_database_does_not_end_the_heartbeat(monkeypatch):
    beats = threading.Event()
    answers = iter([OperationalError("database is locked"), True, True])

    def write(claim, **fields):
        answer = next(answers, None)
        if isinstance(answer, Exception):
            raise answer
        beats.set()
        return True

    monkeypatch.setattr(reading, "HEARTBEAT_EVERY_S", 0.001)
    monkeypatch.setattr(reading.Claim, "write", write)
    with reading.heartbeat(reading.Claim(1, 0)):
        assert beats.wait(10)
