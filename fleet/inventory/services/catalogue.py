"""GPU models and node types: the built-in catalogue, and a workspace's own rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError
from django.forms import model_to_dict

from fleet.accounts.models import Workspace
from fleet.accounts.services import record
from fleet.inventory.models import GpuModel, NodeType
from fleet.inventory.services.names import free_name
from twin import hardware

CatalogueRow = TypeVar("CatalogueRow", GpuModel, NodeType)
NOT_COPIED = ("id", "workspace")


@transaction.atomic
def catalogue_import() -> int:
    """Make or bring up to date the built-in rows from the simulator's catalogue; the number written.

    Run it as often as you like: rows that are as they should be are not touched, and none is removed.
    """
    written = _built_in(GpuModel, [asdict(gpu) for gpu in hardware.catalogue().values()])
    gpus = {gpu.name: gpu for gpu in GpuModel.unscoped.filter(workspace=None)}
    node_types = [
        asdict(node_type) | {"gpu": gpus[node_type.gpu.name]} for node_type in hardware.node_types().values()
    ]
    return written + _built_in(NodeType, node_types)


def _built_in(model: type[GpuModel] | type[NodeType], wanted: list[dict[str, Any]]) -> int:
    """Write the rows that are missing or differ; how many."""
    existing = {row.name: row for row in model.unscoped.filter(workspace=None)}
    made, changed = [], []
    for figures in wanted:
        row = existing.get(figures["name"]) or model()
        known = {
            name: value for name, value in figures.items() if value is not None or _nullable(model, name)
        }
        if row.pk and all(getattr(row, name) == value for name, value in known.items()):
            continue
        for name, value in known.items():
            setattr(row, name, value)
        row.clean_fields(exclude=["gpu"])
        (changed if row.pk else made).append(row)
    model.unscoped.bulk_create(made)
    if changed:
        fields = [field.name for field in model._meta.fields if not field.primary_key]
        model.unscoped.bulk_update(changed, fields)
    return len(made) + len(changed)


def _nullable(model: type[GpuModel] | type[NodeType], name: str) -> bool:
    return bool(model._meta.get_field(name).null)


def _demand_own(row: GpuModel | NodeType) -> None:
    if row.is_built_in:
        raise ValidationError("The built-in catalogue is read-only: clone the row and edit the copy.")


def _figures(row: GpuModel | NodeType) -> dict[str, Any]:
    """The row for the change log; a node type's GPU by its name."""
    figures = model_to_dict(row, exclude=NOT_COPIED)
    return figures | {"gpu": row.gpu.name} if isinstance(row, NodeType) else figures


def _create(row: CatalogueRow, user: User | None, figures: Mapping[str, Any]) -> CatalogueRow:
    for name, value in figures.items():
        setattr(row, name, value)
    row.full_clean()
    row.save()
    record(_owner(row), user, "created", row, None, _figures(row))
    return row


def _update(row: CatalogueRow, user: User | None, figures: Mapping[str, Any]) -> CatalogueRow:
    _demand_own(row)
    before = _figures(type(row).unscoped.get(pk=row.pk))
    for name, value in figures.items():
        setattr(row, name, value)
    row.full_clean()
    row.save()
    record(_owner(row), user, "edited", row, before, _figures(row))
    return row


def _clone(row: CatalogueRow, workspace: Workspace, user: User | None) -> CatalogueRow:
    figures = {
        field.name: getattr(row, field.name) for field in row._meta.fields if field.name not in NOT_COPIED
    }
    taken = type(row).objects.in_workspace(workspace).values_list("name", flat=True)
    copied = f"copied from {row.name}" + (f": {row.source}" if row.source else "")
    figures |= {"name": free_name(f"{row.name} copy", taken), "source": copied[:300]}
    return _create(type(row)(workspace=workspace), user, figures)


def _delete(row: GpuModel | NodeType, user: User | None) -> None:
    _demand_own(row)
    try:
        with transaction.atomic():
            record(_owner(row), user, "deleted", row, _figures(row), None)
            row.delete()
    except ProtectedError as error:
        users = sorted({str(getattr(user, "cluster", user)) for user in error.protected_objects})
        raise ValidationError(f"{row.name} is used by {', '.join(users)}: change those first.") from error


def _owner(row: GpuModel | NodeType) -> Workspace:
    if row.workspace is None:
        raise ValidationError("The built-in catalogue is read-only.")
    return row.workspace


@transaction.atomic
def gpu_model_create(workspace: Workspace, user: User | None, **figures: Any) -> GpuModel:
    """Add a GPU model to a workspace. Raises ValidationError with every problem, by field."""
    return _create(GpuModel(workspace=workspace), user, figures)


@transaction.atomic
def gpu_model_update(gpu: GpuModel, user: User | None, **figures: Any) -> GpuModel:
    """Change a workspace's own GPU model; a built-in one is refused."""
    return _update(gpu, user, figures)


@transaction.atomic
def gpu_model_clone(gpu: GpuModel, workspace: Workspace, user: User | None) -> GpuModel:
    """Copy a GPU model into the workspace, to edit it there."""
    return _clone(gpu, workspace, user)


def gpu_model_delete(gpu: GpuModel, user: User | None) -> None:
    """Delete a workspace's own GPU model; one that is in use is refused, naming where."""
    _delete(gpu, user)


@transaction.atomic
def node_type_create(workspace: Workspace, user: User | None, **figures: Any) -> NodeType:
    """Add a node type to a workspace. Raises ValidationError with every problem, by field."""
    return _create(NodeType(workspace=workspace), user, figures)


@transaction.atomic
def node_type_update(node_type: NodeType, user: User | None, **figures: Any) -> NodeType:
    """Change a workspace's own node type; a built-in one is refused."""
    return _update(node_type, user, figures)


@transaction.atomic
def node_type_clone(node_type: NodeType, workspace: Workspace, user: User | None) -> NodeType:
    """Copy a node type into the workspace, to edit it there."""
    return _clone(node_type, workspace, user)


def node_type_delete(node_type: NodeType, user: User | None) -> None:
    """Delete a workspace's own node type; one that is in use is refused, naming where."""
    _delete(node_type, user)
