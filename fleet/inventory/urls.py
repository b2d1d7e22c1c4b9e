"""Pages of fleet.inventory, under /w/<slug>/inventory/."""

from django.urls import path

from fleet.inventory.views import capacity, catalogue, clusters, files

app_name = "inventory"
urlpatterns = [
    path("clusters/", clusters.cluster_list, name="cluster_list"),
    path("clusters.csv", files.cluster_list_csv, name="cluster_list_csv"),
    path("clusters/new/", clusters.cluster_new, name="cluster_new"),
    path("clusters/import/", files.cluster_import, name="cluster_import"),
    path("clusters/<int:cluster_id>/", clusters.cluster_detail, name="cluster_detail"),
    path("clusters/<int:cluster_id>/edit/", clusters.cluster_edit, name="cluster_edit"),
    path("clusters/<int:cluster_id>/clone/", clusters.cluster_clone, name="cluster_clone"),
    path("clusters/<int:cluster_id>/derive/", clusters.cluster_derive, name="cluster_derive"),
    path("clusters/<int:cluster_id>/delete/", clusters.cluster_delete, name="cluster_delete"),
    path("clusters/<int:cluster_id>/cluster.yaml", files.cluster_yaml, name="cluster_yaml"),
    path("clusters/<int:cluster_id>/pools.csv", files.cluster_csv, name="cluster_csv"),
    path("pools/<int:pool_id>/capacity/", capacity.pool_capacity, name="pool_capacity"),
    path("capacity/<int:capacity_id>/remove/", capacity.capacity_remove, name="capacity_remove"),
    path("node-types/", catalogue.node_type_list, name="node_type_list"),
    path("node-types/new/", catalogue.node_type_new, name="node_type_new"),
    path("node-types/<int:node_type_id>/", catalogue.node_type_detail, name="node_type_detail"),
    path("node-types/<int:node_type_id>/edit/", catalogue.node_type_edit, name="node_type_edit"),
    path("node-types/<int:node_type_id>/clone/", catalogue.node_type_clone, name="node_type_clone"),
    path("node-types/<int:node_type_id>/delete/", catalogue.node_type_delete, name="node_type_delete"),
    path("gpus/", catalogue.gpu_list, name="gpu_list"),
    path("gpus.csv", files.gpu_list_csv, name="gpu_list_csv"),
    path("gpus/new/", catalogue.gpu_new, name="gpu_new"),
    path("gpus/<int:gpu_id>/", catalogue.gpu_detail, name="gpu_detail"),
    path("gpus/<int:gpu_id>/edit/", catalogue.gpu_edit, name="gpu_edit"),
    path("gpus/<int:gpu_id>/clone/", catalogue.gpu_clone, name="gpu_clone"),
    path("gpus/<int:gpu_id>/delete/", catalogue.gpu_delete, name="gpu_delete"),
]
