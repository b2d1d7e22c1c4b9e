"""The specification of a run: everything that changes its replay, and nothing else.

Two runs with equal specifications have equal answers, so the hash of it names the outcome. Names, prices
and power are left out: cost is computed afterwards, from the summary and the scenario's snapshot.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from fleet.planning.snapshots import Snapshot, cluster_of, policy_of
from twin import engine
from twin.engine import Options
from twin.hardware import Cluster
from twin.sched import Policy

REPLAYED_POOL_FIELDS = (
    "name",
    "nodes",
    "gpus_per_node",
    "cpus",
    "memory_gb",
    "nodes_per_rack",
    "speed",
)


@dataclass(frozen=True, slots=True)
class ReplayInputs:
    """A specification as the values that the twin takes, without the jobs."""

    cluster: Cluster
    policy: Policy
    options: Options


def run_spec(
    workload: Snapshot, cluster: Snapshot, policy: Snapshot, *, horizon_ms: int | None, seed: int
) -> Snapshot:
    """The specification of one run. ``seed`` is kept only where the workload draws from it."""
    return {
        "workload": {"content": workload["content"], "seed": seed if workload["random"] else None},
        "cluster": {"name": "", "pools": [_replayed_pool(pool) for pool in cluster["pools"]]},
        "policy": policy | {"name": ""},
        "horizon_ms": horizon_ms,
        "engine_version": engine.engine_version(),
    }


def spec_hash(spec: Snapshot) -> str:
    """SHA-256 of the specification's canonical JSON."""
    text = json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def replay_inputs(spec: Snapshot) -> ReplayInputs:
    """What ``twin.engine.simulate`` takes, from a specification."""
    return ReplayInputs(
        cluster=cluster_of(spec["cluster"]),
        policy=policy_of(spec["policy"]),
        options=Options(horizon_ms=spec["horizon_ms"]),
    )


def _replayed_pool(pool: Snapshot) -> dict[str, Any]:
    """A pool without what a replay cannot see."""
    return {name: pool[name] for name in REPLAYED_POOL_FIELDS} | {"gpu": {"name": pool["gpu"]["name"]}}
