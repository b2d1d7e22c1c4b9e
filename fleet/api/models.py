"""API tokens: a secret shown once, of which only the hash is kept."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from fleet.accounts.scoping import WorkspaceModel


class Scope(models.TextChoices):
    """What a token may do; never more than its owner's role allows."""

    READ = "read", "read"
    WRITE = "write", "read and write"


class ApiToken(WorkspaceModel):
    """Lets a program act for a member in one workspace."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    start = models.CharField(max_length=12)  # the first letters, to tell tokens apart
    sha256 = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=8, choices=Scope.choices, default=Scope.READ)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta(WorkspaceModel.Meta):
        verbose_name = "API token"
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name
