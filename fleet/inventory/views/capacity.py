"""The dated capacity of a pool."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.forms import add_service_error
from fleet.accounts.models import Role
from fleet.inventory import services
from fleet.inventory.forms import CapacityForm
from fleet.inventory.models import Pool, PoolCapacity


@workspace_view(Role.VIEWER)
def pool_capacity(request: WorkspaceRequest, pool_id: int) -> HttpResponseBase:
    """How many nodes are in which state from which day; POST adds a row."""
    pools = Pool.objects.filter(cluster__workspace=request.workspace).select_related("cluster")
    pool = get_object_or_404(pools, pk=pool_id)
    form = CapacityForm(request.POST if request.method == "POST" else None, pool=pool)
    if request.method == "POST" and form.is_valid():
        try:
            services.capacity_add(pool, request.user, **form.cleaned_data)
        except ValidationError as error:
            add_service_error(form, error)
        else:
            return redirect("inventory:pool_capacity", request.workspace.slug, pool.pk)
    context = {
        "section": "inventory",
        "pool": pool,
        "cluster": pool.cluster,
        "rows": pool.capacities.all(),
        "form": form,
    }
    return render(request, "inventory/pool_capacity.html", context)


@workspace_view(Role.PLANNER)
@require_POST
def capacity_remove(request: WorkspaceRequest, capacity_id: int) -> HttpResponseBase:
    """Take a dated row back."""
    rows = PoolCapacity.objects.filter(pool__cluster__workspace=request.workspace)
    row = get_object_or_404(rows.select_related("pool__cluster"), pk=capacity_id)
    services.capacity_remove(row, request.user)
    messages.success(request, f"Removed: {row}.")
    return redirect("inventory:pool_capacity", request.workspace.slug, row.pool_id)
