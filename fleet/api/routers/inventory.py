"""Clusters over the API: list, one, as YAML, from YAML."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router, Status

from fleet.accounts.models import Role, Workspace
from fleet.api.access import enter
from fleet.api.errors import READ_ERRORS, WRITE_ERRORS
from fleet.api.schemas import ClusterOut, ClusterYamlIn, GpuPoolOut
from fleet.inventory.models import Cluster
from fleet.inventory.services.files import cluster_export_yaml, cluster_import_yaml
from fleet.inventory.values import pool_value

router = Router(tags=["clusters"])


def _clusters(workspace: Workspace) -> list[Cluster]:
    found = Cluster.objects.in_workspace(workspace).order_by("is_candidate", "name")
    return list(found.prefetch_related("pools__gpu", "pools__node_type__gpu"))


def cluster_in(workspace: Workspace, cluster_id: int) -> Cluster:
    """One cluster of the workspace, or 404."""
    found = [cluster for cluster in _clusters(workspace) if cluster.pk == cluster_id]
    if not found:
        raise Http404("No such cluster in this workspace.")
    return found[0]


def _told(cluster: Cluster) -> ClusterOut:
    pools = [pool_value(pool) for pool in cluster.pools.all()]
    return ClusterOut(
        id=cluster.pk,
        name=cluster.name,
        is_candidate=cluster.is_candidate,
        derived_from_id=cluster.derived_from_id,
        gpus=sum(pool.gpus for pool in pools),
        pools=[
            GpuPoolOut(name=pool.name, nodes=pool.nodes, gpu=pool.gpu.name, gpus_per_node=pool.gpus_per_node)
            for pool in pools
        ],
    )


@router.get("/w/{slug}/clusters", response={200: list[ClusterOut], **READ_ERRORS})
def cluster_list(request: HttpRequest, slug: str) -> list[ClusterOut]:
    """The workspace's clusters, real ones first."""
    return [_told(cluster) for cluster in _clusters(enter(request, slug).workspace)]


@router.get("/w/{slug}/clusters/{cluster_id}", response={200: ClusterOut, **READ_ERRORS})
def cluster_get(request: HttpRequest, slug: str, cluster_id: int) -> ClusterOut:
    """One cluster."""
    return _told(cluster_in(enter(request, slug).workspace, cluster_id))


@router.get("/w/{slug}/clusters/{cluster_id}/yaml", response={200: str, **READ_ERRORS})
def cluster_yaml(request: HttpRequest, slug: str, cluster_id: int) -> HttpResponse:
    """The cluster as ``cluster.yaml``."""
    cluster = cluster_in(enter(request, slug).workspace, cluster_id)
    return HttpResponse(cluster_export_yaml(cluster), content_type="application/yaml; charset=utf-8")


@router.post("/w/{slug}/clusters", response={201: ClusterOut, **WRITE_ERRORS})
def cluster_create(request: HttpRequest, slug: str, body: ClusterYamlIn) -> Status:
    """Make a cluster from ``cluster.yaml``."""
    caller = enter(request, slug, Role.PLANNER)
    made = cluster_import_yaml(
        caller.workspace, caller.user, body.yaml, "cluster.yaml", is_candidate=body.is_candidate
    )
    return Status(201, _told(cluster_in(caller.workspace, made.pk)))
