"""One workload: its reading, its failure, its profile; what a person does to it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.workloads.models import State, Workload
from fleet.workloads.selectors import studies_using, workload_of
from fleet.workloads.services.changes import workload_cancel, workload_delete, workload_reopen, workload_retry
from fleet.workloads.views.profile import profile_context

ETA_FROM_SHARE = 0.1
STOP_POLLING = 286  # htmx stops asking at this status


@workspace_view(Role.VIEWER)
@require_GET
def workload_detail(request: WorkspaceRequest, workload_id: int) -> HttpResponse:
    """The profile; or how far the reading is; or why it failed."""
    workload = workload_of(request.workspace, workload_id)
    context: dict[str, Any] = {"section": "workloads", "workload": workload}
    if workload.state == State.READY:
        return render(request, "workloads/profile.html", context | profile_context(request, workload))
    return render(request, "workloads/reading.html", context | reading_times(workload))


def reading_times(workload: Workload) -> dict[str, float | None]:
    """Seconds since the import was asked for, and until it is done as far as that can be told."""
    elapsed_s = (timezone.now() - workload.created_at).total_seconds()
    share = workload.progress
    eta_s = elapsed_s * (1 - share) / share if share >= ETA_FROM_SHARE else None
    return {"elapsed_s": elapsed_s, "eta_s": eta_s}


@workspace_view(Role.VIEWER)
@require_GET
def workload_progress(request: WorkspaceRequest, workload_id: int) -> HttpResponse:
    """The progress of a reading, asked for every half second; when it is over the page is loaded anew."""
    workload = Workload.objects.in_workspace(request.workspace).filter(pk=workload_id).first()
    if workload is None:
        return HttpResponse(status=404, headers={"HX-Refresh": "true"})
    if workload.state != State.READING:
        return HttpResponse(status=STOP_POLLING, headers={"HX-Refresh": "true"})
    return render(request, "workloads/progress.html", {"workload": workload} | reading_times(workload))


@workspace_view(Role.VIEWER)
@require_GET
def workload_refused(request: WorkspaceRequest, workload_id: int) -> HttpResponseBase:
    """The refused rows with their reasons, as CSV."""
    workload = workload_of(request.workspace, workload_id)
    if not workload.refused_file:
        raise Http404("This workload has no refused rows.")
    return FileResponse(
        default_storage.open(workload.refused_file),
        as_attachment=True,
        filename=f"{workload.name}-refused.csv",
        content_type="text/csv; charset=utf-8",
    )


@workspace_view(Role.PLANNER)
@require_POST
def workload_cancel_view(request: WorkspaceRequest, workload_id: int) -> HttpResponse:
    workload = workload_of(request.workspace, workload_id)
    if workload_cancel(workload, request.user):
        messages.info(request, f"Reading {workload} was cancelled; nothing was kept.")
        return redirect("workloads:workload_list", request.workspace.slug)
    messages.info(request, f"{workload} was finished already.")
    return redirect(workload)


@workspace_view(Role.PLANNER)
@require_POST
def workload_retry_view(request: WorkspaceRequest, workload_id: int) -> HttpResponse:
    workload = workload_of(request.workspace, workload_id)
    workload_retry(workload, request.user)
    return redirect(workload)


@workspace_view(Role.PLANNER)
@require_POST
def workload_reopen_view(request: WorkspaceRequest, workload_id: int) -> HttpResponse:
    """Back to the wizard with a file that could not be read."""
    workload = workload_of(request.workspace, workload_id)
    upload = workload_reopen(workload, request.user)
    if upload is None:
        return redirect(workload)
    return redirect("workloads:upload_review", request.workspace.slug, upload.pk)


@workspace_view(Role.PLANNER)
def workload_delete_view(request: WorkspaceRequest, workload_id: int) -> HttpResponse:
    """Ask, then delete."""
    workload = workload_of(request.workspace, workload_id)
    if request.method == "POST":
        workload_delete(workload, request.user)
        messages.success(request, f"{workload} was deleted.")
        return redirect("workloads:workload_list", request.workspace.slug)
    context = {"section": "workloads", "workload": workload, "studies": studies_using(workload)}
    return render(request, "workloads/delete.html", context)
