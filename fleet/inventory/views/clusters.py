"""Clusters: list, detail, new, edit, clone, derive, delete."""

from __future__ import annotations

import datetime

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.forms import add_service_error
from fleet.accounts.models import Role
from fleet.inventory import selectors, services
from fleet.inventory.forms import ClusterForm, pool_formset
from fleet.inventory.models import Cluster, Pool
from fleet.inventory.services.clusters import CLUSTER_FIELDS
from fleet.inventory.values import nodes_in_service

CLUSTERS_A_PAGE = 50


def cluster_of(request: WorkspaceRequest, cluster_id: int) -> Cluster:
    """The workspace's cluster, with its pools, or 404."""
    return get_object_or_404(selectors.clusters_of(request.workspace), pk=cluster_id)


def to_cluster(request: WorkspaceRequest, cluster: Cluster) -> HttpResponse:
    return redirect("inventory:cluster_detail", request.workspace.slug, cluster.pk)


def chosen_clusters(request: WorkspaceRequest) -> tuple[dict[str, str], list[selectors.ClusterRow]]:
    """The filters and sort of the address, and the clusters that they leave."""
    chosen = {key: request.GET.get(key, "").strip() for key in ("text", "kind", "gpu")}
    found = selectors.clusters_of(request.workspace, **chosen)
    return chosen, selectors.cluster_rows(found, request.GET.get("sort", ""))


@workspace_view(Role.VIEWER)
def cluster_list(request: WorkspaceRequest) -> HttpResponseBase:
    """Real and candidate clusters with their totals."""
    chosen, rows = chosen_clusters(request)
    every_row = (
        rows if not any(chosen.values()) else selectors.cluster_rows(selectors.clusters_of(request.workspace))
    )
    context = {
        "section": "inventory",
        "page": Paginator(rows, CLUSTERS_A_PAGE).get_page(request.GET.get("page")),
        "chosen": chosen,
        "filtered": any(chosen.values()),
        "sort": request.GET.get("sort", ""),
        "gpu_models": sorted({name for row in every_row for name in row.gpu_models}),
    }
    return render(request, "inventory/cluster_list.html", context)


@workspace_view(Role.VIEWER)
def cluster_detail(request: WorkspaceRequest, cluster_id: int) -> HttpResponseBase:
    """One cluster: facts, pools, dated capacity, what it differs in from its origin, where it is used."""
    cluster = cluster_of(request, cluster_id)
    today = timezone.now().astimezone(datetime.UTC).date()
    pools = Pool.objects.filter(cluster=cluster).prefetch_related("capacities")
    dated = [(pool, nodes_in_service(pool, today)) for pool in pools if pool.capacities.all()]
    context = {
        "section": "inventory",
        "cluster": cluster,
        "row": selectors.cluster_row(cluster),
        "pools": selectors.pool_rows(cluster),
        "dated": dated,
        "today": today,
        "differences": selectors.cluster_differences(cluster),
        "candidates": cluster.candidates.all(),
        "studies": selectors.studies_using(cluster),
    }
    return render(request, "inventory/cluster_detail.html", context)


def _edit(request: WorkspaceRequest, cluster: Cluster | None) -> HttpResponseBase:
    """The form of a cluster and its pools, for a new one (None) and for an existing one."""
    data = request.POST if request.method == "POST" else None
    form = ClusterForm(data, instance=cluster, workspace=request.workspace)
    pools = pool_formset(request.workspace, data, cluster)
    if data is not None and all([form.is_valid(), pools.is_valid()]):
        fields = {name: form.cleaned_data[name] for name in CLUSTER_FIELDS}
        try:
            if cluster is None:
                saved = services.cluster_create(request.workspace, request.user, pools=pools.pools, **fields)
            else:
                saved = services.cluster_update(cluster, request.user, pools=pools.pools, **fields)
        except ValidationError as error:
            add_service_error(form, error)
        else:
            messages.success(request, f"{saved.name} is saved.")
            return to_cluster(request, saved)
    context = {"section": "inventory", "cluster": cluster, "form": form, "pools": pools}
    return render(request, "inventory/cluster_form.html", context)


@workspace_view(Role.PLANNER)
def cluster_new(request: WorkspaceRequest) -> HttpResponseBase:
    """Describe a cluster by hand."""
    return _edit(request, None)


@workspace_view(Role.PLANNER)
def cluster_edit(request: WorkspaceRequest, cluster_id: int) -> HttpResponseBase:
    """Change a cluster; studies that ran keep their snapshots."""
    return _edit(request, cluster_of(request, cluster_id))


@workspace_view(Role.PLANNER)
@require_POST
def cluster_clone(request: WorkspaceRequest, cluster_id: int) -> HttpResponseBase:
    """An independent copy, opened for editing."""
    copy = services.cluster_clone(cluster_of(request, cluster_id), request.user)
    messages.success(request, f"{copy.name} is made; change what differs.")
    return redirect("inventory:cluster_edit", request.workspace.slug, copy.pk)


@workspace_view(Role.PLANNER)
@require_POST
def cluster_derive(request: WorkspaceRequest, cluster_id: int) -> HttpResponseBase:
    """A candidate that remembers this cluster, opened for editing."""
    candidate = services.cluster_derive(cluster_of(request, cluster_id), request.user)
    messages.success(request, f"{candidate.name} is made; change what differs.")
    return redirect("inventory:cluster_edit", request.workspace.slug, candidate.pk)


@workspace_view(Role.PLANNER)
def cluster_delete(request: WorkspaceRequest, cluster_id: int) -> HttpResponseBase:
    """Ask, then delete."""
    cluster = cluster_of(request, cluster_id)
    if request.method == "POST":
        services.cluster_delete(cluster, request.user)
        messages.success(request, f"{cluster.name} is deleted.")
        return redirect("inventory:cluster_list", request.workspace.slug)
    context = {
        "section": "inventory",
        "cluster": cluster,
        "studies": selectors.studies_using(cluster),
        "candidates": cluster.candidates.all(),
    }
    return render(request, "inventory/cluster_delete.html", context)
