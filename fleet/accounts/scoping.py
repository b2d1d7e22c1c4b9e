"""Objects that belong to a workspace, and the guard against reading another's.

``Model.objects`` answers only after ``.in_workspace(workspace)``; anything else raises
``UnscopedQuery``. ``Model.unscoped`` is the plain manager, for tasks and the admin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.db import models

if TYPE_CHECKING:
    from fleet.accounts.models import Workspace


class UnscopedQuery(Exception):
    """A query on a workspace's objects that does not say whose."""


class ScopedQuerySet(models.QuerySet):  # type: ignore[type-arg]
    """A queryset that refuses to touch the database before it is scoped."""

    scoped = False

    def in_workspace(self, workspace: Workspace) -> Self:
        """Only this workspace's rows."""
        queryset = self.filter(workspace=workspace)
        queryset.scoped = True
        return queryset

    def _clone(self) -> Self:
        clone = super()._clone()  # type: ignore[misc]
        clone.scoped = self.scoped
        return clone

    def _demand_scope(self) -> None:
        if not self.scoped:
            raise UnscopedQuery(f"{self.model.__name__}: call in_workspace() first, or use .unscoped")

    def _fetch_all(self) -> None:
        self._demand_scope()
        super()._fetch_all()  # type: ignore[misc]

    def iterator(self, *args: Any, **kwargs: Any) -> Any:
        self._demand_scope()
        return super().iterator(*args, **kwargs)

    def count(self) -> int:
        self._demand_scope()
        return super().count()

    def exists(self) -> bool:
        self._demand_scope()
        return super().exists()

    def aggregate(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        self._demand_scope()
        return super().aggregate(*args, **kwargs)

    def update(self, **kwargs: Any) -> int:
        self._demand_scope()
        return super().update(**kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        self._demand_scope()
        return super().delete()


class WorkspaceModel(models.Model):
    """Base of every root object: it carries its workspace, and children are reached through it."""

    workspace = models.ForeignKey("accounts.Workspace", on_delete=models.CASCADE, related_name="+")

    unscoped = models.Manager()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        abstract = True
        default_manager_name = "unscoped"
