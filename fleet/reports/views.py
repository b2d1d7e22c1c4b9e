"""Pages of reports: the schedules, the archive, and one report."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.reports import selectors, services
from fleet.reports.forms import ScheduleForm
from fleet.reports.models import Report, ReportSchedule

PAGE_SIZE = 25
SECTION = {"section": "reports"}


def _schedule(request: WorkspaceRequest, pk: int) -> ReportSchedule:
    schedules = ReportSchedule.objects.in_workspace(request.workspace)
    return get_object_or_404(schedules.select_related("workspace", "study__workload", "periodic_task"), pk=pk)


def _report(request: WorkspaceRequest, pk: int) -> Report:
    reports = Report.objects.in_workspace(request.workspace)
    return get_object_or_404(reports.select_related("workspace", "schedule", "study"), pk=pk)


@workspace_view(Role.VIEWER)
def schedule_list(request: WorkspaceRequest) -> HttpResponse:
    """Schedules above, the newest reports below."""
    context = SECTION | {
        "schedules": selectors.schedules_of(request.workspace),
        "reports": selectors.reports_of(request.workspace)[:10],
    }
    return render(request, "reports/schedule_list.html", context)


@workspace_view(Role.PLANNER)
def schedule_new(request: WorkspaceRequest) -> HttpResponse:
    initial = {"study": request.GET.get("study")}
    return _edit(request, ReportSchedule(workspace=request.workspace), initial)


@workspace_view(Role.PLANNER)
def schedule_edit(request: WorkspaceRequest, pk: int) -> HttpResponse:
    return _edit(request, _schedule(request, pk), {})


def _edit(
    request: WorkspaceRequest, schedule: ReportSchedule, initial: dict[str, str | None]
) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = ScheduleForm(data, instance=schedule, initial=initial, workspace=request.workspace)
    if data is not None and form.is_valid():
        is_new = schedule.pk is None
        save = services.schedule_create if is_new else services.schedule_update
        try:
            saved = save(form.save(commit=False), request.user)
        except IntegrityError:  # somebody took the name since the form looked
            form.add_error("name", "A schedule of this name was made just now; choose another name.")
        else:
            messages.success(request, f"“{saved}” is saved: {saved.in_words}.")
            return redirect("reports:schedule_detail", request.workspace.slug, saved.pk)
    context = SECTION | {"form": form, "schedule": schedule}
    return render(request, "reports/schedule_form.html", context, status=422 if form.errors else 200)


@workspace_view(Role.VIEWER)
def schedule_detail(request: WorkspaceRequest, pk: int) -> HttpResponse:
    schedule = _schedule(request, pk)
    history = selectors.reports_of(request.workspace, schedule=str(schedule.pk))
    page = Paginator(history, PAGE_SIZE).get_page(request.GET.get("page"))
    context = SECTION | {"schedule": schedule, "page": page, "next_due": schedule.next_due()}
    return render(request, "reports/schedule_detail.html", context)


@workspace_view(Role.PLANNER)
@require_POST
def schedule_pause(request: WorkspaceRequest, pk: int) -> HttpResponse:
    """Pause, or go on: ``enabled`` in the form is 1 or 0."""
    enabled = request.POST.get("enabled") == "1"
    schedule = services.schedule_pause(_schedule(request, pk), request.user, enabled=enabled)
    messages.success(request, f"“{schedule}” {'goes on' if enabled else 'is paused'}.")
    return redirect("reports:schedule_detail", request.workspace.slug, pk)


@workspace_view(Role.PLANNER)
@require_POST
def schedule_run(request: WorkspaceRequest, pk: int) -> HttpResponse:
    """Make a report now."""
    report = services.schedule_run(_schedule(request, pk), timezone.now(), request.user)
    return redirect("reports:report_detail", request.workspace.slug, report.pk)


@workspace_view(Role.PLANNER)
def schedule_delete(request: WorkspaceRequest, pk: int) -> HttpResponse:
    schedule = _schedule(request, pk)
    if request.method == "POST":
        services.schedule_delete(schedule, request.user)
        messages.success(request, f"“{schedule}” is deleted; its reports stay in the archive.")
        return redirect("reports:schedule_list", request.workspace.slug)
    return render(request, "reports/schedule_delete.html", SECTION | {"schedule": schedule})


@workspace_view(Role.VIEWER)
def report_list(request: WorkspaceRequest) -> HttpResponse:
    """The archive; text, state and schedule filter it from the URL."""
    chosen = {name: request.GET.get(name, "").strip() for name in ("text", "state", "schedule")}
    reports = selectors.reports_of(request.workspace, **chosen)
    context = SECTION | {
        "page": Paginator(reports, PAGE_SIZE).get_page(request.GET.get("page")),
        "chosen": chosen,
        "states": Report.State.choices,
        "schedules": ReportSchedule.objects.in_workspace(request.workspace),
    }
    return render(request, "reports/report_list.html", context)


@workspace_view(Role.VIEWER)
def report_detail(request: WorkspaceRequest, pk: int) -> HttpResponse:
    """Where a report stands, with its page inside."""
    report = _report(request, pk)
    state = "reports/parts/report_state.html"
    template = state if request.htmx else "reports/report_detail.html"
    return render(request, template, SECTION | {"report": report})


@workspace_view(Role.VIEWER)
@xframe_options_sameorigin
def report_page(request: WorkspaceRequest, pk: int) -> HttpResponse:
    """The report's own page, as it was stored; ``?download=1`` saves it."""
    report = _report(request, pk)
    if report.state != Report.State.READY:
        raise Http404("This report has no page.")
    with report.page.open("rb") as file:
        response = HttpResponse(file.read(), content_type="text/html; charset=utf-8")
    if request.GET.get("download"):
        response["Content-Disposition"] = f'attachment; filename="capacity-report-{report.pk}.html"'
    return response


@workspace_view(Role.PLANNER)
def report_delete(request: WorkspaceRequest, pk: int) -> HttpResponse:
    report = _report(request, pk)
    if request.method == "POST":
        services.report_delete(report, request.user)
        messages.success(request, f"“{report}” is deleted.")
        return redirect("reports:report_list", request.workspace.slug)
    return render(request, "reports/report_delete.html", SECTION | {"report": report})
