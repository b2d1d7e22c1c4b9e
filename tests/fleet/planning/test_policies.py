"""Policies: named sets of the twin's choices."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from fleet.accounts.models import AuditEntry
from fleet.planning import services
from fleet.planning.forms import PolicyForm
from fleet.planning.models import Policy
from fleet.planning.policy_words import CHOICES
from twin.sched import Backfill, Order, PassMode, Placement, Shape
from twin.sched import Policy as TwinPolicy

FORM = {
    "name": "SJF",
    "order": "sjf",
    "backfill": "easy",
    "backfill_depth": "",
    "placement": "best_fit",
    "shape": "packed",
    "pass_mode": "instant",
}


def test_a_policy_row_is_the_twin_s_value(workspace, planner):
    policy = services.policy_create(workspace, planner, name="p", order="sjf", backfill_depth=None)
    assert services.policy_value(policy) == TwinPolicy(
        name="p", order=Order.SJF, backfill_depth=None, enforce_limits=True
    )


def test_a_policy_made_without_choices_is_the_twin_s_default(workspace, planner):
    policy = services.policy_create(workspace, planner, name=TwinPolicy().name)
    assert services.policy_value(policy) == TwinPolicy()


@pytest.mark.parametrize(
    ("field", "choices"),
    [
        ("order", Order),
        ("backfill", Backfill),
        ("placement", Placement),
        ("shape", Shape),
        ("pass_mode", PassMode),
    ],
)
def test_every_choice_of_the_twin_is_offered_and_explained(field, choices):
    assert set(CHOICES[field]) == {choice.value for choice in choices}


def test_a_choice_that_the_twin_does_not_have_is_refused(workspace, planner):
    with pytest.raises(ValidationError):
        services.policy_create(workspace, planner, name="p", order="astrology")


def test_a_change_is_recorded_with_before_and_after(policy, planner):
    services.policy_update(policy, planner, order="sjf")
    entry = AuditEntry.objects.filter(action="changed").get()
    assert (entry.before, entry.after) == ({"order": "fifo"}, {"order": "sjf"})


def test_a_planner_makes_edits_clones_and_deletes_one(planner_client, workspace, workspace_url):
    planner_client.post(workspace_url("planning:policy_new"), FORM)
    policy = Policy.objects.in_workspace(workspace).get()
    assert (policy.backfill_depth, policy.enforce_limits) == (None, False)
    planner_client.post(workspace_url("planning:policy_edit", pk=policy.pk), FORM | {"name": "Shortest"})
    page = planner_client.get(workspace_url("planning:policy_clone", pk=policy.pk)).content.decode()
    assert "Shortest (copy)" in page
    assert planner_client.get(workspace_url("planning:policy_delete", pk=policy.pk)).status_code == 200
    planner_client.post(workspace_url("planning:policy_delete", pk=policy.pk))
    assert not Policy.objects.in_workspace(workspace).exists()


def test_a_name_is_given_once(planner_client, workspace_url, policy):
    answer = planner_client.post(workspace_url("planning:policy_new"), FORM | {"name": policy.name})
    assert answer.status_code == 422
    assert "choose another name" in answer.content.decode()


def test_the_form_starts_with_the_twin_s_defaults(workspace):
    form = PolicyForm(workspace=workspace)
    defaults = {name: form.fields[name].initial for name in FORM if name != "name"}
    assert defaults == {name: getattr(Policy(), name) for name in defaults}


def test_a_viewer_reads_the_list_and_sees_no_button(viewer_client, workspace_url, policy):
    page = viewer_client.get(workspace_url("planning:policy_list")).content.decode()
    assert policy.name in page
    assert "New policy" not in page
    assert viewer_client.get(workspace_url("planning:policy_new")).status_code == 403


def test_the_empty_list_says_what_to_do_next(planner_client, workspace_url, workspace):
    assert "No policies yet" in planner_client.get(workspace_url("planning:policy_list")).content.decode()


def test_another_workspace_s_policy_is_not_found(stranger_client, other_workspace, policy):
    for name in ("edit", "clone", "delete"):
        url = f"/w/{other_workspace.slug}/policies/{policy.pk}/{name}/"
        assert stranger_client.get(url).status_code == 404


def test_a_name_taken_since_the_form_looked_is_told_on_the_form(
    planner_client, workspace_url, workspace, planner, monkeypatch
):
    services.policy_create(workspace, planner, name="SJF")
    monkeypatch.setattr(PolicyForm, "clean_name", lambda form: form.cleaned_data["name"])
    page = planner_client.post(workspace_url("planning:policy_new"), FORM)
    assert page.status_code == 422
    assert "was made just now" in page.content.decode()
