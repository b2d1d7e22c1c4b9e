"""The list of workloads."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.workloads.models import Kind
from fleet.workloads.selectors import workloads_of

PAGE_SIZE = 50
COLUMNS = (
    ("name", "Name", "", False),
    ("jobs", "Jobs", "", True),
    ("gpu_hours", "GPU-hours", "", True),
    ("span", "Span", "", True),
    ("added", "Added", "", False),
)


@dataclass(frozen=True, slots=True)
class Column:
    """A sortable column's head: ``next`` is the sort that a click asks for."""

    title: str
    unit: str
    numeric: bool
    direction: str
    next: str


def _columns(sort: str) -> list[Column]:
    columns = []
    for key, title, unit, numeric in COLUMNS:
        direction = {key: "ascending", f"-{key}": "descending"}.get(sort, "")
        following = f"-{key}" if direction == "ascending" or (numeric and not direction) else key
        columns.append(Column(title, unit, numeric, direction, following))
    return columns


@workspace_view(Role.VIEWER)
def workload_list(request: WorkspaceRequest) -> HttpResponse:
    text = request.GET.get("q", "").strip()
    kind = request.GET.get("kind", "")
    sort = request.GET.get("sort", "-added")
    found = workloads_of(request.workspace, text=text, kind=kind, sort=sort)
    context = {
        "section": "workloads",
        "page": Paginator(found, PAGE_SIZE).get_page(request.GET.get("page")),
        "q": text,
        "kind": kind,
        "kinds": Kind.choices,
        "sort": request.GET.get("sort", ""),
        "columns": _columns(sort),
        "filtered": bool(text or kind),
    }
    return render(request, "workloads/list.html", context)
