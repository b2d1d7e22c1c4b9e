"""Pages of studies: list, new, detail with progress, and what can be done to one."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.planning import services
from fleet.planning.forms import MS_A_DAY, StudyForm, TargetsForm
from fleet.planning.models import Study
from fleet.planning.selectors.preview import study_preview as preview_of
from fleet.planning.selectors.staleness import changes_since
from fleet.planning.selectors.studies import (
    progress_of,
    runs_by_study,
    scenario_progress,
    scenarios_in_progress,
    studies_of,
)
from fleet.whole_numbers import whole_number

PAGE_SIZE = 25


def study_or_404(request: WorkspaceRequest, pk: int) -> Study:
    """The study, only if it is of the request's workspace."""
    studies = Study.objects.in_workspace(request.workspace).select_related(
        "workspace", "workload", "baseline", "created_by"
    )
    return get_object_or_404(studies, pk=pk)


@workspace_view(Role.VIEWER)
def study_list(request: WorkspaceRequest) -> HttpResponse:
    studies = studies_of(request.workspace)
    text = request.GET.get("q", "").strip()
    if text:
        studies = studies.filter(name__icontains=text)
    page = Paginator(studies, PAGE_SIZE).get_page(request.GET.get("page"))
    runs, now = runs_by_study(list(page)), timezone.now()
    rows = [(study, progress_of(runs[study.pk], now)) for study in page]
    context = {"section": "studies", "page": page, "rows": rows, "q": text}
    return render(request, "planning/study_list.html", context)


@workspace_view(Role.PLANNER)
def study_new(request: WorkspaceRequest) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = StudyForm(data, workspace=request.workspace, initial=_initial(request))
    if data is not None and form.is_valid():
        try:
            study = services.study_create(request.workspace, request.user, form.draft())
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect("planning:study_detail", request.workspace.slug, study.pk)
    context = {"section": "studies", "form": form, "missing": _missing(form)}
    return render(request, "planning/study_form.html", context, status=422 if form.errors else 200)


@workspace_view(Role.PLANNER)
def study_preview(request: WorkspaceRequest) -> HttpResponse:
    """How many scenarios the form asks for, and whether the clusters can carry the load."""
    preview = preview_of(request.workspace, request.GET)
    return render(request, "planning/parts/study_preview.html", {"preview": preview})


@workspace_view(Role.VIEWER)
def study_detail(request: WorkspaceRequest, pk: int) -> HttpResponse:
    study = study_or_404(request, pk)
    context = _progress_context(study) | {"section": "studies"}
    context["changes"] = changes_since(study, context["scenarios"])
    context["rounds"] = range(study.round - 1, 0, -1)
    return render(request, "planning/study_detail.html", context)


@workspace_view(Role.VIEWER)
def study_progress(request: WorkspaceRequest, pk: int) -> HttpResponse:
    """The part of the page that changes while the study runs."""
    return render(request, "planning/parts/study_progress.html", _progress_context(study_or_404(request, pk)))


def _progress_context(study: Study) -> dict[str, object]:
    scenarios = scenarios_in_progress(study)
    runs = [run for scenario in scenarios for run in scenario.runs.all()]
    now = timezone.now()
    return {
        "study": study,
        "scenarios": scenarios,
        "progress": progress_of(runs, now),
        "rows": [scenario_progress(scenario, now) for scenario in scenarios],
    }


@require_POST
@workspace_view(Role.PLANNER)
def study_cancel(request: WorkspaceRequest, pk: int) -> HttpResponse:
    return _act(request, pk, services.study_cancel, "Nothing was left to cancel.")


@require_POST
@workspace_view(Role.PLANNER)
def study_retry(request: WorkspaceRequest, pk: int) -> HttpResponse:
    return _act(request, pk, services.study_retry, "Nothing had failed.")


def _act(request: WorkspaceRequest, pk: int, act: Callable[..., int], nothing: str) -> HttpResponse:
    study = study_or_404(request, pk)
    if not act(study, request.user):
        messages.info(request, nothing)
    return redirect("planning:study_detail", request.workspace.slug, study.pk)


@require_POST
@workspace_view(Role.PLANNER)
def study_run_again(request: WorkspaceRequest, pk: int) -> HttpResponse:
    study = study_or_404(request, pk)
    try:
        services.study_run_again(study, request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("planning:study_detail", request.workspace.slug, study.pk)


@workspace_view(Role.PLANNER)
def study_targets(request: WorkspaceRequest, pk: int) -> HttpResponse:
    """How soon jobs should start; the comparison follows at once, without a replay."""
    study = study_or_404(request, pk)
    data = request.POST if request.method == "POST" else None
    form = TargetsForm(data, targets=study.targets)
    if data is not None and form.is_valid():
        services.study_set_targets(study, request.user, form.cleaned_data)
        return redirect("planning:compare", request.workspace.slug, study.pk)
    context = {"section": "studies", "study": study, "form": form}
    return render(request, "planning/study_targets.html", context, status=422 if form.errors else 200)


@workspace_view(Role.PLANNER)
def study_delete(request: WorkspaceRequest, pk: int) -> HttpResponse:
    study = study_or_404(request, pk)
    if request.method == "POST":
        services.study_delete(study, request.user)
        messages.success(request, f"Deleted the study “{study.name}”.")
        return redirect("planning:study_list", request.workspace.slug)
    context = {
        "section": "studies",
        "kind": "study",
        "name": study.name,
        "effect": "Its scenarios, runs and results go with it. Clusters, policies and the workload stay.",
        "back": reverse("planning:study_detail", args=[request.workspace.slug, study.pk]),
    }
    return render(request, "planning/confirm_delete.html", context)


def _initial(request: WorkspaceRequest) -> dict[str, object]:
    """What the form starts with: the study in ``?clone=``, or the fields in the query."""
    cloned = whole_number(request.GET.get("clone", ""))
    if cloned is None:
        return request.GET.dict()
    study = study_or_404(request, cloned)
    scenarios = scenarios_in_progress(study)
    return {
        "name": f"{study.name} (copy)"[:120],
        "note": study.note,
        "workload": study.workload_id,
        "baseline": study.baseline_id,
        "candidates": {scenario.cluster_id for scenario in scenarios} - {study.baseline_id},
        "policies": {scenario.policy_id for scenario in scenarios},
        "seeds": max(len(study.seeds), 1),
        "horizon_days": None if study.horizon_ms is None else study.horizon_ms / MS_A_DAY,
    }


def _missing(form: StudyForm) -> list[str]:
    """What must exist before a study can be asked."""
    needed = {"workload": "a workload that has been read", "baseline": "a cluster", "policies": "a policy"}
    return [what for field, what in needed.items() if not form.fields[field].queryset.exists()]
