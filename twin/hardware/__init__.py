"""Hardware: the catalogue of GPUs and node types, the cluster, and its file."""

from twin.hardware.cluster import MAX_GPUS_PER_NODE, Cluster, Economy, Gpu, Pool
from twin.hardware.cluster_file import dump_cluster, load_cluster
from twin.hardware.gpu_catalogue import catalogue, find_gpu, gpu_names_like
from twin.hardware.gpu_matching import accepts_gpu, accepts_one_of
from twin.hardware.node_catalogue import NodeType, node_types
from twin.hardware.rent_prices import RentPrice, rent_prices, rent_prices_of

__all__ = [
    "MAX_GPUS_PER_NODE",
    "Cluster",
    "Economy",
    "Gpu",
    "NodeType",
    "Pool",
    "RentPrice",
    "accepts_gpu",
    "accepts_one_of",
    "catalogue",
    "dump_cluster",
    "find_gpu",
    "gpu_names_like",
    "load_cluster",
    "node_types",
    "rent_prices",
    "rent_prices_of",
]
