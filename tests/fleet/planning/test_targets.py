"""Targets are read off stored counts: a change replays nothing and tells what a fresh summary tells."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from fleet.planning import services
from fleet.planning.specs import replay_inputs
from fleet.planning.targets import LADDER_S, SIZES, at_targets, started_within
from fleet.workloads.services import jobs_of
from tests.fleet.planning.conftest import execute, keep_workload, runs_of, small_trace
from twin.analysis import SIZE_BUCKETS, Targets, summarise
from twin.engine import simulate


@pytest.fixture
def result(make_study, workspace):
    """A replay of a trace with recorded starts and jobs that can never run."""
    workload = keep_workload(workspace, "past", small_trace(recorded=True, largest=12))
    inputs = replay_inputs(runs_of(make_study(workload=workload))[0].spec)
    return simulate(jobs_of(workload), inputs.cluster, inputs.policy, inputs.options)


@pytest.mark.parametrize("shift", range(4))
def test_a_summary_at_other_targets_is_the_summary_made_with_them(result, shift):
    targets = {size: LADDER_S[(shift * 3 + place) % len(LADDER_S)] for place, size in enumerate(SIZES)}
    made = summarise(result, targets=Targets(tuple(map(float, targets.values())), "test")).to_dict()
    told = at_targets(summarise(result).to_dict() | {"started_within": started_within(result)}, targets)
    for table in ("by_size", "by_group", "by_class"):
        for there, here in zip(made[table], told[table], strict=True):
            for waits in ("waits", "recorded"):
                for field in ("started_within_target", "share_within_target", "jobs"):
                    assert here[waits][field] == there[waits][field]
            assert here["target_s"] == there["target_s"]
    assert told["all"]["waits"]["started_within_target"] == made["all"]["waits"]["started_within_target"]


def test_the_sizes_are_those_of_the_analysis():
    assert tuple(bucket.key for bucket in SIZE_BUCKETS) == SIZES


def test_changing_targets_changes_the_page_and_replays_nothing(planner_client, workspace_url, finished_study):
    before = [run.attempt for run in runs_of(finished_study)]
    form = dict.fromkeys(SIZES, 604_800)
    page = planner_client.post(
        workspace_url("planning:study_targets", pk=finished_study.pk), form, follow=True
    ).content.decode()
    assert "1 GPU 7 d" in page
    assert "60 of 60" in page
    assert [run.attempt for run in runs_of(finished_study)] == before


def test_only_steps_of_the_ladder_are_taken(finished_study, planner):
    with pytest.raises(ValidationError):
        services.study_set_targets(finished_study, planner, {"1": 61})
    with pytest.raises(ValidationError):
        services.study_set_targets(finished_study, planner, {"3": 60})


def test_defaults_are_not_stored(finished_study, planner):
    services.study_set_targets(finished_study, planner, {"1": 900, "65+": 86_400})
    assert finished_study.targets == {"65+": 86_400}


def test_a_viewer_sees_targets_and_cannot_change_them(viewer_client, workspace_url, study):
    execute(runs_of(study))
    page = viewer_client.get(workspace_url("planning:compare", pk=study.pk)).content.decode()
    assert "Targets, wait at most: 1 GPU 15 min" in page
    assert viewer_client.get(workspace_url("planning:study_targets", pk=study.pk)).status_code == 403
