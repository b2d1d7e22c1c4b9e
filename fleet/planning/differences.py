"""How two clusters or policies differ, in words: the changed fields with their values before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fleet.planning.policy_words import FIELD_LABELS, choice_label
from fleet.planning.snapshots import Snapshot

POOL_LABELS = {
    "nodes": "nodes",
    "gpus_per_node": "GPUs a node",
    "cpus": "CPUs a node",
    "memory_gb": "memory a node, GB",
    "nodes_per_rack": "nodes a rack",
    "speed": "speed",
    "node_price": "price of a node",
    "rent_per_gpu_hour": "rent per GPU-hour",
    "node_idle_w": "idle power of a node, W",
    "node_busy_w": "busy power of a node, W",
}
PRICE_LABELS = {field: POOL_LABELS[field] for field in ("node_price", "rent_per_gpu_hour")}
ECONOMY_LABELS = {
    "currency": "currency",
    "amortisation_years": "years of amortisation",
    "electricity_per_kwh": "electricity per kWh",
    "pue": "PUE",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One changed field; ``before`` or ``after`` is "—" where it is absent."""

    what: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.what}: {self.before} → {self.after}"


def cluster_differences(before: Snapshot, after: Snapshot) -> tuple[Difference, ...]:
    """What changed between two clusters, their names aside."""
    return tuple(_cluster_differences(before, after))


def policy_differences(before: Snapshot, after: Snapshot) -> tuple[Difference, ...]:
    """What changed between two policies, their names aside."""
    return tuple(
        Difference(label, choice_label(name, before.get(name)), choice_label(name, after.get(name)))
        for name, label in FIELD_LABELS.items()
        if name != "name" and before.get(name) != after.get(name)
    )


def _cluster_differences(before: Snapshot, after: Snapshot) -> Iterator[Difference]:
    old = {pool["name"]: pool for pool in before["pools"]}
    new = {pool["name"]: pool for pool in after["pools"]}
    for name in old | new:
        if name not in new:
            yield Difference(f"pool {name}", _pool_line(old[name]), "—")
        elif name not in old:
            yield Difference(f"pool {name}", "—", _pool_line(new[name]))
        else:
            yield from _pool_differences(name, old[name], new[name])
    shared = list(old.keys() & new.keys())
    if len(shared) > 1 and [name for name in old if name in new] != [name for name in new if name in old]:
        yield Difference("order of the pools", ", ".join(old), ", ".join(new))
    yield from _fields("", before.get("economy", {}), after.get("economy", {}), ECONOMY_LABELS)


def _pool_differences(name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Difference]:
    where = f"pool {name}, "
    if old["gpu"]["name"] != new["gpu"]["name"]:
        yield Difference(f"{where}GPU model", old["gpu"]["name"], new["gpu"]["name"])
    yield from _fields(where, old, new, POOL_LABELS)


def _fields(
    where: str, old: dict[str, Any], new: dict[str, Any], labels: dict[str, str]
) -> Iterator[Difference]:
    for field, label in labels.items():
        if old.get(field) != new.get(field):
            yield Difference(f"{where}{label}", _told(old.get(field)), _told(new.get(field)))


def _pool_line(pool: dict[str, Any]) -> str:
    """What a pool that only one of the two has is made of, with what decides its waits and its cost."""
    told = [f"{pool['nodes']:,} nodes of {pool['gpus_per_node']} × {pool['gpu']['name']}"]
    if pool["speed"] != 1.0:
        told.append(f"speed {_told(pool['speed'])} ×")
    told += [
        f"{label} {_told(pool[field])}"
        for field, label in PRICE_LABELS.items()
        if pool.get(field) is not None
    ]
    return ", ".join(told)


def _told(value: object) -> str:
    if value is None:
        return "—"
    if isinstance(value, float):
        return f"{value:,.10g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
