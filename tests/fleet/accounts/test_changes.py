"""The change log keeps who, what, before and after, and is found by its filters."""

import datetime
from decimal import Decimal

import pytest

from fleet.accounts.models import Role
from fleet.accounts.services import record


def test_only_the_fields_that_differ_are_kept(workspace, planner):
    entry = record(
        workspace,
        planner,
        "edited",
        workspace,
        {"name": "a", "nodes": 4, "gone": 1},
        {"name": "a", "nodes": 8, "new": True},
    )
    assert entry.before == {"nodes": 4, "gone": 1}
    assert entry.after == {"nodes": 8, "new": True}
    told = [(change.field, change.before, change.after) for change in entry.field_changes]
    assert told == [("nodes", "4", "8"), ("gone", "1", "—"), ("new", "—", "yes")]


def test_values_that_json_does_not_know_are_kept_as_text(workspace, planner):
    after = {"day": datetime.date(2026, 1, 2), "price": Decimal("1.50"), "who": planner, "role": Role.ADMIN}
    entry = record(workspace, None, "made", workspace, None, after)
    assert entry.after == {"day": "2026-01-02", "price": "1.50", "who": "planner", "role": 3}
    assert entry.user is None


@pytest.fixture
def log(workspace, admin, planner):
    record(workspace, admin, "renamed", workspace, {"name": "old"}, {"name": "new"})
    record(workspace, planner, "invited", planner, None, {"role": "viewer"})


@pytest.mark.parametrize(
    ("query", "seen", "unseen"),
    [
        ("", ["renamed", "invited"], []),
        ("?kind=workspace", ["renamed"], ["invited user"]),
        ("?person=planner", ["invited user"], ["renamed workspace"]),
        ("?text=invit", ["invited user"], ["renamed workspace"]),
        ("?text=nothing", ["No change matches"], ["renamed workspace"]),
    ],
)
def test_the_page_shows_what_the_address_asks_for(viewer_client, workspace_url, log, query, seen, unseen):
    page = viewer_client.get(workspace_url("accounts:change_list") + query).content.decode()
    assert all(text in page for text in seen)
    assert not any(text in page for text in unseen)


def test_another_workspaces_changes_stay_there(stranger_client, other_workspace, log):
    page = stranger_client.get(f"/w/{other_workspace.slug}/settings/changes/").content.decode()
    assert "Nothing was changed yet" in page


def test_an_empty_log_says_what_it_is_for(viewer_client, workspace_url):
    page = viewer_client.get(workspace_url("accounts:change_list")).content.decode()
    assert "Nothing was changed yet" in page
