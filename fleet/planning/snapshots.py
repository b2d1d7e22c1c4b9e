"""Clusters and policies as JSON, kept with a scenario: what it ran with, whatever is edited later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from enum import Enum
from typing import Any

from twin.hardware import Cluster, Economy, Gpu, Pool
from twin.sched import Backfill, Order, PassMode, Placement, Policy, Shape

Snapshot = dict[str, Any]


def cluster_snapshot(cluster: Cluster) -> Snapshot:
    """Every field of the cluster, as JSON."""
    return asdict(cluster) | {"pools": [asdict(pool) for pool in cluster.pools]}


def policy_snapshot(policy: Policy) -> Snapshot:
    """Every field of the policy, as JSON."""
    return {name: value.value if isinstance(value, Enum) else value for name, value in asdict(policy).items()}


def cluster_of(snapshot: Mapping[str, Any]) -> Cluster:
    """The cluster that a snapshot describes; figures that the twin no longer knows are left out."""
    pools = tuple(
        Pool(**_known(Pool, pool) | {"gpu": Gpu(**_known(Gpu, pool["gpu"]))}) for pool in snapshot["pools"]
    )
    economy = Economy(**_known(Economy, snapshot.get("economy", {})))
    return Cluster(snapshot["name"], pools, economy)


def policy_of(snapshot: Mapping[str, Any]) -> Policy:
    """The policy that a snapshot describes."""
    return Policy(
        **_known(Policy, snapshot)
        | {
            "order": Order(snapshot["order"]),
            "backfill": Backfill(snapshot["backfill"]),
            "placement": Placement(snapshot["placement"]),
            "shape": Shape(snapshot["shape"]),
            "pass_mode": PassMode(snapshot["pass_mode"]),
        }
    )


def _known(kind: type[Any], snapshot: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that are fields of a dataclass."""
    return {field.name: snapshot[field.name] for field in fields(kind) if field.name in snapshot}
