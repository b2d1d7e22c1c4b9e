"""Clusters and the catalogue as files: import and export."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.text import slugify

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.inventory import selectors, services
from fleet.inventory.file_format import ACCEPTED_FIELDS, EXAMPLE
from fleet.inventory.forms import ImportForm
from fleet.inventory.views.catalogue import chosen_gpus
from fleet.inventory.views.clusters import chosen_clusters, cluster_of, to_cluster
from twin.problems import InvalidInput
from twin.spreadsheet import safe_cell

CLUSTER_HEADER = (
    "name", "kind", "derived_from", "gpus", "nodes", "gpu_models",
    "hardware_per_year", "currency", "power_kw_all_busy", "updated_at_utc",
)  # fmt: skip
POOL_COLUMNS = (
    "name", "nodes", "gpus_per_node", "cpus", "memory_gb", "nodes_per_rack", "speed",
    "node_price", "rent_per_gpu_hour", "node_idle_w", "node_busy_w",
)  # fmt: skip


def _csv(name: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """A CSV file; a missing figure is empty, no text is taken for a formula."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    writer = csv.writer(response)
    writer.writerow(header)
    for row in rows:
        writer.writerow([safe_cell(value) for value in row])
    return response


@workspace_view(Role.PLANNER)
def cluster_import(request: WorkspaceRequest) -> HttpResponseBase:
    """Make a cluster from ``cluster.yaml``; every problem of the file is shown at once."""
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    problems: tuple[Any, ...] = ()
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            cluster = services.cluster_import_yaml(
                request.workspace,
                request.user,
                data["text"],
                data["source"],
                is_candidate=data["is_candidate"],
                replace=data["replace"],
            )
        except InvalidInput as error:
            problems = error.problems
        else:
            messages.success(request, f"{cluster.name} is imported.")
            return to_cluster(request, cluster)
    context = {
        "section": "inventory",
        "form": form,
        "problems": problems,
        "accepted": ACCEPTED_FIELDS,
        "example": EXAMPLE,
    }
    return render(request, "inventory/cluster_import.html", context)


@workspace_view(Role.VIEWER)
def cluster_yaml(request: WorkspaceRequest, cluster_id: int) -> HttpResponseBase:
    """The cluster as ``cluster.yaml``."""
    cluster = cluster_of(request, cluster_id)
    try:
        text = services.cluster_export_yaml(cluster)
    except InvalidInput as error:
        messages.error(request, str(error))
        return to_cluster(request, cluster)
    response = HttpResponse(text, content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(cluster.name) or "cluster"}.yaml"'
    return response


@workspace_view(Role.VIEWER)
def cluster_csv(request: WorkspaceRequest, cluster_id: int) -> HttpResponseBase:
    """The cluster's pools as CSV; prices in the cluster's currency."""
    cluster = cluster_of(request, cluster_id)
    header = ("cluster", "currency", "gpu", "gpus", *POOL_COLUMNS)
    rows = [
        [cluster.name, cluster.currency, value.gpu.name, value.gpus]
        + [getattr(value, column) for column in POOL_COLUMNS]
        for value in (row.value for row in selectors.pool_rows(cluster))
    ]
    return _csv(slugify(cluster.name) or "cluster", header, rows)


@workspace_view(Role.VIEWER)
def cluster_list_csv(request: WorkspaceRequest) -> HttpResponseBase:
    """The list of clusters as it is filtered and sorted."""
    _, rows = chosen_clusters(request)
    told = [
        (
            row.name,
            row.kind,
            row.cluster.derived_from,
            row.gpus,
            row.nodes,
            " ".join(row.gpu_models),
            row.hardware_per_year,
            row.cluster.currency,
            row.power_kw,
            row.updated_at.isoformat(timespec="seconds"),
        )
        for row in rows
    ]
    return _csv("clusters", CLUSTER_HEADER, told)


@workspace_view(Role.VIEWER)
def gpu_list_csv(request: WorkspaceRequest) -> HttpResponseBase:
    """The GPU models as they are filtered and sorted, with sources."""
    _, gpus = chosen_gpus(request)
    columns = (*selectors.GPU_SORTS, "source", "confidence")
    return _csv("gpu-models", columns, gpus.values_list(*columns))
