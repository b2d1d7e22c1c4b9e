"""Reading workloads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import Q, QuerySet
from django.http import Http404

from fleet.accounts.models import Workspace
from fleet.inventory.models import Cluster
from fleet.inventory.values import cluster_value
from fleet.workloads.models import Kind, StagedUpload, State, Workload, WorkloadMix
from twin.problems import InvalidInput

SORTS = {
    "name": ("name", "-version"),
    "jobs": ("job_count", "id"),
    "gpu_hours": ("gpu_hours", "id"),
    "span": ("span_ms", "id"),
    "added": ("created_at", "id"),
}
HEAVY = ("profile", "report", "mix_spec")


def workloads_of(
    workspace: Workspace, *, text: str = "", kind: str = "", sort: str = "-added"
) -> QuerySet[Workload]:
    """The workspace's workloads without their profiles, narrowed and sorted ("-" first: descending)."""
    found = Workload.objects.in_workspace(workspace).defer(*HEAVY).select_related("uploaded_by", "workspace")
    if text:
        found = found.filter(Q(name__icontains=text) | Q(original_name__icontains=text))
    if kind in Kind.values:
        found = found.filter(kind=kind)
    keys = SORTS.get(sort.removeprefix("-"), SORTS["added"])
    return found.order_by(*(_turned(key) if sort.startswith("-") else key for key in keys))


def _turned(key: str) -> str:
    return key.removeprefix("-") if key.startswith("-") else f"-{key}"


def ready_workloads(workspace: Workspace) -> QuerySet[Workload]:
    """What a study can run."""
    return workloads_of(workspace).filter(state=State.READY)


def workload_of(workspace: Workspace, pk: int) -> Workload:
    """One workload of the workspace, or 404."""
    found = Workload.objects.in_workspace(workspace).select_related("workspace", "uploaded_by", "mix")
    workload = found.filter(pk=pk).first()
    if workload is None:
        raise Http404("No such workload in this workspace.")
    return workload


def same_file(workspace: Workspace, sha256: str) -> Workload | None:
    """The newest workload that was read from the very same file."""
    same = Workload.objects.in_workspace(workspace).exclude(state=State.FAILED)
    return same.filter(original_sha256=sha256).defer(*HEAVY).select_related("workspace").first()


def studies_using(workload: Workload) -> QuerySet[Any]:
    """The studies that run on this workload (the planning app is above this one, hence by name)."""
    study = apps.get_model("planning", "Study")
    return study.objects.in_workspace(workload.workspace).filter(workload=workload)


def upload_of(workspace: Workspace, pk: object) -> StagedUpload:
    """One staged upload of the workspace, or 404."""
    upload = StagedUpload.objects.in_workspace(workspace).select_related("workspace").filter(pk=pk).first()
    if upload is None:
        raise Http404("This upload was committed, cancelled or too old.")
    return upload


def mixes_of(workspace: Workspace) -> QuerySet[WorkloadMix]:
    """The workspace's mixes, by name."""
    return WorkloadMix.objects.in_workspace(workspace).select_related("workspace", "created_by")


def mix_of(workspace: Workspace, pk: int) -> WorkloadMix:
    """One mix of the workspace, or 404."""
    mix = mixes_of(workspace).filter(pk=pk).first()
    if mix is None:
        raise Http404("No such mix in this workspace.")
    return mix


@dataclass(frozen=True, slots=True)
class ClusterChoice:
    """The clusters that a load can be held against, and the one that the address names."""

    clusters: tuple[Cluster, ...]
    chosen: Cluster | None = None
    gpus: int = 0


def cluster_choice(workspace: Workspace, asked: str) -> ClusterChoice:
    """The cluster of this id; without one the first real cluster that has pools; "none": no cluster."""
    clusters = tuple(
        Cluster.objects.in_workspace(workspace)
        .prefetch_related("pools__gpu", "pools__node_type__gpu", "pools__capacities")
        .order_by("is_candidate", "name")
    )
    wanted = [each for each in clusters if str(each.pk) == asked]
    for cluster in wanted if asked else clusters:
        try:
            return ClusterChoice(clusters, cluster, cluster_value(cluster).gpus)
        except InvalidInput:
            continue
    return ClusterChoice(clusters)
