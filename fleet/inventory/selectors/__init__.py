"""Reading the inventory."""

from fleet.inventory.selectors.catalogue import (
    GPU_SORTS,
    NODE_TYPE_SORTS,
    gpu_architectures,
    gpu_models_of,
    gpu_vendors,
    node_types_of,
)
from fleet.inventory.selectors.clusters import (
    CLUSTER_SORTS,
    ClusterRow,
    PoolRow,
    cluster_row,
    cluster_rows,
    clusters_of,
    pool_rows,
    pools_using_gpu,
    pools_using_node_type,
    studies_using,
)
from fleet.inventory.selectors.differences import Difference, cluster_differences, differences

__all__ = [
    "CLUSTER_SORTS",
    "GPU_SORTS",
    "NODE_TYPE_SORTS",
    "ClusterRow",
    "Difference",
    "PoolRow",
    "cluster_differences",
    "cluster_row",
    "cluster_rows",
    "clusters_of",
    "differences",
    "gpu_architectures",
    "gpu_models_of",
    "gpu_vendors",
    "node_types_of",
    "pool_rows",
    "pools_using_gpu",
    "pools_using_node_type",
    "studies_using",
]
