"""Workspaces and members for the installation's administrators."""

from __future__ import annotations

from django.contrib import admin

from fleet.accounts.models import AuditEntry, Membership, Workspace


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Membership
    extra = 1
    autocomplete_fields = ["user"]


@admin.register(Workspace)
class WorkspaceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "slug", "created_at"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    inlines = [MembershipInline]


@admin.register(AuditEntry)
class AuditEntryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """The change log; nobody edits it."""

    list_display = ["at", "workspace", "user", "action", "object_kind", "object_name"]
    list_filter = ["workspace", "object_kind", "action"]
    search_fields = ["object_name", "user__username"]
    date_hierarchy = "at"

    def has_add_permission(self, *_: object) -> bool:
        return False

    def has_change_permission(self, *_: object) -> bool:
        return False

    def has_delete_permission(self, *_: object) -> bool:
        return False
