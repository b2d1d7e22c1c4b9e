"""API tokens in Django's admin: seen and revoked, never made (their secret is shown to their owner only)."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from fleet.api.models import ApiToken


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "workspace", "user", "start", "scope", "expires_at", "last_used_at", "revoked_at"]
    list_filter = ["workspace", "scope"]
    fields = [
        "name",
        "workspace",
        "user",
        "start",
        "scope",
        "created_at",
        "expires_at",
        "last_used_at",
        "revoked_at",
    ]
    readonly_fields = ["workspace", "user", "start", "scope", "created_at", "last_used_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's signature
        return False
