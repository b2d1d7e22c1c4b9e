"""Members: who is added, who changes, who cannot leave, and what the log says of it."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from fleet.accounts import services
from fleet.accounts.models import AuditEntry, Membership, Role


@pytest.fixture
def newcomer(db) -> User:
    return User.objects.create_user("newcomer", "new@example.org")


def entries(workspace) -> list[tuple[str, dict, dict]]:
    return [(entry.action, entry.before, entry.after) for entry in workspace.audit_entries.order_by("pk")]


@pytest.mark.parametrize("person", ["newcomer", "new@example.org", " NEW@example.org "])
def test_an_admin_adds_a_member_by_user_name_or_address(
    admin_client, workspace, workspace_url, newcomer, person
):
    page = admin_client.post(
        workspace_url("accounts:member_list"), {"person": person, "role": Role.PLANNER}, follow=True
    )
    assert "newcomer is now a member, as planner." in page.content.decode()
    assert Membership.objects.get(workspace=workspace, user=newcomer).role == Role.PLANNER
    assert entries(workspace) == [("added", {}, {"role": "planner"})]


def test_an_unknown_person_is_explained_and_nothing_is_written(admin_client, workspace, workspace_url):
    page = admin_client.post(
        workspace_url("accounts:member_list"), {"person": "nobody", "role": 1}
    ).content.decode()
    assert "Nobody with the user name or e-mail address “nobody” has an account here." in page
    assert workspace.memberships.count() == 1


def test_a_member_is_not_added_twice(admin_client, workspace_url, planner):
    page = admin_client.post(workspace_url("accounts:member_list"), {"person": "planner", "role": 1})
    assert "planner is already a member, as planner." in page.content.decode()


def test_an_address_of_several_accounts_asks_for_the_user_name(newcomer):
    User.objects.create_user("twin", "new@example.org")
    with pytest.raises(ValidationError, match="give the user name"):
        services.user_found("new@example.org")


def test_an_admin_changes_a_role(admin_client, workspace, workspace_url, viewer):
    member = Membership.objects.get(user=viewer)
    admin_client.post(workspace_url("accounts:member_role", member_id=member.pk), {"role": Role.ADMIN})
    member.refresh_from_db()
    assert member.role == Role.ADMIN
    assert entries(workspace) == [("changed", {"role": "viewer"}, {"role": "admin"})]


def test_the_last_admin_keeps_the_role_and_stays(admin_client, workspace, workspace_url, admin, planner):
    member = Membership.objects.get(user=admin)
    told = "This is the last admin; make somebody else admin first."
    url = workspace_url("accounts:member_role", member_id=member.pk)
    assert told in admin_client.post(url, {"role": Role.VIEWER}, follow=True).content.decode()
    url = workspace_url("accounts:member_remove", member_id=member.pk)
    assert told in admin_client.post(url, follow=True).content.decode()
    member.refresh_from_db()
    assert member.role == Role.ADMIN
    assert entries(workspace) == []


def test_a_removal_is_asked_for_then_done_then_undone(admin_client, workspace, workspace_url, planner):
    member = Membership.objects.get(user=planner)
    url = workspace_url("accounts:member_remove", member_id=member.pk)
    assert "Remove planner from Acme Compute?" in admin_client.get(url).content.decode()
    assert workspace.memberships.filter(user=planner).exists()

    page = admin_client.post(url, follow=True).content.decode()
    assert "planner was removed." in page
    assert not workspace.memberships.filter(user=planner).exists()
    undo = workspace_url("accounts:member_restore", entry_id=AuditEntry.objects.get(action="removed").pk)
    assert f'action="{undo}"' in page

    admin_client.post(undo)
    assert workspace.memberships.get(user=planner).role == Role.PLANNER


def test_a_planner_sees_the_members_and_no_button(planner_client, workspace_url, viewer):
    page = planner_client.get(workspace_url("accounts:member_list")).content.decode()
    assert "viewer@example.org" in page
    assert "Add a member" not in page
    assert "Remove" not in page


def test_a_new_workspace_has_an_admin_and_a_free_address(newcomer, workspace):
    first = services.workspace_create("Acme", newcomer)
    second = services.workspace_create("Acme!", newcomer)
    assert (first.slug, second.slug) == ("acme-2", "acme-3")
    assert first.memberships.get().role == Role.ADMIN


def test_only_staff_are_shown_where_accounts_are_made(admin_client, admin, workspace_url):
    url = workspace_url("accounts:member_list")
    assert "/admin/auth/user/add/" not in admin_client.get(url).content.decode()
    admin.is_staff = True
    admin.save()
    assert "/admin/auth/user/add/" in admin_client.get(url).content.decode()
