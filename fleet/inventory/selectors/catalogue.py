"""Reading GPU models and node types: the built-in ones together with the workspace's."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from fleet.accounts.models import Workspace
from fleet.inventory.models import GpuModel, NodeType

GPU_SORTS = (
    "name",
    "vendor",
    "architecture",
    "launch_year",
    "memory_gb",
    "memory_bandwidth_gbps",
    "fp16_tflops_dense",
    "bf16_tflops_dense",
    "fp8_tflops_dense",
    "link_gbps",
    "tdp_w",
    "mig_max_instances",
)
NODE_TYPE_SORTS = ("name", "gpu__name", "gpus_per_node", "cpus", "memory_gb", "node_price", "node_busy_w")


def _sorted(queryset: QuerySet, sort: str, allowed: tuple[str, ...]) -> QuerySet:  # type: ignore[type-arg]
    """By ``sort`` ("tdp_w" or "-tdp_w"), rows without the figure last; by name where it is not allowed."""
    field = sort.removeprefix("-")
    if field not in allowed:
        return queryset.order_by("name", "pk")
    order = F(field).desc(nulls_last=True) if sort.startswith("-") else F(field).asc(nulls_last=True)
    return queryset.order_by(order, "name", "pk")


def gpu_models_of(
    workspace: Workspace,
    *,
    text: str = "",
    vendor: str = "",
    architecture: str = "",
    memory_gb_from: float | None = None,
    own: bool = False,
    sort: str = "name",
) -> QuerySet[GpuModel]:
    """GPU models that match; ``own`` leaves the built-in ones out."""
    found = GpuModel.objects.in_workspace(workspace)
    if text:
        found = found.filter(
            Q(name__icontains=text) | Q(vendor__icontains=text) | Q(architecture__icontains=text)
        )
    if vendor:
        found = found.filter(vendor=vendor)
    if architecture:
        found = found.filter(architecture=architecture)
    if memory_gb_from is not None:
        found = found.filter(memory_gb__gte=memory_gb_from)
    if own:
        found = found.filter(workspace=workspace)
    return _sorted(found, sort, GPU_SORTS)


def gpu_vendors(workspace: Workspace) -> list[str]:
    """The vendors in the catalogue, by name."""
    return _distinct(workspace, "vendor")


def gpu_architectures(workspace: Workspace) -> list[str]:
    """The architectures in the catalogue, by name."""
    return _distinct(workspace, "architecture")


def _distinct(workspace: Workspace, field: str) -> list[str]:
    rows = GpuModel.objects.in_workspace(workspace).exclude(**{field: ""})
    return list(rows.order_by(field).values_list(field, flat=True).distinct())


def node_types_of(
    workspace: Workspace, *, text: str = "", gpu: str = "", own: bool = False, sort: str = "name"
) -> QuerySet[NodeType]:
    """Node types that match, with their GPU models."""
    found = NodeType.objects.in_workspace(workspace).select_related("gpu")
    if text:
        found = found.filter(Q(name__icontains=text) | Q(gpu__name__icontains=text))
    if gpu:
        found = found.filter(gpu__name=gpu)
    if own:
        found = found.filter(workspace=workspace)
    return _sorted(found, sort, NODE_TYPE_SORTS)
