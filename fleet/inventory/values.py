"""Rows as the values that the simulator takes."""

from __future__ import annotations

import datetime
from dataclasses import fields
from typing import Any

from fleet.inventory.models import CapacityState, Cluster, GpuModel, NodeType, Pool
from twin import hardware
from twin.problems import InvalidInput

GPU_FIELDS = tuple(field.name for field in fields(hardware.Gpu))
ECONOMY_FIELDS = tuple(field.name for field in fields(hardware.Economy))
HARDWARE_FIELDS = (
    "gpus_per_node",
    "cpus",
    "memory_gb",
    "nodes_per_rack",
    "node_price",
    "rent_per_gpu_hour",
    "node_idle_w",
    "node_busy_w",
)
"""What a pool takes from its node type where it gives no figure of its own."""
UNLIMITED_WHEN_NOT_GIVEN = {"cpus": 0, "memory_gb": 0.0, "nodes_per_rack": 0}


def gpu_value(gpu: GpuModel) -> hardware.Gpu:
    """The GPU model as the simulator's value."""
    return hardware.Gpu(**{name: getattr(gpu, name) for name in GPU_FIELDS})


def pool_figures(pool: Pool) -> dict[str, Any]:
    """The pool's own hardware figures, and its node type's where it has none."""
    node_type: NodeType | None = pool.node_type
    figures = {}
    for name in HARDWARE_FIELDS:
        own = getattr(pool, name)
        inherited = getattr(node_type, name) if node_type is not None else None
        figures[name] = own if own is not None else inherited
    return figures | {
        name: default for name, default in UNLIMITED_WHEN_NOT_GIVEN.items() if figures[name] is None
    }


def pool_gpu(pool: Pool) -> GpuModel:
    """The GPU model of the pool: its own, else its node type's."""
    gpu = pool.gpu if pool.gpu is not None else pool.node_type and pool.node_type.gpu
    if gpu is None:
        raise InvalidInput.single(f"pool {pool.name}, gpu", "is missing", "a node type or a GPU model")
    return gpu


def pool_value(pool: Pool, nodes: int | None = None) -> hardware.Pool:
    """The pool as the simulator's value, with ``nodes`` instead of its own number where given."""
    return hardware.Pool(
        name=pool.name,
        nodes=pool.nodes if nodes is None else nodes,
        gpu=gpu_value(pool_gpu(pool)),
        speed=pool.speed,
        **pool_figures(pool),
    )


def nodes_in_service(pool: Pool, on: datetime.date) -> int:
    """Nodes that run jobs on that day: of the latest row in service, or all where capacity is not dated."""
    rows = list(pool.capacities.all())
    if not rows:
        return pool.nodes
    in_service = [row for row in rows if row.state == CapacityState.SERVICE and row.from_date <= on]
    return max(in_service, key=lambda row: row.from_date).nodes if in_service else 0


def cluster_design(cluster: Cluster, on: datetime.date | None = None) -> hardware.Cluster:
    """As ``cluster_value``, but without a node where there is none: for showing, not for replaying."""
    pools = [
        pool_value(pool, None if on is None else nodes_in_service(pool, on)) for pool in cluster.pools.all()
    ]
    economy = hardware.Economy(**{name: getattr(cluster, name) for name in ECONOMY_FIELDS})
    return hardware.Cluster(cluster.name, tuple(pool for pool in pools if pool.nodes > 0), economy)


def cluster_value(cluster: Cluster, on: datetime.date | None = None) -> hardware.Cluster:
    """The cluster as the simulator's value: as designed, or as it is in service on a day.

    Raises ``InvalidInput`` where it has no pool, or none has a node in service on that day.
    """
    value = cluster_design(cluster, on)
    if not value.pools:
        when = f" in service on {on:%Y-%m-%d}" if on else ""
        raise InvalidInput.single(
            f"cluster {cluster.name}", f"has no node{when}", "at least one pool with nodes"
        )
    return value
