"""The built-in catalogue is complete, read-only and everybody's; a workspace's rows are its own."""

import pytest
from django.core.exceptions import ValidationError

from fleet.inventory import services
from fleet.inventory.models import GpuModel, NodeType
from fleet.inventory.values import gpu_value
from twin import hardware


def test_every_figure_of_the_simulators_catalogue_carries_over(catalogue):
    rows = {row.name: gpu_value(row) for row in GpuModel.unscoped.filter(workspace=None)}
    assert len(rows) >= 40
    assert rows == hardware.catalogue()
    assert NodeType.unscoped.filter(workspace=None).count() == len(hardware.node_types())


def test_importing_it_again_writes_nothing(catalogue):
    assert services.catalogue_import() == 0


def test_a_built_in_row_that_was_changed_is_mended(catalogue, gpu):
    GpuModel.unscoped.filter(pk=gpu.pk).update(tdp_w=1)
    assert services.catalogue_import() == 1
    assert GpuModel.unscoped.get(pk=gpu.pk).tdp_w == gpu.tdp_w


def test_a_built_in_row_is_not_edited_or_deleted(planner, gpu, node_type):
    with pytest.raises(ValidationError, match="read-only"):
        services.gpu_model_update(gpu, planner, tdp_w=1)
    with pytest.raises(ValidationError, match="read-only"):
        services.node_type_delete(node_type, planner)


def test_a_clone_is_the_workspaces_own_and_says_where_it_is_from(workspace, planner, node_type):
    copy = services.node_type_clone(node_type, workspace, planner)
    again = services.node_type_clone(node_type, workspace, planner)
    assert (copy.name, again.name) == (f"{node_type.name} copy", f"{node_type.name} copy 2")
    assert copy.source.startswith(f"copied from {node_type.name}")
    assert copy.gpu == node_type.gpu
    services.node_type_update(copy, planner, node_price=1000.0)
    entry = workspace.audit_entries.first()
    assert (entry.action, entry.before, entry.after) == (
        "edited",
        {"node_price": None},
        {"node_price": 1000.0},
    )


def test_a_row_in_use_is_not_deleted_and_the_users_are_named(workspace, planner, node_type):
    copy = services.node_type_clone(node_type, workspace, planner)
    pools = [{"name": "p", "nodes": 1, "node_type": copy}]
    services.cluster_create(workspace, planner, name="uses it", pools=pools)
    with pytest.raises(ValidationError, match="is used by uses it"):
        services.node_type_delete(copy, planner)


def test_names_are_unique_in_a_workspace_and_free_elsewhere(workspace, other_workspace, planner, catalogue):
    services.gpu_model_create(workspace, planner, name="X1")
    services.gpu_model_create(other_workspace, planner, name="X1")
    with pytest.raises(ValidationError):
        services.gpu_model_create(workspace, planner, name="X1")
