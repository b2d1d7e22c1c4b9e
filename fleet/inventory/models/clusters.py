"""Clusters, real and candidate, their pools, and how a pool's capacity changes over time."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse

from fleet.accounts.scoping import WorkspaceModel
from fleet.inventory.models.catalogue import GpuModel, NodeType
from fleet.inventory.models.places import Row, Site
from twin.hardware import MAX_GPUS_PER_NODE, Economy

MAX_NODES = 1_000_000
DEFAULT = Economy()


class Cluster(WorkspaceModel):
    """Pools of nodes that one scheduler places jobs on. A candidate does not exist yet."""

    name = models.CharField(max_length=100)
    note = models.TextField(blank=True, default="")
    is_candidate = models.BooleanField("candidate: does not exist yet", default=False)
    derived_from = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="candidates"
    )
    site = models.ForeignKey(Site, on_delete=models.SET_NULL, null=True, blank=True, related_name="clusters")
    currency = models.CharField(max_length=3, default=DEFAULT.currency)
    amortisation_years = models.FloatField(
        "price spread, years",
        default=DEFAULT.amortisation_years,
        validators=[MinValueValidator(0.1), MaxValueValidator(100)],
    )
    electricity_per_kwh = models.FloatField(
        "electricity, per kWh", null=True, blank=True, validators=[MinValueValidator(0)]
    )
    pue = models.FloatField(
        "PUE",
        default=DEFAULT.pue,
        validators=[MinValueValidator(1), MaxValueValidator(10)],
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(WorkspaceModel.Meta):
        ordering = ["is_candidate", "name"]
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="cluster_name_once")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("inventory:cluster_detail", args=[self.workspace.slug, self.pk])


def _own(name: str) -> models.FloatField:
    return models.FloatField(name, null=True, blank=True, validators=[MinValueValidator(0)])


class PoolManager(models.Manager):  # type: ignore[type-arg]
    """A pool is always read with its hardware: its figures come from there."""

    def get_queryset(self) -> models.QuerySet[Pool]:
        return super().get_queryset().select_related("gpu", "node_type__gpu")


class Pool(models.Model):
    """``nodes`` equal nodes: of a node type, whose figures hold where the pool gives none, or all its own."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="pools")
    position = models.PositiveSmallIntegerField(default=0)
    name = models.CharField(max_length=100)
    nodes = models.PositiveIntegerField(validators=[MinValueValidator(1), MaxValueValidator(MAX_NODES)])
    node_type = models.ForeignKey(NodeType, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    gpu = models.ForeignKey(
        GpuModel, on_delete=models.PROTECT, null=True, blank=True, related_name="+", verbose_name="GPU model"
    )
    gpus_per_node = models.PositiveSmallIntegerField(
        "GPUs a node",
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_GPUS_PER_NODE)],
    )
    cpus = models.PositiveIntegerField("CPUs a node", null=True, blank=True)
    memory_gb = _own("memory a node, GB")
    nodes_per_rack = models.PositiveIntegerField("nodes a rack", null=True, blank=True)
    speed = models.FloatField(
        "speed", default=1.0, validators=[MinValueValidator(0.01), MaxValueValidator(100)]
    )
    node_price = _own("price of a node")
    rent_per_gpu_hour = _own("rent, per GPU-hour")
    node_idle_w = _own("idle node, W")
    node_busy_w = _own("busy node, W")
    row = models.ForeignKey(
        Row,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="pools",
        verbose_name="row of racks",
    )

    objects = PoolManager()

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["cluster", "name"], name="pool_name_once"),
            models.CheckConstraint(
                condition=models.Q(node_type__isnull=False)
                | models.Q(gpu__isnull=False, gpus_per_node__isnull=False),
                name="pool_has_node_type_or_gpus",
                violation_error_message="Choose a node type, or a GPU model and its GPUs a node.",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class CapacityState(models.TextChoices):
    """A node's life. Only nodes in service run jobs."""

    PLANNED = "planned", "planned"
    ORDERED = "ordered", "ordered"
    DELIVERED = "delivered", "delivered"
    ACCEPTANCE = "acceptance", "in acceptance"
    SERVICE = "service", "in service"
    DRAINING = "draining", "draining"
    RETIRED = "retired", "retired"


class PoolCapacity(models.Model):
    """From ``from_date`` on the pool has ``nodes`` nodes in ``state``, until a later row of that state."""

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="capacities")
    state = models.CharField(max_length=10, choices=CapacityState.choices, default=CapacityState.PLANNED)
    nodes = models.PositiveIntegerField(validators=[MaxValueValidator(MAX_NODES)])
    from_date = models.DateField()
    note = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ["from_date", "pk"]
        verbose_name = "pool capacity"
        verbose_name_plural = "pool capacities"
        constraints = [
            models.UniqueConstraint(fields=["pool", "state", "from_date"], name="capacity_once_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.pool}: {self.nodes} {self.get_state_display()} from {self.from_date}"
