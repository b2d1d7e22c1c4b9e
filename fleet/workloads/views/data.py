"""The profile as data: its JSON, its figures, and each figure as CSV."""

from __future__ import annotations

from django.http import Http404, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.workloads.figure_csv import figure_csv
from fleet.workloads.figures import Figure, profile_figures
from fleet.workloads.models import Workload
from fleet.workloads.selectors import cluster_choice, workload_of


@workspace_view(Role.VIEWER)
@require_GET
def profile_json(request: WorkspaceRequest, workload_id: int) -> JsonResponse:
    """The profile and the import report."""
    workload = workload_of(request.workspace, workload_id)
    return JsonResponse(
        {
            "name": workload.name,
            "version": workload.version,
            "kind": workload.kind,
            "state": workload.state,
            "sha256": workload.sha256,
            "profile": workload.profile,
            "report": workload.report,
        }
    )


def _figures(request: WorkspaceRequest, workload: Workload) -> dict[str, Figure]:
    if not workload.is_ready:
        return {}
    choice = cluster_choice(request.workspace, request.GET.get("cluster", ""))
    return profile_figures(workload.profile, str(choice.chosen or ""), choice.gpus)


@workspace_view(Role.VIEWER)
@require_GET
def charts_json(request: WorkspaceRequest, workload_id: int) -> JsonResponse:
    """All figures of the profile."""
    return JsonResponse(_figures(request, workload_of(request.workspace, workload_id)))


@workspace_view(Role.VIEWER)
@require_GET
def chart_csv(request: WorkspaceRequest, workload_id: int, chart: str) -> HttpResponse:
    """One figure's numbers."""
    figures = _figures(request, workload_of(request.workspace, workload_id))
    if chart not in figures:
        raise Http404(f"No such chart; there are {', '.join(figures) or 'none'}.")
    response = HttpResponse(figure_csv(figures[chart]), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{chart}.csv"'
    return response
