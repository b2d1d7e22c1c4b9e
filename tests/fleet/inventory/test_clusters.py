"""Clusters as rows and as the simulator's values: made, changed, copied, derived, dated, removed."""

import datetime

import pytest
from django.core.exceptions import ValidationError

from fleet.inventory import services
from fleet.inventory.models import Cluster, GpuModel, Hall, Pool, Row, Site
from tests.fleet.inventory.conftest import CLUSTER_YAML
from twin import hardware
from twin.problems import InvalidInput

DAY = datetime.date(2026, 3, 1)


def test_a_file_becomes_rows_that_give_the_same_value_back(cluster):
    assert services.cluster_value(cluster) == hardware.load_cluster(CLUSTER_YAML)


def test_an_exported_file_reads_back_equal(cluster):
    text = services.cluster_export_yaml(cluster)
    assert hardware.load_cluster(text) == services.cluster_value(cluster)


def test_a_gpu_given_with_figures_becomes_the_workspaces_own(cluster, workspace):
    own = GpuModel.objects.in_workspace(workspace).get(name="Homemade")
    assert own.workspace == workspace
    assert own.memory_gb == 24


def test_a_known_name_with_other_figures_is_refused_with_both(cluster, workspace, planner):
    text = CLUSTER_YAML.replace("two-pools", "second").replace("memory_gb: 24", "memory_gb: 48")
    with pytest.raises(InvalidInput, match=r"GPU model of that name with other figures \(memory_gb 24"):
        services.cluster_import_yaml(workspace, planner, text, "second.yaml")
    assert not Cluster.objects.in_workspace(workspace).filter(name="second").exists()


def test_a_taken_name_is_refused_unless_it_is_to_be_replaced(cluster, workspace, planner):
    text = CLUSTER_YAML.replace("nodes: 32", "nodes: 40")
    with pytest.raises(InvalidInput, match="there is a cluster called “two-pools” already"):
        services.cluster_import_yaml(workspace, planner, text, "again.yaml")
    a100 = cluster.pools.get(name="a100")
    replaced = services.cluster_import_yaml(workspace, planner, text, "again.yaml", replace=True)
    assert replaced == cluster
    assert cluster.pools.get(name="a100") == a100
    assert services.cluster_value(replaced).pools[0].nodes == 40


def test_a_pool_takes_its_node_types_figures_and_may_give_its_own(workspace, planner, node_type):
    pools = [
        {"name": "plain", "nodes": 3, "node_type": node_type},
        {"name": "fitted", "nodes": 2, "node_type": node_type, "cpus": 7, "node_price": 5.0, "speed": 2.0},
    ]
    cluster = services.cluster_create(workspace, planner, name="typed", pools=pools)
    plain, fitted = services.cluster_value(cluster).pools
    assert plain.gpu.name == "H100-SXM-80GB"
    assert (plain.gpus_per_node, plain.cpus) == (node_type.gpus_per_node, node_type.cpus)
    assert (fitted.cpus, fitted.node_price, fitted.speed) == (7, 5.0, 2.0)


def test_every_problem_is_told_at_once(workspace, planner):
    pools = [{"name": "a", "nodes": 0}, {"name": "a", "nodes": 1}]
    with pytest.raises(ValidationError) as raised:
        services.cluster_create(workspace, planner, name="", pue=0.5, pools=pools)
    told = "\n".join(raised.value.messages)
    assert "name: This field cannot be blank." in told
    assert "pue: " in told
    assert "Two pools are called a." in told
    assert "Pool a: nodes: " in told
    assert "Choose a node type, or a GPU model and its GPUs a node." in told
    assert not Cluster.objects.in_workspace(workspace).exists()


def test_what_belongs_to_another_workspace_is_refused(cluster, planner, other_workspace, stranger, node_type):
    theirs = services.node_type_clone(node_type, other_workspace, stranger)
    site = Site.unscoped.create(workspace=other_workspace, name="far away")
    row = Row.objects.create(hall=Hall.objects.create(site=site, name="h"), name="r")
    pools = [{"name": "p", "nodes": 1, "node_type": theirs, "row": row}]
    with pytest.raises(ValidationError) as raised:
        services.cluster_update(cluster, planner, pools=pools, site=site)
    assert raised.value.messages == [
        "two-pools: there is no such site in this workspace.",
        "p: there is no such node_type in this workspace.",
        "p: there is no such row in this workspace.",
    ]


def test_pools_may_swap_names_and_keep_their_dated_capacity(cluster, planner):
    first, second = cluster.pools.all()
    services.capacity_add(first, planner, state="service", nodes=5, from_date=DAY)
    pools = [{"id": first.pk, "name": second.name}, {"id": second.pk, "name": first.name}]
    services.cluster_update(cluster, planner, pools=pools)
    assert [pool.name for pool in cluster.pools.all()] == ["lab", "a100"]
    assert Pool.objects.get(pk=first.pk).capacities.get().nodes == 5


def test_an_edit_is_recorded_field_by_field(cluster, workspace, planner):
    first, second = cluster.pools.all()
    pools = [{"id": first.pk, "nodes": 33}, {"id": second.pk}]
    services.cluster_update(cluster, planner, pools=pools, pue=1.1)
    entry = workspace.audit_entries.first()
    assert entry.before == {"pue": 1.3, "pool a100: nodes": 32}
    assert entry.after == {"pue": 1.1, "pool a100: nodes": 33}


def test_a_clone_is_independent_and_keeps_dated_capacity(cluster, planner):
    services.capacity_add(cluster.pools.first(), planner, state="service", nodes=5, from_date=DAY)
    copy = services.cluster_clone(cluster, planner)
    assert (copy.name, copy.is_candidate, copy.derived_from) == ("two-pools copy", False, None)
    assert services.cluster_value(copy, DAY).pools[0].nodes == 5
    services.cluster_delete(cluster, planner)
    assert copy.pools.count() == 2


def test_a_candidate_remembers_what_it_was_derived_from(cluster, planner):
    first = services.cluster_derive(cluster, planner, nodes={"a100": 48})
    second = services.cluster_derive(cluster, planner)
    assert (first.is_candidate, first.derived_from) == (True, cluster)
    assert services.cluster_value(first).pools[0].nodes == 48
    assert second.name == "two-pools candidate 2"
    services.cluster_delete(cluster, planner)
    first.refresh_from_db()
    assert first.derived_from is None


def test_on_a_day_only_nodes_in_service_count(cluster, planner):
    a100 = cluster.pools.first()
    services.capacity_add(a100, planner, state="service", nodes=10, from_date=DAY)
    services.capacity_add(a100, planner, state="ordered", nodes=6, from_date=DAY)
    services.capacity_add(
        a100, planner, state="service", nodes=16, from_date=DAY + datetime.timedelta(days=30)
    )

    def gpus(day: datetime.date | None) -> dict[str, int]:
        return {pool.name: pool.nodes for pool in services.cluster_value(cluster, day).pools}

    assert gpus(None) == {"a100": 32, "lab": 2}
    assert gpus(DAY - datetime.timedelta(days=1)) == {"lab": 2}
    assert gpus(DAY) == {"a100": 10, "lab": 2}
    assert gpus(DAY + datetime.timedelta(days=30)) == {"a100": 16, "lab": 2}


def test_a_day_without_any_node_is_refused(cluster, planner):
    for pool in cluster.pools.all():
        services.capacity_add(pool, planner, state="planned", nodes=1, from_date=DAY)
    with pytest.raises(InvalidInput, match="has no node in service on 2026-03-01"):
        services.cluster_value(cluster, DAY)


def test_a_deletion_is_recorded_with_what_was_there(cluster, workspace, planner):
    services.cluster_delete(cluster, planner)
    entry = workspace.audit_entries.first()
    assert (entry.action, entry.object_name) == ("deleted", "two-pools")
    assert entry.before["pool a100: nodes"] == 32
