"""Reading workspaces, members and changes."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from fleet.accounts.models import AuditEntry, Membership, Role, Workspace


def memberships_of(user: User | AnonymousUser) -> QuerySet[Membership]:
    """The workspaces a person is in, by name; none for somebody not signed in."""
    return (
        Membership.objects.filter(user_id=user.pk)
        .select_related("workspace")
        .order_by("workspace__name", "workspace_id")
    )


def members_of(workspace: Workspace) -> QuerySet[Membership]:
    """The members of a workspace, highest role first."""
    return workspace.memberships.select_related("user").order_by("-role", "user__username")


def is_last_admin(membership: Membership) -> bool:
    """Whether the workspace would be left without an admin if this member lost the role."""
    admins = Membership.objects.filter(workspace_id=membership.workspace_id, role=Role.ADMIN)
    return membership.role == Role.ADMIN and not admins.exclude(pk=membership.pk).exists()


def changes_of(
    workspace: Workspace, *, kind: str = "", person: str = "", text: str = "", object_id: str = ""
) -> QuerySet[AuditEntry]:
    """The change log, newest first, narrowed by kind of object, user name, words and object."""
    entries = workspace.audit_entries.select_related("user")
    if kind:
        entries = entries.filter(object_kind=kind)
    if person:
        entries = entries.filter(user__username=person)
    if object_id:
        entries = entries.filter(object_id=object_id)
    if text:
        entries = entries.filter(Q(object_name__icontains=text) | Q(action__icontains=text))
    return entries


def changed_kinds(workspace: Workspace) -> list[str]:
    """The kinds of object in the change log, by name."""
    kinds = workspace.audit_entries.order_by("object_kind").values_list("object_kind", flat=True)
    return list(kinds.distinct())


def changing_people(workspace: Workspace) -> list[str]:
    """The user names in the change log, by name."""
    entries = workspace.audit_entries.filter(user__isnull=False).order_by("user__username")
    return list(entries.values_list("user__username", flat=True).distinct())
