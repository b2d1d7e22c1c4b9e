"""Making, changing and removing clusters together with their pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from fleet.accounts.models import Workspace
from fleet.accounts.services import record
from fleet.inventory.models import Cluster, Pool, Row
from fleet.inventory.services.names import free_name

CLUSTER_FIELDS = (
    "name",
    "is_candidate",
    "site",
    "currency",
    "amortisation_years",
    "electricity_per_kwh",
    "pue",
    "note",
)
POOL_FIELDS = (
    "name",
    "nodes",
    "node_type",
    "gpu",
    "gpus_per_node",
    "cpus",
    "memory_gb",
    "nodes_per_rack",
    "speed",
    "node_price",
    "rent_per_gpu_hour",
    "node_idle_w",
    "node_busy_w",
    "row",
)
Figures = Mapping[str, Any]


def _told(cluster: Cluster) -> dict[str, Any]:
    """The cluster and its pools for the change log, field by field; what a pool does not give is left out."""
    told: dict[str, Any] = {name: getattr(cluster, name) for name in CLUSTER_FIELDS}
    for pool in Pool.objects.filter(cluster=cluster):
        given = {name: getattr(pool, name) for name in POOL_FIELDS if name != "name"}
        told |= {f"pool {pool.name}: {name}": value for name, value in given.items() if value is not None}
    return told


def _save(cluster: Cluster, fields: Figures, pools: Sequence[Figures]) -> None:
    """Write the cluster and exactly these pools; a pool with ``id`` keeps its row, what it does not give
    anew, and its dated capacity."""
    for name, value in fields.items():
        setattr(cluster, name, value)
    existing = {pool.pk: pool for pool in Pool.objects.filter(cluster_id=cluster.pk)}
    wanted = [_pool(cluster, existing.get(figures.get("id")), figures) for figures in pools]
    problems = _problems(cluster, wanted)
    if problems:
        raise ValidationError(problems)
    cluster.save()
    kept = [pool.pk for pool in wanted if pool.pk]
    Pool.objects.filter(cluster=cluster).exclude(pk__in=kept).delete()
    for pk in kept:  # two pools may swap their names
        Pool.objects.filter(pk=pk).update(name=f"renaming {pk}")
    for position, pool in enumerate(wanted):
        pool.cluster, pool.position = cluster, position
        pool.save()


def _pool(cluster: Cluster, existing: Pool | None, figures: Figures) -> Pool:
    pool = existing or Pool(cluster=cluster)
    for name in POOL_FIELDS:
        if name in figures:
            setattr(pool, name, figures[name])
    return pool


def _problems(cluster: Cluster, pools: Sequence[Pool]) -> list[str]:
    """Everything wrong with the cluster and its pools, as sentences."""
    problems = []
    try:
        cluster.full_clean()
    except ValidationError as error:
        problems += _sentences(error)
    if not pools:
        problems.append("A cluster needs at least one pool.")
    problems += _foreign(cluster, cluster, ("site", "derived_from"))
    names = [pool.name for pool in pools]
    problems += [f"Two pools are called {name}." for name in sorted({n for n in names if names.count(n) > 1})]
    for pool in pools:
        try:
            pool.full_clean(exclude=["cluster"])
        except ValidationError as error:
            problems += [f"Pool {pool.name or '(no name)'}: {told}" for told in _sentences(error)]
        problems += _foreign(cluster, pool, ("node_type", "gpu", "row"))
    return problems


def _foreign(cluster: Cluster, owner: Cluster | Pool, names: tuple[str, ...]) -> list[str]:
    """References of the cluster or a pool to what belongs to another workspace."""
    chosen = {name: getattr(owner, name) for name in names}
    homes = {
        name: value.hall.site.workspace_id if isinstance(value, Row) else value.workspace_id
        for name, value in chosen.items()
        if value is not None
    }
    return [
        f"{owner.name}: there is no such {name} in this workspace."
        for name, home in homes.items()
        if home not in (None, cluster.workspace_id)
    ]


def _sentences(error: ValidationError) -> list[str]:
    told = error.message_dict if hasattr(error, "error_dict") else {"__all__": error.messages}
    return [
        message if field == "__all__" else f"{field}: {message}"
        for field, messages in told.items()
        for message in messages
    ]


@transaction.atomic
def cluster_create(
    workspace: Workspace,
    user: User | None,
    *,
    pools: Sequence[Figures],
    derived_from: Cluster | None = None,
    **fields: Any,
) -> Cluster:
    """Make a cluster with its pools (mappings of ``POOL_FIELDS``, in file order).

    ``fields`` are ``CLUSTER_FIELDS``. Raises ValidationError with every problem.
    """
    cluster = Cluster(workspace=workspace, created_by=user, derived_from=derived_from)
    _save(cluster, fields, pools)
    record(workspace, user, "created", cluster, None, _told(cluster))
    return cluster


@transaction.atomic
def cluster_update(
    cluster: Cluster, user: User | None, *, pools: Sequence[Figures], **fields: Any
) -> Cluster:
    """Change a cluster and its pools; a pool whose mapping has ``id`` is kept, others are made or removed.

    Studies that ran keep the snapshot they ran with. Raises ValidationError with every problem.
    """
    before = _told(Cluster.unscoped.get(pk=cluster.pk))
    _save(cluster, fields, pools)
    record(cluster.workspace, user, "edited", cluster, before, _told(cluster))
    return cluster


@transaction.atomic
def cluster_clone(cluster: Cluster, user: User | None, *, name: str = "") -> Cluster:
    """An independent copy: same kind, same pools and dated capacity."""
    copy = _copy(cluster, user, name or f"{cluster.name} copy", derived_from=cluster.derived_from)
    copies = {pool.name: pool for pool in copy.pools.all()}
    for pool in cluster.pools.prefetch_related("capacities"):
        for row in pool.capacities.all():
            row.pk, row.pool, row._state.adding = None, copies[pool.name], True
            row.save()
    return copy


@transaction.atomic
def cluster_derive(
    cluster: Cluster, user: User | None, *, name: str = "", nodes: Mapping[str, int] | None = None
) -> Cluster:
    """A candidate that starts as ``cluster`` and remembers it; ``nodes``: other sizes by pool name."""
    return _copy(
        cluster,
        user,
        name or f"{cluster.name} candidate",
        derived_from=cluster,
        nodes=nodes or {},
        is_candidate=True,
    )


def _copy(
    cluster: Cluster,
    user: User | None,
    name: str,
    *,
    derived_from: Cluster | None,
    nodes: Mapping[str, int] | None = None,
    **changed: Any,
) -> Cluster:
    taken = Cluster.objects.in_workspace(cluster.workspace).values_list("name", flat=True)
    fields = {field: getattr(cluster, field) for field in CLUSTER_FIELDS}
    pools = [{field: getattr(pool, field) for field in POOL_FIELDS} for pool in cluster.pools.all()]
    for pool in pools:
        pool["nodes"] = (nodes or {}).get(pool["name"], pool["nodes"])
    fields |= {"name": free_name(name, taken)} | changed
    return cluster_create(cluster.workspace, user, pools=pools, derived_from=derived_from, **fields)


@transaction.atomic
def cluster_delete(cluster: Cluster, user: User | None) -> None:
    """Remove a cluster. Studies keep their snapshots; candidates derived from it stay."""
    record(cluster.workspace, user, "deleted", cluster, _told(cluster), None)
    cluster.delete()
