"""Workloads in Django's admin, across workspaces; what a reading wrote is shown and not edited."""

from __future__ import annotations

from django.contrib import admin

from fleet.workloads import models


@admin.register(models.Workload)
class WorkloadAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["__str__", "workspace", "kind", "state", "job_count", "created_at"]
    list_filter = ["workspace", "kind", "state"]
    search_fields = ["name", "original_name", "sha256"]
    fields = [
        "name",
        "workspace",
        "uploaded_by",
        "kind",
        "state",
        "sha256",
        "original_name",
        "job_count",
        "gpu_hours",
    ]
    readonly_fields = ["kind", "state", "sha256", "original_name", "job_count", "gpu_hours"]


@admin.register(models.WorkloadMix)
class WorkloadMixAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "workspace", "origin", "updated_at"]
    list_filter = ["workspace"]
    search_fields = ["name"]


@admin.register(models.StagedUpload)
class StagedUploadAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["original_name", "workspace", "owner", "size_bytes", "created_at"]
    readonly_fields = ["file", "sha256", "size_bytes"]


@admin.register(models.Mapping)
class MappingAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["__str__", "workspace", "used_at"]
