"""Whether a study's inputs changed since it ran. Its numbers stay; the page offers to run it again."""

from __future__ import annotations

from collections.abc import Sequence

from fleet.inventory.services import cluster_value
from fleet.planning.differences import cluster_differences, policy_differences
from fleet.planning.models import Scenario, Study
from fleet.planning.services.policies import policy_value
from fleet.planning.snapshots import cluster_snapshot, policy_snapshot


def changes_since(study: Study, scenarios: Sequence[Scenario]) -> tuple[str, ...]:
    """What is different now from what these scenarios ran with, one line a change."""
    told: dict[str, None] = {}
    if scenarios and study.workload is not None:
        before = scenarios[0].workload_snapshot
        if study.workload.sha256 != before["content"]:
            told[f"workload: {before['name']} → {study.workload}"] = None
    clusters: dict[int, tuple[str, ...]] = {}
    for scenario in scenarios:
        if scenario.cluster is not None and scenario.cluster_id not in clusters:
            clusters[scenario.cluster_id] = _cluster_changes(scenario)
        told |= dict.fromkeys(clusters.get(scenario.cluster_id, ()))
        told |= dict.fromkeys(_policy_changes(scenario))
    return tuple(told)


def _cluster_changes(scenario: Scenario) -> tuple[str, ...]:
    now = cluster_snapshot(cluster_value(scenario.cluster))
    name = scenario.cluster_snapshot["name"]
    return tuple(f"{name}: {change}" for change in cluster_differences(scenario.cluster_snapshot, now))


def _policy_changes(scenario: Scenario) -> tuple[str, ...]:
    if scenario.policy is None:
        return ()
    now = policy_snapshot(policy_value(scenario.policy))
    name = scenario.policy_snapshot["name"]
    return tuple(f"{name}: {change}" for change in policy_differences(scenario.policy_snapshot, now))
