"""What is asked of the twin, and what it answered.

A *study* compares scenarios (cluster x policy) on one workload. A *scenario* keeps snapshots of the cluster
and the policy as they were when it was made, so its numbers never change afterwards. A *run* is one person's
request for one seed; it points to an *outcome*, which is unique by (workspace, specification hash).
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from fleet.accounts.scoping import WorkspaceModel
from twin.sched import Backfill, Order, PassMode, Placement, Shape


def _choices(kind: type[Order | Backfill | Placement | Shape | PassMode]) -> list[tuple[str, str]]:
    return [(choice.value, choice.value.replace("_", " ")) for choice in kind]


class Policy(WorkspaceModel):
    """A named scheduling policy; the fields are those of ``twin.sched.Policy``."""

    name = models.CharField(max_length=100)
    order = models.CharField(max_length=20, choices=_choices(Order), default=Order.FIFO.value)
    backfill = models.CharField(max_length=20, choices=_choices(Backfill), default=Backfill.EASY.value)
    backfill_depth = models.PositiveIntegerField(null=True, blank=True, default=100)  # None: no limit
    placement = models.CharField(max_length=20, choices=_choices(Placement), default=Placement.BEST_FIT.value)
    shape = models.CharField(max_length=20, choices=_choices(Shape), default=Shape.PACKED.value)
    pass_mode = models.CharField(max_length=20, choices=_choices(PassMode), default=PassMode.INSTANT.value)
    enforce_limits = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(WorkspaceModel.Meta):
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="one_policy_of_a_name")]

    def __str__(self) -> str:
        return self.name


class Study(WorkspaceModel):
    """A question: these clusters and policies, on this workload. ``round`` counts how often it was asked."""

    name = models.CharField(max_length=120)
    note = models.TextField(blank=True, default="")
    workload = models.ForeignKey("workloads.Workload", on_delete=models.SET_NULL, null=True, related_name="+")
    baseline = models.ForeignKey("inventory.Cluster", on_delete=models.SET_NULL, null=True, related_name="+")
    horizon_ms = models.BigIntegerField(null=True, blank=True)  # None: to the last submit
    seeds = models.JSONField(default=list)
    targets = models.JSONField(default=dict)  # GPU size -> seconds to wait at most; a size left out: default
    round = models.PositiveIntegerField(default=1)
    is_demo = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(WorkspaceModel.Meta):
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name


class Scenario(models.Model):
    """One column of a comparison. ``position`` gives its place and its colour; 0 is the baseline."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="scenarios")
    round = models.PositiveIntegerField(default=1)
    position = models.PositiveIntegerField()
    cluster = models.ForeignKey("inventory.Cluster", on_delete=models.SET_NULL, null=True, related_name="+")
    policy = models.ForeignKey(Policy, on_delete=models.SET_NULL, null=True, related_name="+")
    workload_snapshot = models.JSONField()
    cluster_snapshot = models.JSONField()
    policy_snapshot = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["round", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "round", "position"], name="one_scenario_a_place")
        ]

    def __str__(self) -> str:
        return f"{self.cluster_snapshot['name']} · {self.policy_snapshot['name']}"


class Outcome(WorkspaceModel):
    """What one specification leads to. The same thing is never simulated twice in a workspace."""

    spec_hash = models.CharField(max_length=64)
    engine_version = models.CharField(max_length=64)
    summary = models.JSONField()
    charts_file = models.CharField(max_length=300)
    jobs_file = models.CharField(max_length=300)
    computed_s = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(WorkspaceModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["workspace", "spec_hash"], name="one_outcome_a_specification")
        ]

    def __str__(self) -> str:
        return self.spec_hash[:12]


class RunState(models.TextChoices):
    """A run's life: queued, running, then one of the last three."""

    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    SUCCEEDED = "succeeded", "succeeded"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


class Run(models.Model):
    """A request to replay one scenario with one seed. Only the holder of ``attempt`` writes to it."""

    workspace = models.ForeignKey("accounts.Workspace", on_delete=models.CASCADE, related_name="+")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="runs")
    seed = models.PositiveIntegerField(default=0)
    spec = models.JSONField()
    spec_hash = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.QUEUED)
    attempt = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    sends = models.PositiveIntegerField(default=0)
    queued_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    progress = models.FloatField(default=0.0)
    step = models.CharField(max_length=60, default="waiting for a worker")
    error = models.TextField(default="", blank=True)
    cancel_requested = models.BooleanField(default=False)
    outcome = models.ForeignKey(Outcome, on_delete=models.PROTECT, null=True, related_name="runs")

    class Meta:
        ordering = ["scenario_id", "seed"]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="run_state_heartbeat")]
        constraints = [
            models.UniqueConstraint(fields=["scenario", "seed"], name="one_run_a_seed"),
            models.UniqueConstraint(
                fields=["workspace", "spec_hash"],
                condition=models.Q(state=RunState.RUNNING),
                name="one_running_a_specification",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} ({self.state})"
