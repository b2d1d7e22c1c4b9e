"""What a cluster is asked to run: recorded traces, and mixes from which a seeded trace is generated.

A ``Workload`` never changes what it holds once it is ready: a mix that is edited, or a trace that is uploaded
again, becomes a new version. Files live in Django storage; the rows keep the names that the storage returned.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.urls import reverse

from fleet.accounts.scoping import WorkspaceModel


class Kind(models.TextChoices):
    TRACE = "trace", "trace"
    MIX = "mix", "mix"


class State(models.TextChoices):
    """A trace is reading, then ready or failed; a mix is ready at once. A cancelled reading leaves no row."""

    READING = "reading", "reading"
    READY = "ready", "ready"
    FAILED = "failed", "failed"


class StagedUpload(WorkspaceModel):
    """A file that arrived and is not a workload yet. Removed at cancel, and after a day."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    original_name = models.CharField(max_length=200)
    file = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    size_bytes = models.BigIntegerField()

    def __str__(self) -> str:
        return self.original_name


class WorkloadMix(WorkspaceModel):
    """Named job classes with arrival, size and run-time distributions; ``spec`` is the mix as a mapping."""

    name = models.CharField(max_length=120)
    spec = models.JSONField()
    origin = models.CharField(max_length=200, blank=True)  # "preset demo", "fitted from philly v1"
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(WorkspaceModel.Meta):
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="mix_name_once")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("workloads:mix_detail", kwargs={"slug": self.workspace.slug, "mix_id": self.pk})


class Workload(WorkspaceModel):
    """A trace read from a file, or a mix frozen for use. ``sha256`` names the content that a replay sees:
    the table of jobs, or the mix's specification."""

    name = models.CharField(max_length=120)
    version = models.PositiveIntegerField(default=1)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    state = models.CharField(max_length=8, choices=State.choices)
    sha256 = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    # A trace: where it came from and how it is read.
    original_name = models.CharField(max_length=200, blank=True)
    original_file = models.CharField(max_length=200, blank=True)
    original_sha256 = models.CharField(max_length=64, blank=True)
    original_bytes = models.BigIntegerField(default=0)
    reading = models.JSONField(default=dict)  # {"format": …, "mapping": … | null, "keep": …}
    jobs_file = models.CharField(max_length=200, blank=True)
    refused_file = models.CharField(max_length=200, blank=True)

    # The reading in a worker; only the attempt that holds the row writes.
    attempt = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)  # workers that went silent
    claimed = models.BooleanField(default=False)
    heartbeat_at = models.DateTimeField(null=True)
    progress = models.FloatField(default=0.0)  # share of the whole, 0 to 1
    step = models.CharField(max_length=80, blank=True)

    # What came out.
    job_count = models.BigIntegerField(default=0)
    gpu_hours = models.FloatField(default=0.0)
    span_ms = models.BigIntegerField(default=0)
    report = models.JSONField(default=dict)
    profile = models.JSONField(default=dict)
    problems = models.JSONField(default=list)  # [{"where", "what", "valid"}] when it failed

    # A mix: the specification as it was when it was put to use.
    mix = models.ForeignKey(WorkloadMix, on_delete=models.SET_NULL, null=True, related_name="workloads")
    mix_spec = models.JSONField(null=True)

    class Meta(WorkspaceModel.Meta):
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["workspace", "name", "version"], name="workload_version_once")
        ]
        indexes = [models.Index(fields=["workspace", "original_sha256"], name="workload_same_file")]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}" if self.version > 1 else self.name

    @property
    def is_ready(self) -> bool:
        return self.state == State.READY

    @property
    def needs_seed(self) -> bool:
        """Whether two seeds give two different tables of jobs."""
        return self.kind == Kind.MIX

    def get_absolute_url(self) -> str:
        return reverse(
            "workloads:workload_detail", kwargs={"slug": self.workspace.slug, "workload_id": self.pk}
        )


class Mapping(WorkspaceModel):
    """How the columns of a plain CSV were mapped, kept for the next file with the same header."""

    header_sha256 = models.CharField(max_length=64)
    columns = models.JSONField()  # the file's column names, in order
    mapping = models.JSONField()
    used_at = models.DateTimeField(auto_now=True)

    class Meta(WorkspaceModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["workspace", "header_sha256"], name="mapping_header_once")
        ]

    def __str__(self) -> str:
        return ", ".join(self.columns)
