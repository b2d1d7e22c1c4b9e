"""The cast of every web test: one workspace with an admin, a planner and a viewer, and a stranger from
another workspace. Each has a signed-in client named after it (``planner_client``)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from fleet.accounts.models import Membership, Role, Workspace


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep a file's tests on one test process, and all browser tests, which share a running site."""
    for item in items:
        group = "browser" if item.path.parent.name == "browser" else item.path.name
        item.add_marker(pytest.mark.xdist_group(group))


def make_member(workspace: Workspace, name: str, role: Role) -> User:
    """A user with this role in this workspace."""
    user = User.objects.create_user(name, f"{name}@example.org", "correct horse battery staple")
    Membership.objects.create(workspace=workspace, user=user, role=role)
    return user


def sign_in(user: User) -> Client:
    """A test client with this user's session."""
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def workspace(db) -> Workspace:
    return Workspace.objects.create(name="Acme Compute", slug="acme")


@pytest.fixture
def other_workspace(db) -> Workspace:
    """The stranger's own workspace."""
    return Workspace.objects.create(name="Elsewhere", slug="elsewhere")


@pytest.fixture
def admin(workspace) -> User:
    return make_member(workspace, "admin", Role.ADMIN)


@pytest.fixture
def planner(workspace) -> User:
    return make_member(workspace, "planner", Role.PLANNER)


@pytest.fixture
def viewer(workspace) -> User:
    return make_member(workspace, "viewer", Role.VIEWER)


@pytest.fixture
def stranger(other_workspace) -> User:
    return make_member(other_workspace, "stranger", Role.ADMIN)


@pytest.fixture
def admin_client(admin) -> Client:
    return sign_in(admin)


@pytest.fixture
def planner_client(planner) -> Client:
    return sign_in(planner)


@pytest.fixture
def viewer_client(viewer) -> Client:
    return sign_in(viewer)


@pytest.fixture
def stranger_client(stranger) -> Client:
    return sign_in(stranger)


@pytest.fixture
def workspace_url(workspace) -> Callable[..., str]:
    """``workspace_url("planning:study_list")`` is that page's address in the workspace."""

    def url(name: str, **kwargs: object) -> str:
        return reverse(name, kwargs={"slug": workspace.slug, **kwargs})

    return url
