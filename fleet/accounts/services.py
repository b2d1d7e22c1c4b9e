"""Writing workspaces and members, and recording what people change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils.text import slugify

from fleet.accounts.models import AuditEntry, Membership, Role, Workspace
from fleet.accounts.selectors import is_last_admin

PLAIN = DjangoJSONEncoder()


def _jsonable(value: Any) -> Any:
    """The value as JSON can hold it; a model instance by its name, anything unknown by its text."""
    if isinstance(value, Mapping):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_jsonable(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, models.Model):
        return str(value)
    try:
        return PLAIN.default(value)
    except TypeError:
        return str(value)


def record(
    workspace: Workspace,
    user: User | AnonymousUser | None,
    action: str,
    obj: models.Model,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Write one change into the log: who did what to which object.

    Where both ``before`` and ``after`` are given, only the fields that differ are kept. ``user`` None
    means a scheduled or automatic change. Call it inside the transaction of the change, before the object
    is deleted.
    """
    old, new = _jsonable(before or {}), _jsonable(after or {})
    if before is not None and after is not None:
        changed = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        old = {key: old[key] for key in changed if key in old}
        new = {key: new[key] for key in changed if key in new}
    return AuditEntry.objects.create(
        workspace=workspace,
        user=user if isinstance(user, User) else None,
        action=action,
        object_kind=str(obj._meta.verbose_name),
        object_id=str(obj.pk),
        object_name=str(obj)[:200],
        before=old,
        after=new,
    )


def _lock_members(workspace: Workspace) -> None:
    """Until the transaction ends nobody else changes roles: two admins must not remove each other."""
    Workspace.objects.select_for_update().get(pk=workspace.pk)


def _free_slug(name: str) -> str:
    """A URL name for a workspace that no other has."""
    stem = slugify(name)[:40] or "workspace"
    slug, number = stem, 2
    while Workspace.objects.filter(slug=slug).exists():
        slug, number = f"{stem}-{number}", number + 1
    return slug


@transaction.atomic
def workspace_create(name: str, admin: User, *, slug: str = "") -> Workspace:
    """Make a workspace with its first admin. ``slug`` (URL name) is made from the name if not given."""
    workspace = Workspace.objects.create(name=name, slug=slug or _free_slug(name))
    Membership.objects.create(workspace=workspace, user=admin, role=Role.ADMIN)
    record(workspace, admin, "created", workspace, None, {"name": name})
    return workspace


def user_found(name_or_email: str) -> User:
    """The account with this user name or e-mail address.

    Raises ValidationError where there is none, or more than one with that address.
    """
    wanted = name_or_email.strip()
    found = list(User.objects.filter(username=wanted) or User.objects.filter(email__iexact=wanted)[:2])
    if not found or not wanted:
        raise ValidationError(
            f"Nobody with the user name or e-mail address “{wanted}” has an account here. "
            "An administrator of this installation makes accounts in the Django admin."
        )
    if len(found) > 1:
        raise ValidationError(f"Several accounts have the address {wanted}; give the user name.")
    return found[0]


@transaction.atomic
def member_add(workspace: Workspace, actor: User | None, user: User, role: Role) -> Membership:
    """Let a person in. Raises ValidationError if they are a member already."""
    member, made = Membership.objects.get_or_create(
        workspace=workspace, user=user, defaults={"role": Role(role)}
    )
    if not made:
        raise ValidationError(f"{user} is already a member, as {member.get_role_display()}.")
    record(workspace, actor, "added", member, None, {"role": Role(role).label})
    return member


@transaction.atomic
def member_change_role(member: Membership, actor: User | None, role: Role) -> Membership:
    """Give a member another role. Raises ValidationError for the last admin."""
    _lock_members(member.workspace)
    if role != Role.ADMIN and is_last_admin(member):
        raise ValidationError("This is the last admin; make somebody else admin first.")
    before = {"role": member.get_role_display()}
    member.role = role
    member.save(update_fields=["role"])
    record(member.workspace, actor, "changed", member, before, {"role": Role(role).label})
    return member


@transaction.atomic
def member_remove(member: Membership, actor: User | None) -> AuditEntry:
    """Take a person out of the workspace; the entry that is returned can undo it (``member_restore``).

    Raises ValidationError for the last admin.
    """
    _lock_members(member.workspace)
    if is_last_admin(member):
        raise ValidationError("This is the last admin; make somebody else admin first.")
    before = {"role": member.get_role_display(), "user": member.user.get_username()}
    entry = record(member.workspace, actor, "removed", member, before, None)
    member.delete()
    return entry


@transaction.atomic
def member_restore(entry: AuditEntry, actor: User | None) -> Membership:
    """Undo a removal. Raises ValidationError if the entry is none, or the person is back already."""
    user = User.objects.filter(username=entry.before.get("user", "")).first()
    roles = {role.label: role for role in Role}
    if user is None or entry.before.get("role") not in roles:
        raise ValidationError("This change cannot be undone: the account does not exist any more.")
    return member_add(entry.workspace, actor, user, roles[entry.before["role"]])
