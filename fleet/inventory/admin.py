"""The inventory in Django's admin, across workspaces. Changes made here are in the admin's own history."""

from __future__ import annotations

from django.contrib import admin

from fleet.inventory import models


class PoolInline(admin.StackedInline):  # type: ignore[type-arg]
    model = models.Pool
    extra = 0
    min_num = 1
    validate_min = True


class CapacityInline(admin.TabularInline):  # type: ignore[type-arg]
    model = models.PoolCapacity
    extra = 1


class TeamCostCentreInline(admin.TabularInline):  # type: ignore[type-arg]
    model = models.TeamCostCentre
    extra = 1


class TeamMemberInline(admin.TabularInline):  # type: ignore[type-arg]
    model = models.TeamMember
    extra = 1


@admin.register(models.Cluster)
class ClusterAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "workspace", "is_candidate", "derived_from", "updated_at"]
    list_filter = ["workspace", "is_candidate"]
    search_fields = ["name", "note"]
    inlines = [PoolInline]


@admin.register(models.Pool)
class PoolAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "cluster", "nodes", "node_type", "gpu", "gpus_per_node"]
    search_fields = ["name", "cluster__name"]
    inlines = [CapacityInline]


@admin.register(models.GpuModel)
class GpuModelAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "workspace", "vendor", "architecture", "launch_year", "memory_gb", "tdp_w"]
    list_filter = ["workspace", "vendor"]
    search_fields = ["name"]


@admin.register(models.NodeType)
class NodeTypeAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "workspace", "gpu", "gpus_per_node", "cpus", "memory_gb"]
    list_filter = ["workspace"]
    search_fields = ["name", "gpu__name"]


@admin.register(models.Team)
class TeamAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "workspace"]
    search_fields = ["name"]
    inlines = [TeamCostCentreInline, TeamMemberInline]


@admin.register(models.Site, models.Hall, models.Row, models.Rack)
class PlaceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["__str__", "power_kw", "cooling_kw"]
    search_fields = ["name"]


@admin.register(models.CostCentre)
class CostCentreAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["code", "name", "workspace"]
    search_fields = ["code", "name"]
