"""GPU models and node types: lists, details, and a workspace's own rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.forms import add_service_error
from fleet.accounts.models import Role
from fleet.inventory import selectors, services
from fleet.inventory.forms import GpuModelForm, NodeTypeForm
from fleet.inventory.models import GpuModel, NodeType
from twin import hardware


@dataclass(frozen=True, slots=True)
class Kind:
    """What the pages of the two kinds of row differ in."""

    noun: str
    list_url: str
    detail_url: str
    edit_url: str
    form: type[GpuModelForm] | type[NodeTypeForm]
    create: Callable[..., Any]
    update: Callable[..., Any]
    clone: Callable[..., Any]
    delete: Callable[..., Any]


GPU = Kind(
    "GPU model",
    "inventory:gpu_list",
    "inventory:gpu_detail",
    "inventory:gpu_edit",
    GpuModelForm,
    services.gpu_model_create,
    services.gpu_model_update,
    services.gpu_model_clone,
    services.gpu_model_delete,
)
NODE_TYPE = Kind(
    "node type",
    "inventory:node_type_list",
    "inventory:node_type_detail",
    "inventory:node_type_edit",
    NodeTypeForm,
    services.node_type_create,
    services.node_type_update,
    services.node_type_clone,
    services.node_type_delete,
)


def _gpu(request: WorkspaceRequest, gpu_id: int) -> GpuModel:
    return get_object_or_404(GpuModel.objects.in_workspace(request.workspace), pk=gpu_id)


def _node_type(request: WorkspaceRequest, node_type_id: int) -> NodeType:
    return get_object_or_404(selectors.node_types_of(request.workspace), pk=node_type_id)


def _number(text: str) -> float | None:
    """The number of a filter; None for text that is none, as if the filter were not set."""
    try:
        return float(text)
    except ValueError:
        return None


def chosen_gpus(request: WorkspaceRequest) -> tuple[dict[str, str], QuerySet[GpuModel]]:
    """The filters of the address, and the GPU models that they leave, sorted."""
    chosen = {
        key: request.GET.get(key, "").strip()
        for key in ("text", "vendor", "architecture", "memory_gb_from", "own")
    }
    found = selectors.gpu_models_of(
        request.workspace,
        text=chosen["text"],
        vendor=chosen["vendor"],
        architecture=chosen["architecture"],
        memory_gb_from=_number(chosen["memory_gb_from"]),
        own=bool(chosen["own"]),
        sort=request.GET.get("sort", "name"),
    )
    return chosen, found


@workspace_view(Role.VIEWER)
def gpu_list(request: WorkspaceRequest) -> HttpResponseBase:
    """The catalogue of GPU models."""
    chosen, found = chosen_gpus(request)
    context = {
        "section": "inventory",
        "gpus": list(found),
        "chosen": chosen,
        "filtered": any(chosen.values()),
        "sort": request.GET.get("sort", "name"),
        "vendors": selectors.gpu_vendors(request.workspace),
        "architectures": selectors.gpu_architectures(request.workspace),
    }
    return render(request, "inventory/gpu_list.html", context)


@workspace_view(Role.VIEWER)
def gpu_detail(request: WorkspaceRequest, gpu_id: int) -> HttpResponseBase:
    """One GPU model: figures, where they are from, offers, where it is used."""
    gpu = _gpu(request, gpu_id)
    context = {
        "section": "inventory",
        "gpu": gpu,
        "pools": selectors.pools_using_gpu(request.workspace, gpu),
        "node_types": NodeType.objects.in_workspace(request.workspace).filter(gpu=gpu),
        "offers": hardware.rent_prices_of(gpu.name),
    }
    return render(request, "inventory/gpu_detail.html", context)


@workspace_view(Role.VIEWER)
def node_type_list(request: WorkspaceRequest) -> HttpResponseBase:
    """Built-in node types and the workspace's own."""
    chosen = {key: request.GET.get(key, "").strip() for key in ("text", "gpu", "own")}
    sort = request.GET.get("sort", "name")
    found = selectors.node_types_of(
        request.workspace, text=chosen["text"], gpu=chosen["gpu"], own=bool(chosen["own"]), sort=sort
    )
    every = NodeType.objects.in_workspace(request.workspace)
    context = {
        "section": "inventory",
        "node_types": list(found),
        "chosen": chosen,
        "filtered": any(chosen.values()),
        "sort": sort,
        "gpu_models": list(every.order_by("gpu__name").values_list("gpu__name", flat=True).distinct()),
    }
    return render(request, "inventory/node_type_list.html", context)


@workspace_view(Role.VIEWER)
def node_type_detail(request: WorkspaceRequest, node_type_id: int) -> HttpResponseBase:
    """One node type: figures, where they are from, where it is used."""
    node_type = _node_type(request, node_type_id)
    context = {
        "section": "inventory",
        "node_type": node_type,
        "pools": selectors.pools_using_node_type(request.workspace, node_type),
    }
    return render(request, "inventory/node_type_detail.html", context)


def _to(request: WorkspaceRequest, url_name: str, *args: int) -> HttpResponse:
    return redirect(url_name, request.workspace.slug, *args)


def _edit(request: WorkspaceRequest, kind: Kind, row: GpuModel | NodeType | None) -> HttpResponseBase:
    """The form of a row, for a new one (None) and for one of the workspace's own."""
    if row is not None and row.is_built_in:
        messages.error(request, "The built-in catalogue is read-only: clone the row and edit the copy.")
        return _to(request, kind.detail_url, row.pk)
    form = kind.form(
        request.POST if request.method == "POST" else None, instance=row, workspace=request.workspace
    )
    if request.method == "POST" and form.is_valid():
        try:
            if row is None:
                saved = kind.create(request.workspace, request.user, **form.cleaned_data)
            else:
                saved = kind.update(row, request.user, **form.cleaned_data)
        except ValidationError as error:
            add_service_error(form, error)
        else:
            messages.success(request, f"{saved.name} is saved.")
            return _to(request, kind.detail_url, saved.pk)
    back = [row.pk] if row is not None else []
    back_url = reverse(kind.detail_url if back else kind.list_url, args=[request.workspace.slug, *back])
    context = {"section": "inventory", "form": form, "row": row, "noun": kind.noun, "back_url": back_url}
    return render(request, "inventory/catalogue_form.html", context)


def _clone(request: WorkspaceRequest, kind: Kind, row: GpuModel | NodeType) -> HttpResponseBase:
    copy = kind.clone(row, request.workspace, request.user)
    messages.success(request, f"{copy.name} is made; change what differs.")
    return _to(request, kind.edit_url, copy.pk)


def _delete(request: WorkspaceRequest, kind: Kind, row: GpuModel | NodeType) -> HttpResponseBase:
    """Ask, then delete; a row in use stays and the message says where it is used."""
    if request.method == "POST":
        try:
            kind.delete(row, request.user)
        except ValidationError as error:
            messages.error(request, error.messages[0])
            return _to(request, kind.detail_url, row.pk)
        messages.success(request, f"{row.name} is deleted.")
        return _to(request, kind.list_url)
    back_url = reverse(kind.detail_url, args=[request.workspace.slug, row.pk])
    context = {"section": "inventory", "row": row, "noun": kind.noun, "back_url": back_url}
    return render(request, "inventory/catalogue_delete.html", context)


@workspace_view(Role.PLANNER)
def gpu_new(request: WorkspaceRequest) -> HttpResponseBase:
    return _edit(request, GPU, None)


@workspace_view(Role.PLANNER)
def gpu_edit(request: WorkspaceRequest, gpu_id: int) -> HttpResponseBase:
    return _edit(request, GPU, _gpu(request, gpu_id))


@workspace_view(Role.PLANNER)
@require_POST
def gpu_clone(request: WorkspaceRequest, gpu_id: int) -> HttpResponseBase:
    return _clone(request, GPU, _gpu(request, gpu_id))


@workspace_view(Role.PLANNER)
def gpu_delete(request: WorkspaceRequest, gpu_id: int) -> HttpResponseBase:
    return _delete(request, GPU, _gpu(request, gpu_id))


@workspace_view(Role.PLANNER)
def node_type_new(request: WorkspaceRequest) -> HttpResponseBase:
    return _edit(request, NODE_TYPE, None)


@workspace_view(Role.PLANNER)
def node_type_edit(request: WorkspaceRequest, node_type_id: int) -> HttpResponseBase:
    return _edit(request, NODE_TYPE, _node_type(request, node_type_id))


@workspace_view(Role.PLANNER)
@require_POST
def node_type_clone(request: WorkspaceRequest, node_type_id: int) -> HttpResponseBase:
    return _clone(request, NODE_TYPE, _node_type(request, node_type_id))


@workspace_view(Role.PLANNER)
def node_type_delete(request: WorkspaceRequest, node_type_id: int) -> HttpResponseBase:
    return _delete(request, NODE_TYPE, _node_type(request, node_type_id))
