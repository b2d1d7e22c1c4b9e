"""GPU models and node types: the built-in catalogue (no workspace, read-only) and a workspace's own."""

from __future__ import annotations

from typing import Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from fleet.accounts.models import Workspace
from fleet.accounts.scoping import ScopedQuerySet
from twin.hardware import MAX_GPUS_PER_NODE

NOT_NEGATIVE = [MinValueValidator(0)]


class CatalogueQuerySet(ScopedQuerySet):
    """Reads a workspace's own rows together with the built-in ones."""

    def in_workspace(self, workspace: Workspace) -> Self:
        queryset = self.filter(Q(workspace=workspace) | Q(workspace__isnull=True))
        queryset.scoped = True
        return queryset


class CatalogueModel(models.Model):
    """Base of a catalogue row. ``workspace`` None: built-in, the same for everybody and never edited."""

    workspace = models.ForeignKey(
        "accounts.Workspace", on_delete=models.CASCADE, related_name="+", null=True, blank=True
    )
    name = models.CharField(max_length=100)
    source = models.CharField("where the figures are from", max_length=300, blank=True, default="")

    unscoped = models.Manager()
    objects = CatalogueQuerySet.as_manager()

    class Meta:
        abstract = True
        default_manager_name = "unscoped"
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["workspace", "name"], name="%(class)s_name_once"),
            models.UniqueConstraint(
                fields=["name"], condition=Q(workspace__isnull=True), name="%(class)s_built_in_name_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_built_in(self) -> bool:
        return self.workspace_id is None


def _figure(name: str) -> models.FloatField:
    return models.FloatField(name, null=True, blank=True, validators=NOT_NEGATIVE)


class GpuModel(CatalogueModel):
    """A GPU model; the fields are those of ``twin.hardware.Gpu``, None where a figure is not known."""

    vendor = models.CharField(max_length=50, blank=True, default="")
    architecture = models.CharField(max_length=50, blank=True, default="")
    launch_year = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1990), MaxValueValidator(2200)]
    )
    memory_gb = _figure("memory, GB")
    memory_bandwidth_gbps = _figure("memory bandwidth, GB/s")
    fp16_tflops_dense = _figure("FP16 dense, TFLOP/s")
    bf16_tflops_dense = _figure("BF16 dense, TFLOP/s")
    fp8_tflops_dense = _figure("FP8 dense, TFLOP/s")
    link_gbps = _figure("scale-up link, GB/s one way")
    tdp_w = _figure("TDP, W")
    mig_max_instances = models.PositiveSmallIntegerField("MIG slices at most", default=0)
    confidence = models.CharField("how sure the figures are", max_length=400, blank=True, default="")

    class Meta(CatalogueModel.Meta):
        verbose_name = "GPU model"


class NodeType(CatalogueModel):
    """One kind of node. Prices are in the currency of the cluster using it; zero CPUs or memory: no limit."""

    gpu = models.ForeignKey(GpuModel, on_delete=models.PROTECT, related_name="+", verbose_name="GPU model")
    gpus_per_node = models.PositiveSmallIntegerField(
        "GPUs a node", default=8, validators=[MinValueValidator(1), MaxValueValidator(MAX_GPUS_PER_NODE)]
    )
    cpus = models.PositiveIntegerField("CPUs a node", default=0)
    cpu_kind = models.CharField("what the CPUs count", max_length=20, blank=True, default="cores")
    memory_gb = models.FloatField("memory a node, GB", default=0.0, validators=NOT_NEGATIVE)
    nodes_per_rack = models.PositiveIntegerField("nodes a rack", default=0)
    node_price = _figure("price of a node")
    rent_per_gpu_hour = _figure("rent, per GPU-hour")
    node_idle_w = _figure("idle node, W")
    node_busy_w = _figure("busy node, W")

    class Meta(CatalogueModel.Meta):
        verbose_name = "node type"
