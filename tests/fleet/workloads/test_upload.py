"""Uploading: what is kept, what is refused and why, and that nothing is left behind."""

import io
import pathlib
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from fleet.workloads.models import StagedUpload, Workload
from fleet.workloads.services.uploads import files_sweep, upload_cancel, upload_commit, uploads_sweep
from tests.fleet.workloads.conftest import HEADER, ROWS
from twin.problems import InvalidInput


def files_kept() -> list[str]:
    """Names of all files in storage."""
    root = default_storage.path("")
    return [str(path) for path in pathlib.Path(root).rglob("*") if path.is_file()]


def review(client, workspace_url, upload, query=""):
    return client.get(workspace_url("workloads:upload_review", upload_id=upload.pk) + query)


def test_an_upload_is_staged_under_a_name_that_the_server_makes(staged, plain_csv, planner):
    upload = staged(plain_csv, "../../etc/passwd.csv")
    assert upload.owner == planner
    assert upload.original_name == "passwd.csv"
    assert "passwd" not in upload.file
    assert default_storage.open(upload.file).read() == plain_csv


def test_the_form_works_without_javascript(planner_client, workspace_url, plain_csv):
    file = io.BytesIO(plain_csv)
    file.name = "jobs.csv"
    page = planner_client.post(workspace_url("workloads:upload"), {"file": file}, follow=True)
    assert page.status_code == 200
    assert "CSV or TSV with a header" in page.content.decode()


def test_the_review_shows_the_first_jobs_and_what_was_understood(
    planner_client, workspace_url, staged, plain_csv
):
    page = review(planner_client, workspace_url, staged(plain_csv)).content.decode()
    assert "2024-03-04 09:00:00" in page
    assert "4 rows read, 4 jobs" in page
    assert "run time = <code>duration</code>" in page


@pytest.mark.parametrize("packed", ["gzipped", "zipped"])
def test_packed_files_are_understood(planner_client, workspace_url, staged, request, packed):
    page = review(planner_client, workspace_url, staged(request.getfixturevalue(packed), "jobs.bin"))
    assert "4 rows read, 4 jobs" in page.content.decode()


def test_columns_and_units_are_mapped_by_the_address(planner_client, workspace_url, staged):
    upload = staged(b"a;b;c;d\n1;0;2;8\n2;60;5;4\n")
    page = review(planner_client, workspace_url, upload).content.decode()
    assert "no column says when jobs were submitted" in page
    query = "?column-job_id=a&column-submit=b&column-duration=c&unit-duration=min&column-gpus=d"
    page = review(planner_client, workspace_url, upload, query).content.decode()
    assert "2 rows read, 2 jobs" in page
    assert '<td class="num">120</td>' in page
    assert "field-error" not in page


def test_a_mapping_is_remembered_for_the_next_file_with_that_header(
    planner_client, workspace_url, staged, imported
):
    mapping = {"column-submit": "b", "column-duration": "c", "column-gpus": "d"}
    imported(b"a;b;c;d\n1;0;2;8\n2;60;5;4\n", **mapping)
    page = review(planner_client, workspace_url, staged(b"a;b;c;d\n7;10;2;1\n")).content.decode()
    assert "The mapping that was used for this header before is used again." in page
    assert "1 rows read, 1 jobs" in page


def test_the_same_file_is_recognised(planner_client, workspace_url, staged, imported, plain_csv):
    first = imported(plain_csv, "march")
    page = review(planner_client, workspace_url, staged(plain_csv, "again.csv")).content.decode()
    assert "This very file was imported before" in page
    assert first.get_absolute_url() in page


def test_cancel_keeps_nothing(planner_client, workspace_url, staged, plain_csv):
    upload = staged(plain_csv)
    planner_client.post(workspace_url("workloads:upload_cancel", upload_id=upload.pk))
    assert not StagedUpload.unscoped.exists()
    assert files_kept() == []


def test_an_empty_file_is_refused(send):
    answer = send(b"")
    assert answer.status_code == 422
    assert "the file is empty (0 bytes)" in answer.json()["problems"][0]
    assert files_kept() == []


def test_a_file_over_the_limit_is_refused(send, settings, plain_csv):
    settings.UPLOAD_LIMIT_BYTES = 50
    answer = send(plain_csv)
    assert answer.status_code == 422
    assert "at most 50 bytes" in answer.json()["problems"][0]
    assert files_kept() == []


def test_a_body_over_the_limit_is_refused_before_it_is_read(planner_client, workspace_url, settings, send):
    settings.UPLOAD_LIMIT_BYTES = 1
    answer = send(b"x" * (2 << 20))
    assert answer.status_code == 413


def test_an_upload_that_is_cut_keeps_nothing(planner_client, workspace_url, plain_csv):
    boundary = "cut"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="jobs.csv"\r\n\r\n'.encode()
    )
    body += plain_csv[: len(plain_csv) // 2]
    answer = planner_client.generic(
        "POST",
        workspace_url("workloads:upload"),
        body,
        content_type=f"multipart/form-data; boundary={boundary}",
        headers={"Accept": "application/json"},
    )
    assert answer.status_code in (400, 422)
    assert not StagedUpload.unscoped.exists()
    assert files_kept() == []


BAD = {
    "a PNG named .csv": (b"\x89PNG\r\n\x1a\n" + bytes(200), "this is a PNG image, whatever its name says"),
    "a truncated gzip": ("truncated", "the gzip file is cut short"),
    "no delimiter": (b"hello\nworld\n", "no delimiter found"),
    "a wrong delimiter": ("?delimiter=|", "single field"),
    "only refused rows": ((HEADER + "1,2024-01-01,-5,1,a,b\n").encode(), "none of the 1 rows"),
    "a line without end": (b"a,b\n" + b"x" * (3 << 20), "a line is longer than 1 MiB"),
    "binary": (bytes(range(256)) * 8, "zero bytes"),
}


@pytest.mark.parametrize("case", BAD, ids=str)
def test_bad_input_is_explained_and_cannot_be_committed(
    planner_client, workspace_url, staged, plain_csv, gzipped, case
):
    content, told = BAD[case]
    query = ""
    if content == "truncated":
        content = gzipped[:-12]
    elif isinstance(content, str):
        content, query = plain_csv, content
    upload = staged(content)
    page = review(planner_client, workspace_url, upload, query)
    assert page.status_code == 200
    assert told in page.content.decode()
    answer = planner_client.post(
        workspace_url("workloads:upload_commit", upload_id=upload.pk),
        {"name": "bad", **({"delimiter": "|"} if query else {})},
    )
    assert answer.status_code == 422
    assert not Workload.unscoped.exists()


def test_refused_rows_are_counted_in_the_review(planner_client, workspace_url, staged):
    content = (HEADER + "\n".join([*ROWS, "5,2024-03-05 12:00:00,-60,1,ann,vision"]) + "\n").encode()
    page = review(planner_client, workspace_url, staged(content)).content.decode()
    assert "1 row refused" in page
    assert "Line 6: the run time is negative" in page


def test_uploads_left_for_a_day_are_swept(staged, plain_csv, time_machine):
    time_machine.move_to("2026-01-01T00:00Z", tick=False)
    staged(plain_csv)
    time_machine.move_to("2026-01-01T23:00Z", tick=False)
    assert uploads_sweep() == 0
    time_machine.move_to("2026-01-02T01:00Z", tick=False)
    assert uploads_sweep() == 1
    assert files_kept() == []


def test_a_workload_needs_a_name(planner_client, workspace_url, staged, plain_csv):
    upload = staged(plain_csv)
    page = planner_client.post(workspace_url("workloads:upload_commit", upload_id=upload.pk), {"name": " "})
    assert page.status_code == 422
    assert "Give the workload a name" in page.content.decode()


def test_an_upload_needs_the_csrf_token(planner, workspace_url, plain_csv):
    client = Client(enforce_csrf_checks=True)
    client.force_login(planner)
    answer = client.post(workspace_url("workloads:upload"), {"file": SimpleUploadedFile("a.csv", plain_csv)})
    assert answer.status_code == 403
    assert files_kept() == []


def test_only_some_groups_and_days_can_be_kept(planner_client, workspace_url, staged, imported, plain_csv):
    query = "?groups=vision,%20speech&until_day=1"
    page = review(planner_client, workspace_url, staged(plain_csv), query).content.decode()
    assert "4 rows read, 2 jobs" in page
    workload = imported(plain_csv, "some", groups="vision")
    assert workload.job_count == 3
    assert workload.report["dropped"]


@pytest.mark.parametrize("day", ["soon", "-1", "1e300", "nan"])
def test_a_day_that_is_no_number_is_told(planner_client, workspace_url, staged, plain_csv, day):
    page = review(planner_client, workspace_url, staged(plain_csv), f"?from_day={day}").content.decode()
    assert f"“{day}” is not a number of days" in page


def test_of_a_commit_and_a_cancel_at_the_same_time_one_counts(staged, planner, worker, plain_csv):
    upload = staged(plain_csv)
    reading = {"format": "auto", "mapping": None, "keep": {}}
    workload = upload_commit(upload, planner, name="kept", reading=reading)
    assert upload_cancel(upload) is False
    assert default_storage.exists(workload.original_file)
    with pytest.raises(InvalidInput, match="committed or cancelled already"):
        upload_commit(upload, planner, name="twice", reading=reading)
    assert Workload.unscoped.count() == 1


def test_files_that_no_row_names_are_swept_after_a_day(staged, plain_csv):
    upload = staged(plain_csv)
    orphan = default_storage.save("workloads/1/left-by-a-crash.csv", ContentFile(b"x"))
    assert files_sweep(timezone.now()) == 0
    assert files_sweep(timezone.now() + timedelta(hours=25)) == 1
    assert not default_storage.exists(orphan)
    assert default_storage.exists(upload.file)


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n" + bytes(200), b"\x1f\x8b\x08\x00cut"])
def test_what_is_no_text_asks_for_another_file_and_shows_no_mapping(
    planner_client, workspace_url, staged, content
):
    page = review(planner_client, workspace_url, staged(content)).content.decode()
    assert "Choose another file" in page
    assert "Read it otherwise" not in page


def test_the_time_zone_is_asked_for_in_formats_without_a_mapping(planner_client, workspace_url, staged):
    rows = "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-01 00:00:00,60,1,60,a\n"
    upload = staged(rows.encode())
    assert 'name="time_zone"' in review(planner_client, workspace_url, upload).content.decode()
    page = review(planner_client, workspace_url, upload, "?time_zone=Europe/Oslo").content.decode()
    assert "time zone Europe/Oslo" in page
