"""The first page of a workspace."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.planning.selectors.overview import overview_of


@workspace_view(Role.VIEWER)
def overview(request: WorkspaceRequest) -> HttpResponse:
    context = {"section": "overview", "overview": overview_of(request.workspace)}
    return render(request, "planning/overview.html", context)
