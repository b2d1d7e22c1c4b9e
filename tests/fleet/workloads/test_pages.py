"""The list and the profile: what they show, that every view is an address, and their data twins."""

import csv
import io
import re

import pytest

from fleet.inventory.services.catalogue import catalogue_import
from fleet.inventory.services.files import cluster_import_yaml
from fleet.workloads.models import State, Workload
from tests.fleet.workloads.objects import workload as make_workload

CLUSTER = """
name: small
pools:
  - {name: a, nodes: 2, gpu: A100-SXM-80GB, gpus_per_node: 8}
"""


@pytest.fixture
def day(workspace) -> Workload:
    return Workload.unscoped.get(pk=make_workload(workspace, {}))


@pytest.fixture
def small_cluster(workspace):
    catalogue_import()
    return cluster_import_yaml(workspace, None, CLUSTER, "small.yaml")


def test_an_empty_list_says_what_to_do(planner_client, viewer_client, workspace_url):
    page = planner_client.get(workspace_url("workloads:workload_list")).content.decode()
    assert "No workloads yet" in page
    assert workspace_url("workloads:upload") in page
    assert (
        workspace_url("workloads:upload")
        not in viewer_client.get(workspace_url("workloads:workload_list")).content.decode()
    )


def test_the_list_is_narrowed_and_sorted_by_its_address(viewer_client, workspace_url, day):
    url = workspace_url("workloads:workload_list")
    assert "a day" in viewer_client.get(url + "?q=day&kind=trace&sort=-jobs").content.decode()
    assert "No workload matches" in viewer_client.get(url + "?kind=mix").content.decode()


def test_the_list_needs_few_queries(viewer_client, workspace_url, workspace, django_assert_max_num_queries):
    for _ in range(20):
        make_workload(workspace, {})
    with django_assert_max_num_queries(12):
        viewer_client.get(workspace_url("workloads:workload_list"))


def test_the_profile_holds_the_load_against_the_cluster_of_the_address(viewer_client, day, small_cluster):
    page = viewer_client.get(f"{day.get_absolute_url()}?cluster={small_cluster.pk}").content.decode()
    share = day.gpu_hours / (16 * day.span_ms / 3_600_000)
    assert f"{100 * share:,.1f} % of small" in page
    assert "of small" not in viewer_client.get(f"{day.get_absolute_url()}?cluster=none").content.decode()


def test_the_figures_carry_units_and_the_capacity_line(viewer_client, workspace_url, day, small_cluster):
    url = workspace_url("workloads:workload_charts_json", workload_id=day.pk)
    figures = viewer_client.get(f"{url}?cluster={small_cluster.pk}").json()
    assert figures["offered-load"]["capacity"] == 16
    assert all("unit" in figure["y"] or "unit" in figure["z"] for figure in figures.values())
    assert "capacity" not in viewer_client.get(f"{url}?cluster=none").json()["offered-load"]


def test_a_figure_is_a_csv_too(viewer_client, workspace_url, day):
    url = workspace_url("workloads:workload_chart_csv", workload_id=day.pk, chart="jobs-by-hour")
    rows = list(csv.reader(io.StringIO(viewer_client.get(url).content.decode())))
    assert len(rows) == 1 + 7 * 24
    assert sum(float(row[2]) for row in rows[1:]) == day.job_count


def test_the_profile_is_json_too(viewer_client, workspace_url, day):
    url = workspace_url("workloads:workload_profile_json", workload_id=day.pk)
    answer = viewer_client.get(url).json()
    assert answer["profile"]["jobs"] == day.job_count


def test_a_trace_without_calendar_says_so(imported, viewer_client):
    page = viewer_client.get(
        imported(b"job_id,submit,duration,gpus\n1,0,60,1\n2,90,60,2\n").get_absolute_url()
    )
    assert "hours and weekdays are not known" in page.content.decode()


def test_a_reading_shows_its_progress_and_a_failure_its_reasons(viewer_client, workspace_url, day):
    row = Workload.unscoped.filter(pk=day.pk)
    row.update(state=State.READING, progress=0.5, step="checking rows")
    page = viewer_client.get(day.get_absolute_url()).content.decode()
    assert "50 %" in page
    assert "checking rows" in page
    progress = workspace_url("workloads:workload_progress", workload_id=day.pk)
    assert viewer_client.get(progress).status_code == 200
    problem = {"where": "jobs.csv, line 3", "what": "a line is too long", "valid": "one job a line"}
    row.update(state=State.FAILED, problems=[problem])
    page = viewer_client.get(day.get_absolute_url()).content.decode()
    assert "jobs.csv, line 3: a line is too long" in page
    assert viewer_client.get(progress).headers["HX-Refresh"] == "true"


def test_names_in_a_csv_are_no_formulas(imported, viewer_client, workspace_url):
    content = b"job_id,submit,duration,gpus,state\n1,0,60,1,COMPLETED\n2,9,60,1,FAILED\n"
    workload = imported(content)
    url = workspace_url("workloads:workload_chart_csv", workload_id=workload.pk, chart="states")
    assert viewer_client.get(url).content.decode().splitlines()[0] == "x,completed (%),failed (%)"


def test_a_page_asks_only_for_charts_that_there_are(imported, viewer_client, workspace_url):
    workload = imported(b"job_id,submit,duration,gpus\n1,0,60,1\n2,90,60,2\n")
    page = viewer_client.get(workload.get_absolute_url()).content.decode()
    asked = set(re.findall(r'data-chart-key="([\w-]+)"', page))
    figures = viewer_client.get(
        workspace_url("workloads:workload_charts_json", workload_id=workload.pk)
    ).json()
    assert asked
    assert asked == set(figures)
