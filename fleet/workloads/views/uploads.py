"""The import wizard: upload, then one page to recognise, map and preview, then commit or cancel."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.workloads.forms import ReadingForm, field_label, reading_of
from fleet.workloads.models import StagedUpload
from fleet.workloads.selectors import same_file, upload_of
from fleet.workloads.services.mappings import mapping_keep
from fleet.workloads.services.preview import JOB_COLUMNS, Preview, upload_preview
from fleet.workloads.services.uploads import size_text, upload_cancel, upload_commit, upload_stage
from fleet.workloads.upload_limit import body_too_large
from twin.problems import InvalidInput

NAME_LENGTH = 120


@csrf_exempt  # the check reads the body, so the size is looked at first; csrf_protect follows at once
def upload(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The upload form, and where it is sent to."""
    if request.method == "POST" and body_too_large(int(request.META.get("CONTENT_LENGTH") or 0)):
        limit = size_text(settings.UPLOAD_LIMIT_BYTES)
        problem = f"The file is larger than this site takes ({limit}). Compress it with gzip, or split it."
        return JsonResponse({"problems": [problem]}, status=413)
    return _checked_upload(request, slug)


@csrf_protect
@workspace_view(Role.PLANNER)
def _checked_upload(request: WorkspaceRequest) -> HttpResponse:
    if request.method != "POST":
        return _upload_page(request, [])
    try:
        uploaded = request.FILES.get("file")
    except MultiPartParserError:
        uploaded = None
    if uploaded is None:
        return _refused(request, ["No file arrived: choose one, or try again if the connection was cut."])
    try:
        staged = upload_stage(request.workspace, request.user, uploaded)
    except InvalidInput as error:
        return _refused(request, [str(problem) for problem in error.problems])
    url = reverse("workloads:upload_review", args=[request.workspace.slug, staged.pk])
    return JsonResponse({"url": url}, status=201) if _wants_json(request) else redirect(url)


upload.workspace_roles = _checked_upload.workspace_roles  # type: ignore[attr-defined]


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _refused(request: WorkspaceRequest, problems: list[str]) -> HttpResponse:
    if _wants_json(request):
        return JsonResponse({"problems": problems}, status=422)
    return _upload_page(request, problems)


def _upload_page(request: WorkspaceRequest, problems: list[str]) -> HttpResponse:
    context = {
        "section": "workloads",
        "problems": problems,
        "limit_bytes": settings.UPLOAD_LIMIT_BYTES,
    }
    return render(request, "workloads/upload.html", context, status=422 if problems else 200)


@workspace_view(Role.PLANNER)
@require_GET
def upload_review(request: WorkspaceRequest, upload_id: uuid.UUID) -> HttpResponse:
    """What was understood of an upload; the query string says how to read it otherwise."""
    staged = upload_of(request.workspace, upload_id)
    return _review_page(request, staged, request.GET, [])


def _review_page(
    request: WorkspaceRequest, staged: StagedUpload, data: QueryDict, problems: list[str]
) -> HttpResponse:
    preview = _preview(staged, data)
    form = ReadingForm(data or None, header=preview.header, guessed=preview.columns)
    context: dict[str, Any] = {
        "section": "workloads",
        "upload": staged,
        "preview": preview,
        "understood": [(field_label(name), column) for name, column in preview.columns.items()],
        "form": form,
        "plain_fields": [form[name] for name in form.fields if "-" not in name],
        "job_columns": JOB_COLUMNS,
        "job_rows": [_cells(row) for row in preview.job_rows],
        "asked": data.urlencode(),
        "hidden": [(key, value) for key, value in data.items() if key not in ("name", "csrfmiddlewaretoken")],
        "name": data.get("name") or staged.original_name.split(".")[0][:NAME_LENGTH] or "trace",
        "same": same_file(request.workspace, staged.sha256),
        "problems": problems,
    }
    return render(request, "workloads/review.html", context, status=422 if problems else 200)


def _cells(row: tuple[object, ...]) -> list[tuple[bool, str | None]]:
    """A row of jobs for the table: whether the column is numeric, and the value in words."""
    cells = []
    for column, value in zip(JOB_COLUMNS, row, strict=True):
        told = f"{value:,.10g}" if isinstance(value, int | float) else value
        cells.append((column.numeric, None if told is None else str(told)))
    return cells


def _preview(staged: StagedUpload, data: QueryDict) -> Preview:
    try:
        return upload_preview(staged, reading_of(data) if data else None)
    except InvalidInput as error:
        return Preview(problems=error.problems)


@workspace_view(Role.PLANNER)
@require_POST
def upload_commit_view(request: WorkspaceRequest, upload_id: uuid.UUID) -> HttpResponse:
    """Make the upload a workload; a worker reads it."""
    staged = upload_of(request.workspace, upload_id)
    name = request.POST.get("name", "").strip()
    if not 0 < len(name) <= NAME_LENGTH:
        return _review_page(
            request, staged, request.POST, [f"Give the workload a name, at most {NAME_LENGTH} letters."]
        )
    preview = _preview(staged, request.POST)
    if preview.reading is None or not preview.is_readable:
        return _review_page(
            request, staged, request.POST, ["The file cannot be read this way yet; see below."]
        )
    if preview.header:
        mapping_keep(request.workspace, preview.header, preview.reading["mapping"] or {})
    try:
        return redirect(upload_commit(staged, request.user, name=name, reading=preview.reading))
    except InvalidInput as error:  # somebody was quicker
        messages.error(request, str(error))
        return redirect("workloads:workload_list", request.workspace.slug)


@workspace_view(Role.PLANNER)
@require_POST
def upload_cancel_view(request: WorkspaceRequest, upload_id: uuid.UUID) -> HttpResponse:
    """Forget the upload."""
    upload_cancel(upload_of(request.workspace, upload_id))
    messages.info(request, "The upload was cancelled; nothing was kept.")
    return redirect("workloads:workload_list", request.workspace.slug)
