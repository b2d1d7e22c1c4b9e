"""How to make what the addresses of fleet.accounts name (tests/fleet/url_table.py)."""

from django.contrib.auth.models import User

from fleet.accounts.models import Membership, Role
from fleet.accounts.services import record
from tests.fleet.url_table import object_named


def _member(workspace):
    number = User.objects.count()
    user = User.objects.create_user(f"member-{number}", f"member-{number}@example.org")
    return Membership.objects.create(workspace=workspace, user=user, role=Role.VIEWER)


@object_named("member_id")
def member(workspace, made):
    return _member(workspace).pk


@object_named("entry_id")
def removal(workspace, made):
    member = _member(workspace)
    before = {"role": member.get_role_display(), "user": member.user.username}
    entry = record(workspace, None, "removed", member, before, None)
    member.delete()
    return entry.pk
