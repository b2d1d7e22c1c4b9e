"""Settings of a workspace: who is in it, and what was changed."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from fleet.accounts import selectors, services
from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.forms import MemberForm, RoleForm, add_service_error
from fleet.accounts.models import AuditEntry, Membership, Role

CHANGES_A_PAGE = 50


def _member(request: WorkspaceRequest, member_id: int) -> Membership:
    return get_object_or_404(selectors.members_of(request.workspace), pk=member_id)


def _to_members(request: WorkspaceRequest) -> HttpResponse:
    return redirect("accounts:member_list", request.workspace.slug)


@workspace_view(Role.VIEWER, write=Role.ADMIN)
def member_list(request: WorkspaceRequest) -> HttpResponseBase:
    """The members; POST adds one."""
    form = MemberForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            member = services.member_add(
                request.workspace, request.user, form.cleaned_data["person"], form.cleaned_data["role"]
            )
        except ValidationError as error:
            add_service_error(form, error)
        else:
            messages.success(request, f"{member.user} is now a member, as {member.get_role_display()}.")
            return _to_members(request)
    context = {
        "section": "settings",
        "form": form,
        "members": selectors.members_of(request.workspace),
        "roles": Role.choices,
        "may_manage": request.role >= Role.ADMIN,
    }
    return render(request, "accounts/member_list.html", context)


@workspace_view(Role.ADMIN, write=Role.ADMIN)
@require_POST
def member_role(request: WorkspaceRequest, member_id: int) -> HttpResponseBase:
    """Give a member another role."""
    member = _member(request, member_id)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose one of the roles: viewer, planner or admin.")
        return _to_members(request)
    try:
        services.member_change_role(member, request.user, form.cleaned_data["role"])
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, f"{member.user} is now {member.get_role_display()}.")
    return _to_members(request)


@workspace_view(Role.ADMIN, write=Role.ADMIN)
def member_remove(request: WorkspaceRequest, member_id: int) -> HttpResponseBase:
    """Ask, then take a member out; the message offers to undo it."""
    member = _member(request, member_id)
    if request.method != "POST":
        context = {"section": "settings", "member": member, "last_admin": selectors.is_last_admin(member)}
        return render(request, "accounts/member_remove.html", context)
    try:
        entry = services.member_remove(member, request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return _to_members(request)
    undo = reverse("accounts:member_restore", args=[request.workspace.slug, entry.pk])
    messages.success(request, f"{member.user} was removed.", extra_tags=f"undo:{undo}")
    if member.user == request.user:
        return redirect("/")
    return _to_members(request)


@workspace_view(Role.ADMIN, write=Role.ADMIN)
@require_POST
def member_restore(request: WorkspaceRequest, entry_id: int) -> HttpResponseBase:
    """Undo a removal."""
    entry = get_object_or_404(AuditEntry, workspace=request.workspace, pk=entry_id, action="removed")
    try:
        member = services.member_restore(entry, request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, f"{member.user} is back, as {member.get_role_display()}.")
    return _to_members(request)


@workspace_view(Role.VIEWER, write=Role.ADMIN)
def change_list(request: WorkspaceRequest) -> HttpResponseBase:
    """The change log: who, when, what, before and after."""
    chosen = {key: request.GET.get(key, "").strip() for key in ("kind", "person", "text", "object_id")}
    entries = selectors.changes_of(request.workspace, **chosen)
    context = {
        "section": "settings",
        "page": Paginator(entries, CHANGES_A_PAGE).get_page(request.GET.get("page")),
        "chosen": chosen,
        "kinds": selectors.changed_kinds(request.workspace),
        "people": selectors.changing_people(request.workspace),
        "filtered": any(chosen.values()),
    }
    return render(request, "accounts/change_list.html", context)
