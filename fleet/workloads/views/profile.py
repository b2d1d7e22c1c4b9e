"""The profile page's content."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from fleet.accounts.access import WorkspaceRequest
from fleet.workloads.figures import profile_figures
from fleet.workloads.models import Workload
from fleet.workloads.selectors import ClusterChoice, cluster_choice
from fleet.workloads.services.profiles import MS_PER_HOUR


def offered_share(gpu_hours: float, span_ms: int, gpus: int) -> float | None:
    """GPU-hours asked for over the GPU-hours that the cluster has in the span; None without either."""
    capacity = gpus * span_ms / MS_PER_HOUR
    return gpu_hours / capacity if capacity else None


def profile_context(request: WorkspaceRequest, workload: Workload) -> dict[str, Any]:
    """What the profile page shows; the charts are fetched."""
    choice: ClusterChoice = cluster_choice(request.workspace, request.GET.get("cluster", ""))
    charts = reverse("workloads:workload_charts_json", args=[request.workspace.slug, workload.pk])
    asked = choice.chosen.pk if choice.chosen else "none"
    return {
        "profile": workload.profile,
        "report": workload.report,
        "choice": choice,
        "load": offered_share(workload.gpu_hours, workload.span_ms, choice.gpus),
        "charts": set(profile_figures(workload.profile)),
        "charts_url": f"{charts}?cluster={asked}",
    }
