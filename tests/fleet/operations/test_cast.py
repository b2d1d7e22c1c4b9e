"""The cast of the tests is what the tests take it for."""

from fleet.accounts.models import Membership, Role


def test_each_member_has_the_role_of_its_name(workspace, admin, planner, viewer):
    roles = dict(Membership.objects.filter(workspace=workspace).values_list("user__username", "role"))
    assert roles == {"admin": Role.ADMIN, "planner": Role.PLANNER, "viewer": Role.VIEWER}


def test_the_stranger_is_no_member(workspace, stranger):
    assert not Membership.objects.filter(workspace=workspace, user=stranger).exists()
