"""Reading clusters and their pools, with the figures that pages show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from fleet.accounts.models import Workspace
from fleet.inventory.models import Cluster, GpuModel, NodeType, Pool
from fleet.inventory.values import pool_value
from fleet.planning.models import Scenario, Study
from twin import economics, hardware

CLUSTER_SORTS = ("name", "kind", "gpus", "nodes", "hardware_per_year", "power_kw", "updated_at")


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """A cluster with its totals. ``hardware_per_year``: price spread over its years of use, or rent; None
    where a pool has neither. ``power_kw``: all nodes busy, at the wall; None where a pool's is not known."""

    cluster: Cluster
    gpus: int
    nodes: int
    gpu_models: tuple[str, ...]
    hardware_per_year: float | None
    power_kw: float | None

    @property
    def name(self) -> str:
        return self.cluster.name

    @property
    def kind(self) -> str:
        return "candidate" if self.cluster.is_candidate else "real"

    @property
    def updated_at(self) -> Any:
        return self.cluster.updated_at


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A pool with the figures that hold for it, its own or its node type's."""

    pool: Pool
    value: hardware.Pool
    hardware_per_year: float | None
    power_kw: float | None


def clusters_of(workspace: Workspace, *, text: str = "", kind: str = "", gpu: str = "") -> QuerySet[Cluster]:
    """Clusters that match, with their pools; ``kind`` is "real", "candidate" or "" for both."""
    found = Cluster.objects.in_workspace(workspace).select_related("derived_from", "site")
    if text:
        found = found.filter(Q(name__icontains=text) | Q(note__icontains=text))
    if kind in ("real", "candidate"):
        found = found.filter(is_candidate=kind == "candidate")
    if gpu:
        found = found.filter(Q(pools__gpu__name=gpu) | Q(pools__gpu=None, pools__node_type__gpu__name=gpu))
    return found.distinct().prefetch_related("pools")


def cluster_row(cluster: Cluster) -> ClusterRow:
    """The cluster with its totals, as designed."""
    parts = pool_rows(cluster)
    return ClusterRow(
        cluster=cluster,
        gpus=sum(part.value.gpus for part in parts),
        nodes=sum(part.value.nodes for part in parts),
        gpu_models=tuple(dict.fromkeys(part.value.gpu.name for part in parts)),
        hardware_per_year=_sum(part.hardware_per_year for part in parts),
        power_kw=_sum(part.power_kw for part in parts),
    )


def cluster_rows(clusters: Iterable[Cluster], sort: str = "") -> list[ClusterRow]:
    """The clusters with their totals, by ``sort`` ("gpus" or "-gpus"), a missing figure last."""
    rows = [cluster_row(cluster) for cluster in clusters]
    field = sort.removeprefix("-")
    if field not in CLUSTER_SORTS:
        return rows
    known = [row for row in rows if getattr(row, field) is not None]
    unknown = [row for row in rows if getattr(row, field) is None]
    return sorted(known, key=lambda row: getattr(row, field), reverse=sort.startswith("-")) + unknown


def pool_rows(cluster: Cluster) -> list[PoolRow]:
    """The cluster's pools in file order, with their figures."""
    return [_pool_row(cluster, pool) for pool in cluster.pools.all()]


def _pool_row(cluster: Cluster, pool: Pool) -> PoolRow:
    value = pool_value(pool)
    power = economics.node_power(value)
    return PoolRow(
        pool=pool,
        value=value,
        hardware_per_year=_hardware_per_year(value, cluster.amortisation_years),
        power_kw=None if power is None else value.nodes * power.busy_w * cluster.pue / 1000,
    )


def _hardware_per_year(pool: hardware.Pool, amortisation_years: float) -> float | None:
    if pool.rent_per_gpu_hour is not None:
        return pool.rent_per_gpu_hour * pool.gpus * economics.HOURS_PER_YEAR
    return None if pool.node_price is None else pool.nodes * pool.node_price / amortisation_years


def _sum(parts: Iterable[float | None]) -> float | None:
    """The sum; None where a part is missing or there is none."""
    known = list(parts)
    return None if None in known or not known else sum(part for part in known if part is not None)


def studies_using(cluster: Cluster) -> QuerySet[Study]:
    """The studies with a scenario of this cluster, newest first, with the number of them."""
    scenarios = Scenario.objects.filter(cluster=cluster)
    return (
        Study.objects.in_workspace(cluster.workspace)
        .filter(scenarios__in=scenarios)
        .annotate(of_cluster=Count("scenarios", distinct=True))
        .order_by("-created_at")
    )


def pools_using_node_type(workspace: Workspace, node_type: NodeType) -> QuerySet[Pool]:
    """The workspace's pools of this node type."""
    return Pool.objects.filter(cluster__workspace=workspace, node_type=node_type).select_related("cluster")


def pools_using_gpu(workspace: Workspace, gpu: GpuModel) -> QuerySet[Pool]:
    """The workspace's pools of this GPU model, their own or through a node type."""
    of_gpu = Q(gpu=gpu) | Q(gpu=None, node_type__gpu=gpu)
    return Pool.objects.filter(of_gpu, cluster__workspace=workspace).select_related("cluster")
