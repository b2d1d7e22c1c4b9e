"""Whether a study's inputs changed since it ran. Its numbers stay; the page offers to run it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fleet.inventory.models import Cluster
from fleet.inventory.services import cluster_value
from fleet.planning.differences import cluster_differences, policy_differences
from fleet.planning.models import Policy, Scenario, Study
from fleet.planning.services.policies import policy_value
from fleet.planning.snapshots import Snapshot, cluster_snapshot, policy_snapshot


def changes_since(study: Study, scenarios: Sequence[Scenario]) -> tuple[str, ...]:
    """What is different now from what these scenarios ran with, one line a change.

    Inputs that were deleted have no present to differ from.
    """
    clusters, policies = _clusters_now(study, scenarios), _policies_now(study, scenarios)
    return tuple(dict.fromkeys(_changes(study, scenarios, clusters, policies)))


def _changes(
    study: Study,
    scenarios: Sequence[Scenario],
    clusters: dict[int, Snapshot],
    policies: dict[int, Snapshot],
) -> Iterator[str]:
    if scenarios and study.workload is not None:
        before = scenarios[0].workload_snapshot
        if study.workload.sha256 != before["content"]:
            yield f"workload: {before['name']} → {study.workload}"
    for scenario in scenarios:
        cluster, policy = scenario.cluster_snapshot, scenario.policy_snapshot
        for change in cluster_differences(cluster, clusters.get(scenario.cluster_id, cluster)):
            yield f"{cluster['name']}: {change}"
        for change in policy_differences(policy, policies.get(scenario.policy_id, policy)):
            yield f"{policy['name']}: {change}"


def _clusters_now(study: Study, scenarios: Sequence[Scenario]) -> dict[int, Snapshot]:
    wanted = {scenario.cluster_id for scenario in scenarios}
    clusters = Cluster.objects.in_workspace(study.workspace).filter(pk__in=wanted)
    pools = ("pools__gpu", "pools__node_type__gpu")
    return {
        cluster.pk: cluster_snapshot(cluster_value(cluster)) for cluster in clusters.prefetch_related(*pools)
    }


def _policies_now(study: Study, scenarios: Sequence[Scenario]) -> dict[int, Snapshot]:
    wanted = {scenario.policy_id for scenario in scenarios}
    policies = Policy.objects.in_workspace(study.workspace).filter(pk__in=wanted)
    return {policy.pk: policy_snapshot(policy_value(policy)) for policy in policies}
