"""Clusters as files: ``cluster.yaml`` in and out."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from fleet.accounts.models import Workspace
from fleet.inventory.models import Cluster, GpuModel
from fleet.inventory.services.catalogue import gpu_model_create
from fleet.inventory.services.clusters import cluster_create, cluster_update
from fleet.inventory.values import ECONOMY_FIELDS, GPU_FIELDS, HARDWARE_FIELDS, cluster_value, gpu_value
from twin import hardware
from twin.problems import InvalidInput, Problem


def cluster_import_yaml(
    workspace: Workspace,
    user: User | None,
    text: str,
    source: str,
    *,
    is_candidate: bool = False,
    replace: bool = False,
) -> Cluster:
    """Make a cluster from ``cluster.yaml`` (YAML or JSON text); ``source`` is what problems call the file.

    With ``replace`` a cluster of that name gets the file's pools instead. Raises ``InvalidInput`` with
    every problem (file, line, key); nothing is written then.
    """
    value = hardware.load_cluster(text, source)
    return cluster_store(workspace, user, value, source=source, is_candidate=is_candidate, replace=replace)


@transaction.atomic
def cluster_store(
    workspace: Workspace,
    user: User | None,
    value: hardware.Cluster,
    *,
    source: str = "cluster",
    is_candidate: bool = False,
    derived_from: Cluster | None = None,
    replace: bool = False,
    note: str = "",
) -> Cluster:
    """Keep a simulator's cluster as rows; ``cluster_value`` of them equals it. Raises ``InvalidInput``."""
    existing = Cluster.objects.in_workspace(workspace).filter(name=value.name).first()
    if existing is not None and not replace:
        raise InvalidInput.single(
            f"{source}, name",
            f"there is a cluster called “{value.name}” already",
            "another name, or choose to replace it",
        )
    gpus = _gpu_models(workspace, user, value, source)
    pools = [
        {name: getattr(pool, name) for name in ("name", "nodes", "speed", *HARDWARE_FIELDS)}
        | {"gpu": gpus[pool.gpu], "node_type": None}
        for pool in value.pools
    ]
    economy = {name: getattr(value.economy, name) for name in ECONOMY_FIELDS}
    try:
        if existing is not None:
            kept = {pool.name: pool.pk for pool in existing.pools.all()}
            with_ids = [pool | {"id": kept.get(str(pool["name"]))} for pool in pools]
            return cluster_update(existing, user, pools=with_ids, **economy)
        fields = economy | {"name": value.name, "is_candidate": is_candidate, "note": note}
        return cluster_create(workspace, user, pools=pools, derived_from=derived_from, **fields)
    except ValidationError as error:
        raise InvalidInput(tuple(Problem(source, message) for message in error.messages)) from error


def _gpu_models(
    workspace: Workspace, user: User | None, value: hardware.Cluster, source: str
) -> dict[hardware.Gpu, GpuModel]:
    """A row for each GPU: the workspace's or the built-in one that is equal, else a new one."""
    wanted = {pool.gpu for pool in value.pools}
    rows = GpuModel.objects.in_workspace(workspace).filter(name__in=[gpu.name for gpu in wanted])
    known = {gpu_value(row): row for row in rows}
    own = {row.name: gpu_value(row) for row in rows if not row.is_built_in}
    problems, found = [], {}
    for gpu in sorted(wanted, key=lambda gpu: gpu.name):
        if gpu in known:
            found[gpu] = known[gpu]
        elif gpu.name in own:
            problems.append(_other_figures(gpu, own[gpu.name], source))
        else:
            found[gpu] = gpu_model_create(workspace, user, **asdict(gpu))
            own[gpu.name] = gpu
    if problems:
        raise InvalidInput(tuple(problems))
    return found


def _other_figures(gpu: hardware.Gpu, own: hardware.Gpu, source: str) -> Problem:
    """The file's GPU has a name that the workspace gave to other figures."""
    told = [f"{name} {getattr(own, name)}" for name in GPU_FIELDS if getattr(own, name) != getattr(gpu, name)]
    return Problem(
        f"{source}, gpu {gpu.name}",
        "this workspace has a GPU model of that name with other figures",
        f"{', '.join(told)}; or another name",
    )


def cluster_export_yaml(cluster: Cluster) -> str:
    """The cluster as ``cluster.yaml``, which ``python -m twin`` and the import page read."""
    return hardware.dump_cluster(cluster_value(cluster))
