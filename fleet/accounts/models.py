"""Workspaces, who is in them, and what they changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import models


class Role(models.IntegerChoices):
    """What a member may do; a higher role includes the lower ones."""

    VIEWER = 1, "viewer"
    PLANNER = 2, "planner"
    ADMIN = 3, "admin"


class Workspace(models.Model):
    name = models.CharField(max_length=100)
    slug = models.SlugField(max_length=50, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.VIEWER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "user"], name="one_membership_each")]

    def __str__(self) -> str:
        return f"{self.user} in {self.workspace} ({self.get_role_display()})"


NOTHING = "—"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a change, as text."""

    field: str
    before: str
    after: str


def _told(value: Any) -> str:
    """A recorded value for people."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class AuditEntry(models.Model):
    """One change: who, when, what, before and after (JSON of the changed fields)."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="audit_entries")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=40)
    object_kind = models.CharField(max_length=40)
    object_id = models.CharField(max_length=40)
    object_name = models.CharField(max_length=200)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.action} {self.object_kind} {self.object_name}"

    @property
    def field_changes(self) -> list[FieldChange]:
        """The changed fields in the order they were recorded; what was and stays empty is left out."""
        changes = [
            FieldChange(field.replace("_", " "), _told(self.before.get(field)), _told(self.after.get(field)))
            for field in {**self.before, **self.after}
        ]
        return [change for change in changes if (change.before, change.after) != (NOTHING, NOTHING)]
