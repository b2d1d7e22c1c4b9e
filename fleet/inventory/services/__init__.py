"""Writing the inventory. Every change is recorded in the workspace's change log."""

from fleet.inventory.services.capacity import capacity_add, capacity_remove
from fleet.inventory.services.catalogue import (
    catalogue_import,
    gpu_model_clone,
    gpu_model_create,
    gpu_model_delete,
    gpu_model_update,
    node_type_clone,
    node_type_create,
    node_type_delete,
    node_type_update,
)
from fleet.inventory.services.clusters import (
    cluster_clone,
    cluster_create,
    cluster_delete,
    cluster_derive,
    cluster_update,
)
from fleet.inventory.services.files import cluster_export_yaml, cluster_import_yaml, cluster_store
from fleet.inventory.values import cluster_value

__all__ = [
    "capacity_add",
    "capacity_remove",
    "catalogue_import",
    "cluster_clone",
    "cluster_create",
    "cluster_delete",
    "cluster_derive",
    "cluster_export_yaml",
    "cluster_import_yaml",
    "cluster_store",
    "cluster_update",
    "cluster_value",
    "gpu_model_clone",
    "gpu_model_create",
    "gpu_model_delete",
    "gpu_model_update",
    "node_type_clone",
    "node_type_create",
    "node_type_delete",
    "node_type_update",
]
