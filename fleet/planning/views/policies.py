"""Pages of policies: list, new, edit, clone, delete."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.planning import services
from fleet.planning.forms import PolicyForm
from fleet.planning.models import Policy
from fleet.planning.policy_words import CHOICES, policy_line


@workspace_view(Role.VIEWER)
def policy_list(request: WorkspaceRequest) -> HttpResponse:
    policies = Policy.objects.in_workspace(request.workspace)
    rows = [(policy, policy_line(services.policy_fields(policy))) for policy in policies]
    return render(request, "planning/policy_list.html", {"section": "policies", "rows": rows})


@workspace_view(Role.PLANNER)
def policy_new(request: WorkspaceRequest) -> HttpResponse:
    return _edit(request, None, {}, "New policy")


@workspace_view(Role.PLANNER)
def policy_edit(request: WorkspaceRequest, pk: int) -> HttpResponse:
    policy = get_object_or_404(Policy.objects.in_workspace(request.workspace), pk=pk)
    return _edit(request, policy, services.policy_fields(policy), f"Edit {policy.name}")


@workspace_view(Role.PLANNER)
def policy_clone(request: WorkspaceRequest, pk: int) -> HttpResponse:
    policy = get_object_or_404(Policy.objects.in_workspace(request.workspace), pk=pk)
    fields = services.policy_fields(policy) | {"name": f"{policy.name} (copy)"}
    return _edit(request, None, fields, f"Clone {policy.name}")


@workspace_view(Role.PLANNER)
def policy_delete(request: WorkspaceRequest, pk: int) -> HttpResponse:
    policy = get_object_or_404(Policy.objects.in_workspace(request.workspace), pk=pk)
    if request.method == "POST":
        services.policy_delete(policy, request.user)
        messages.success(request, f"Deleted the policy “{policy.name}”.")
        return redirect("planning:policy_list", request.workspace.slug)
    context = {
        "section": "policies",
        "kind": "policy",
        "name": policy.name,
        "effect": "Studies that ran with it keep their numbers and their snapshot of it.",
        "back": reverse("planning:policy_list", args=[request.workspace.slug]),
    }
    return render(request, "planning/confirm_delete.html", context)


def _edit(
    request: WorkspaceRequest, policy: Policy | None, initial: dict[str, object], title: str
) -> HttpResponse:
    """Show the form, or make or change the policy that it describes."""
    data = request.POST if request.method == "POST" else None
    form = PolicyForm(data, workspace=request.workspace, policy=policy, initial=initial)
    if data is not None and form.is_valid():
        try:
            if policy is None:
                saved = services.policy_create(request.workspace, request.user, **form.cleaned_data)
            else:
                saved = services.policy_update(policy, request.user, **form.cleaned_data)
        except (IntegrityError, ValidationError):  # somebody took the name since the form looked
            form.add_error("name", "A policy of this name was made just now; choose another name.")
        else:
            messages.success(request, f"Saved the policy “{saved.name}”.")
            return redirect("planning:policy_list", request.workspace.slug)
    context = {"section": "policies", "form": form, "title": title, "policy": policy, "choices": CHOICES}
    return render(request, "planning/policy_form.html", context, status=422 if form.errors else 200)
