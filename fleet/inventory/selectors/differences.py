"""What two clusters differ in, field by field."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from fleet.inventory.models import Cluster
from fleet.inventory.values import cluster_design
from twin import hardware

LABELS = {
    "currency": "currency",
    "amortisation_years": "amortisation, years",
    "electricity_per_kwh": "electricity, per kWh",
    "pue": "PUE",
    "nodes": "nodes",
    "gpu": "GPU model",
    "gpus_per_node": "GPUs a node",
    "cpus": "CPUs a node",
    "memory_gb": "memory a node, GB",
    "nodes_per_rack": "nodes a rack",
    "speed": "speed",
    "node_price": "price of a node",
    "rent_per_gpu_hour": "rent per GPU-hour",
    "node_idle_w": "idle node, W",
    "node_busy_w": "busy node, W",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that differs. ``part`` is "economy" or the pool's name; a side without the pool is None."""

    part: str
    field: str
    before: Any
    after: Any

    @property
    def change(self) -> float | None:
        """The relative change of a number, 0.5 for half as much again; None where there is none."""
        numbers = isinstance(self.before, int | float) and isinstance(self.after, int | float)
        return (self.after - self.before) / self.before if numbers and self.before else None

    @property
    def percent(self) -> str:
        """The relative change as "+50 %", or "—"."""
        return "—" if self.change is None else f"{100 * self.change:+.3g} %"


def cluster_differences(cluster: Cluster) -> list[Difference] | None:
    """How a cluster differs from the one it was derived from, as both are now; None if from none."""
    if cluster.derived_from is None:
        return None
    return differences(cluster_design(cluster.derived_from), cluster_design(cluster))


def differences(before: hardware.Cluster, after: hardware.Cluster) -> list[Difference]:
    """Every field of economy and pools that differs; pools are matched by name."""
    found = [
        Difference("economy", LABELS[field.name], old, new)
        for field in fields(hardware.Economy)
        if (old := getattr(before.economy, field.name)) != (new := getattr(after.economy, field.name))
    ]
    old_pools = {pool.name: pool for pool in before.pools}
    new_pools = {pool.name: pool for pool in after.pools}
    for name in dict.fromkeys([*old_pools, *new_pools]):
        found += _pool_differences(name, old_pools.get(name), new_pools.get(name))
    return found


def _pool_differences(name: str, old: hardware.Pool | None, new: hardware.Pool | None) -> list[Difference]:
    if old is None or new is None:
        return [Difference(name, "pool", _in_words(old), _in_words(new))]
    return [
        Difference(name, label, before, after)
        for field, label in LABELS.items()
        if hasattr(old, field) and (before := _told(old, field)) != (after := _told(new, field))
    ]


def _told(pool: hardware.Pool, field: str) -> Any:
    value = getattr(pool, field)
    return value.name if isinstance(value, hardware.Gpu) else value


def _in_words(pool: hardware.Pool | None) -> str | None:
    return pool and f"{pool.nodes} nodes of {pool.gpus_per_node} × {pool.gpu.name}"
