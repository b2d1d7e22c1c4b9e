"""Planning in the Django admin: to look at. Changes go through the pages, which keep rules and log."""

from __future__ import annotations

from django.contrib import admin

from fleet.planning.models import Outcome, Policy, Run, Scenario, Study


class ReadOnlyAdmin(admin.ModelAdmin):
    """Lists and shows; adds, changes and deletes nothing."""

    def has_add_permission(self, *_args: object) -> bool:
        return False

    def has_change_permission(self, *_args: object) -> bool:
        return False

    def has_delete_permission(self, *_args: object) -> bool:
        return False


@admin.register(Policy)
class PolicyAdmin(ReadOnlyAdmin):
    list_display = ("name", "workspace", "order", "backfill", "placement", "updated_at")
    list_filter = ("workspace",)


@admin.register(Study)
class StudyAdmin(ReadOnlyAdmin):
    list_display = ("name", "workspace", "workload", "round", "created_by", "created_at")
    list_filter = ("workspace",)


@admin.register(Scenario)
class ScenarioAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "study", "round", "position")


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("pk", "scenario", "seed", "state", "attempt", "losses", "heartbeat_at", "spec_hash")
    list_filter = ("state", "workspace")


@admin.register(Outcome)
class OutcomeAdmin(ReadOnlyAdmin):
    list_display = ("spec_hash", "workspace", "engine_version", "computed_s", "created_at")
    list_filter = ("workspace",)
