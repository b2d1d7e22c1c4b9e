"""Clusters that the inventory's tests start from."""

import pytest

from fleet.inventory import services
from fleet.inventory.models import Cluster, GpuModel, NodeType

CLUSTER_YAML = """\
name: two-pools
economy:
  currency: EUR
  electricity_per_kwh: 0.2
pools:
  - name: a100
    nodes: 32
    gpu: A100-SXM-80GB
    gpus_per_node: 8
    cpus: 128
    memory_gb: 2048
    nodes_per_rack: 4
    node_price: 150000
  - name: lab
    nodes: 2
    gpu:
      name: Homemade
      memory_gb: 24
      tdp_w: 350
    gpus_per_node: 4
    speed: 0.5
    node_price: 9000
"""


@pytest.fixture
def catalogue(db) -> None:
    services.catalogue_import()


@pytest.fixture
def node_type(catalogue) -> NodeType:
    return NodeType.unscoped.filter(workspace=None, gpu__name="H100-SXM-80GB").first()


@pytest.fixture
def gpu(catalogue) -> GpuModel:
    return GpuModel.unscoped.get(workspace=None, name="A100-SXM-80GB")


@pytest.fixture
def cluster(catalogue, workspace, planner) -> Cluster:
    return services.cluster_import_yaml(workspace, planner, CLUSTER_YAML, "two-pools.yaml")
