"""The first page: results where there are some, the next step where there are none."""

from __future__ import annotations

from tests.fleet.planning.conftest import execute, runs_of


def text(client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_empty_workspace_is_told_what_to_do_next(planner_client, workspace_url, workspace):
    page = text(planner_client, workspace_url("planning:overview"))
    for step in ("Describe a cluster", "Upload a trace", "Name a policy", "Ask a study"):
        assert step in page


def test_steps_that_are_done_are_ticked(planner_client, workspace_url, policy):
    page = text(planner_client, workspace_url("planning:overview"))
    assert "done</span> Name a policy" in page


def test_the_demo_study_leads_with_its_key_figures(viewer_client, workspace_url, make_study):
    execute(runs_of(make_study(name="The demo", is_demo=True)))
    page = text(viewer_client, workspace_url("planning:overview"))
    assert page.index("The demo") < page.index("Latest studies")
    assert "Started within target" in page
    assert "Cost per year" in page


def test_running_work_is_shown_with_its_progress(viewer_client, workspace_url, study):
    execute(runs_of(study)[:1])
    page = text(viewer_client, workspace_url("planning:overview"))
    assert "Running now" in page
    assert "1 of 2 runs" in page


def test_it_needs_few_queries(
    viewer_client, workspace_url, finished_study, make_study, django_assert_max_num_queries
):
    for number in range(6):
        make_study(name=f"study {number}")
    with django_assert_max_num_queries(30):
        viewer_client.get(workspace_url("planning:overview"))
