"""How to make what the addresses of fleet.inventory name (tests/fleet/url_table.py)."""

import datetime

from fleet.inventory.models import Cluster, GpuModel, NodeType, Pool, PoolCapacity
from tests.fleet.url_table import object_named


def _gpu(workspace):
    number = GpuModel.unscoped.count()
    return GpuModel.unscoped.create(workspace=workspace, name=f"GPU {number}", memory_gb=80, tdp_w=700)


def _pool(workspace):
    number = Cluster.unscoped.count()
    cluster = Cluster.unscoped.create(workspace=workspace, name=f"cluster {number}")
    return Pool.objects.create(cluster=cluster, name="p", nodes=4, gpu=_gpu(workspace), gpus_per_node=8)


@object_named("cluster_id")
def cluster(workspace, made):
    return _pool(workspace).cluster_id


@object_named("pool_id")
def pool(workspace, made):
    return _pool(workspace).pk


@object_named("capacity_id")
def capacity(workspace, made):
    day = datetime.date(2026, 1, 1)
    return PoolCapacity.objects.create(pool=_pool(workspace), state="service", nodes=2, from_date=day).pk


@object_named("gpu_id")
def gpu(workspace, made):
    return _gpu(workspace).pk


@object_named("node_type_id")
def node_type(workspace, made):
    number = NodeType.unscoped.count()
    return NodeType.unscoped.create(workspace=workspace, name=f"node {number}", gpu=_gpu(workspace)).pk
