"""Workloads over the API: list, one, its report, upload, delete."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import File, Form, Router, Status, UploadedFile
from ninja.pagination import LimitOffsetPagination, paginate

from fleet.accounts.models import Role
from fleet.api.access import enter
from fleet.api.errors import READ_ERRORS, WRITE_ERRORS
from fleet.api.schemas import WorkloadOut, WorkloadReportOut
from fleet.workloads.models import Workload
from fleet.workloads.selectors import workload_of, workloads_of
from fleet.workloads.services.changes import workload_delete
from fleet.workloads.services.uploads import upload_cancel, upload_commit, upload_stage

router = Router(tags=["workloads"])


@router.get("/w/{slug}/workloads", response={200: list[WorkloadOut], **READ_ERRORS})
@paginate(LimitOffsetPagination)
def workload_list(request: HttpRequest, slug: str, text: str = "", kind: str = "") -> QuerySet[Workload]:
    """The workspace's workloads, newest first."""
    return workloads_of(enter(request, slug).workspace, text=text, kind=kind)


@router.get("/w/{slug}/workloads/{workload_id}", response={200: WorkloadOut, **READ_ERRORS})
def workload_get(request: HttpRequest, slug: str, workload_id: int) -> Workload:
    """One workload; poll it while its state is "reading"."""
    return workload_of(enter(request, slug).workspace, workload_id)


@router.get("/w/{slug}/workloads/{workload_id}/report", response={200: WorkloadReportOut, **READ_ERRORS})
def workload_report(request: HttpRequest, slug: str, workload_id: int) -> Workload:
    """The import report and the profile."""
    return workload_of(enter(request, slug).workspace, workload_id)


@router.post("/w/{slug}/workloads", response={202: WorkloadOut, **WRITE_ERRORS})
def workload_upload(
    request: HttpRequest,
    slug: str,
    file: UploadedFile = File(...),  # noqa: B008 - how ninja declares parameters
    name: str = Form(..., min_length=1, max_length=120),
    format: str = Form("auto"),
) -> Status:
    """Upload a trace; a worker reads it. A name that exists gets its next version."""
    caller = enter(request, slug, Role.PLANNER)
    staged = upload_stage(caller.workspace, caller.user, file)
    reading = {"format": format, "mapping": None, "keep": {}}
    try:
        return Status(202, upload_commit(staged, caller.user, name=name, reading=reading))
    except BaseException:
        upload_cancel(staged)
        raise


@router.delete("/w/{slug}/workloads/{workload_id}", response={204: None, **WRITE_ERRORS})
def workload_remove(request: HttpRequest, slug: str, workload_id: int) -> Status:
    """Delete a workload and its files; studies keep their results."""
    caller = enter(request, slug, Role.PLANNER)
    workload_delete(workload_of(caller.workspace, workload_id), caller.user)
    return Status(204, None)
