"""Studies: what is asked, how it is asked again, and that numbers never change afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from fleet.accounts.models import AuditEntry
from fleet.inventory.services import cluster_update
from fleet.planning import services
from fleet.planning.forms import StudyForm
from fleet.planning.models import Run, RunState, Scenario, Study
from fleet.planning.selectors.staleness import changes_since
from fleet.planning.selectors.studies import progress_of, scenarios_of
from fleet.workloads.models import Kind, State, Workload
from fleet.workloads.services.mixes import mix_create, mix_use
from tests.fleet.planning.conftest import execute, keep_cluster, keep_workload, runs_of, small_trace
from twin.workload import demo_mix


@pytest.fixture
def mix(workspace, planner) -> Workload:
    """A workload that draws from a seed."""
    return mix_use(mix_create(workspace, planner, demo_mix(gpus=8, days=1.0)), planner)


class TestAsking:
    def test_the_scenarios_are_clusters_times_policies_the_baseline_first(self, make_study, policy, strict):
        study = make_study(policies=[policy, strict])
        assert [str(scenario) for scenario in study.scenarios.all()] == [
            "now · FIFO, EASY",
            "now · FIFO, strict",
            "twice · FIFO, EASY",
            "twice · FIFO, strict",
        ]

    def test_a_recorded_trace_is_replayed_once_whatever_the_seeds(self, make_study):
        assert len(runs_of(make_study(seeds=(0, 1, 2)))) == 2

    def test_a_mix_is_drawn_once_a_seed(self, make_study, mix):
        runs = runs_of(make_study(workload=mix, seeds=(3, 4), candidates=[]))
        assert [run.seed for run in runs] == [3, 4]
        assert runs[0].spec_hash != runs[1].spec_hash

    def test_all_scenarios_of_a_mix_have_one_horizon(self, make_study, mix):
        runs = runs_of(make_study(workload=mix, seeds=(3, 4)))
        assert {run.spec["horizon_ms"] for run in runs} == {86_400_000}

    def test_runs_are_sent_when_the_study_is_committed(
        self, make_study, sent, django_capture_on_commit_callbacks
    ):
        with django_capture_on_commit_callbacks(execute=True):
            study = make_study()
        assert sent == [run.pk for run in runs_of(study)]

    def test_every_problem_is_told_at_once(self, make_study, workspace, other_workspace, workload):
        Workload.unscoped.filter(pk=workload.pk).update(state=State.READING)
        workload.refresh_from_db()
        theirs = keep_cluster(other_workspace, None, "theirs", 1)
        with pytest.raises(ValidationError) as caught:
            make_study(candidates=[theirs], policies=[], seeds=(1, 1))
        assert len(caught.value.messages) == 4
        assert not Study.objects.in_workspace(workspace).exists()

    def test_a_study_has_at_most_24_scenarios(self, make_study, workspace, planner):
        many = [keep_cluster(workspace, planner, f"c{number}", 1) for number in range(24)]
        with pytest.raises(ValidationError, match="at most 24"):
            make_study(candidates=many)

    def test_it_is_written_into_the_change_log(self, study, workspace):
        entry = AuditEntry.objects.filter(workspace=workspace, object_kind="study").get()
        assert entry.after["clusters"] == ["now", "twice"]


class TestAskingAgain:
    def test_editing_a_cluster_changes_no_number_and_is_told(self, finished_study, cluster, planner):
        before = [run.outcome_id for run in runs_of(finished_study)]
        pool = cluster.pools.get()
        cluster_update(cluster, planner, pools=[{"id": pool.pk, "nodes": 3}])
        assert [run.outcome_id for run in runs_of(finished_study)] == before
        finished_study.refresh_from_db()
        changes = changes_since(finished_study, scenarios_of(finished_study))
        assert changes == ("now: pool main, nodes: 1 → 3",)

    def test_nothing_changed_is_told_as_nothing(self, finished_study):
        assert changes_since(finished_study, scenarios_of(finished_study)) == ()

    def test_a_new_round_has_new_inputs_and_the_old_one_keeps_its_own(self, finished_study, cluster, planner):
        pool = cluster.pools.get()
        cluster_update(cluster, planner, pools=[{"id": pool.pk, "nodes": 3}])
        services.study_run_again(finished_study, planner)
        rounds = [
            scenarios_of(finished_study, number)[0].cluster_snapshot["pools"][0]["nodes"] for number in (1, 2)
        ]
        assert rounds == [1, 3]

    def test_what_did_not_change_is_answered_without_a_replay(self, finished_study, planner):
        services.study_run_again(finished_study, planner)
        again = [run for run in runs_of(finished_study) if run.scenario.round == 2]
        execute(again)
        assert {(run.state, run.attempt) for run in Run.objects.filter(pk__in=[r.pk for r in again])} == {
            (RunState.SUCCEEDED, 0)
        }

    def test_it_can_be_asked_of_a_newer_trace(self, finished_study, workspace, planner):
        newer = keep_workload(workspace, "newer", small_trace(largest=4))
        services.study_run_again(finished_study, planner, workload=newer)
        assert scenarios_of(finished_study)[0].workload_snapshot["name"] == "newer"

    def test_a_mix_s_length_does_not_become_the_horizon_of_a_trace(self, make_study, mix, workspace, planner):
        study = make_study(workload=mix)
        services.study_run_again(study, planner, workload=keep_workload(workspace, "newer", small_trace()))
        assert {run.spec["horizon_ms"] for run in runs_of(study) if run.scenario.round == 2} == {None}

    def test_a_horizon_that_was_given_stays(self, make_study, workspace, planner):
        study = make_study(horizon_ms=3_600_000)
        services.study_run_again(study, planner, workload=keep_workload(workspace, "newer", small_trace()))
        assert {run.spec["horizon_ms"] for run in runs_of(study)} == {3_600_000}

    def test_of_two_at_the_same_time_the_second_is_told(self, finished_study, planner):
        seen_by_another = Study.unscoped.get(pk=finished_study.pk)
        services.study_run_again(finished_study, planner)
        with pytest.raises(ValidationError, match="Somebody else ran this study again"):
            services.study_run_again(seen_by_another, planner)

    def test_it_cannot_where_an_input_was_deleted(self, finished_study, policy, planner):
        services.policy_delete(policy, planner)
        finished_study.refresh_from_db()
        with pytest.raises(ValidationError, match="A policy of this study was deleted"):
            services.study_run_again(finished_study, planner)

    def test_a_scenario_added_takes_the_next_place(self, finished_study, workspace, planner, policy):
        third = keep_cluster(workspace, planner, "thrice", 3)
        assert services.scenario_add(finished_study, planner, third, policy).position == 2


class TestEnding:
    def test_cancel_ends_what_waits_and_retry_queues_it_again(self, study, planner):
        assert services.study_cancel(study, planner) == 2
        assert services.study_cancel(study, planner) == 0
        assert services.study_retry(study, planner) == 2
        assert {run.state for run in runs_of(study)} == {RunState.QUEUED}

    def test_deleting_a_cluster_keeps_the_numbers(self, finished_study, candidate):
        candidate.delete()
        scenario = scenarios_of(finished_study)[1]
        assert scenario.cluster is None
        assert scenario.cluster_snapshot["name"] == "twice"
        assert scenario.runs.get().outcome is not None

    def test_deleting_a_study_takes_its_scenarios_and_runs(self, finished_study, planner):
        services.study_delete(finished_study, planner)
        assert not Scenario.objects.exists()
        assert not Run.objects.exists()


class TestPages:
    def test_a_planner_makes_a_study(
        self, planner_client, workspace_url, workload, cluster, candidate, policy
    ):
        form = {
            "name": "Asked",
            "workload": workload.pk,
            "baseline": cluster.pk,
            "candidates": [candidate.pk],
            "policies": [policy.pk],
            "seeds": 1,
        }
        answer = planner_client.post(workspace_url("planning:study_new"), form, follow=True)
        assert answer.status_code == 200
        assert "0 of 2 runs done" in answer.content.decode()

    def test_problems_stand_at_the_form(self, planner_client, workspace_url, workload, cluster, policy):
        answer = planner_client.post(workspace_url("planning:study_new"), {"name": "", "seeds": 99})
        assert answer.status_code == 422
        assert "Choose at least one policy." in answer.content.decode()

    def test_another_workspace_s_cluster_is_no_choice(
        self, planner_client, workspace_url, other_workspace, workload, policy
    ):
        theirs = keep_cluster(other_workspace, None, "theirs", 1)
        form = {"name": "x", "workload": workload.pk, "baseline": theirs.pk, "policies": [policy.pk]}
        answer = planner_client.post(workspace_url("planning:study_new"), form | {"seeds": 1})
        assert answer.status_code == 422
        assert not Study.unscoped.exists()

    def test_a_clone_starts_with_everything_that_was_asked(
        self, planner_client, workspace_url, study, candidate, policy
    ):
        url = workspace_url("planning:study_new")
        form = planner_client.get(f"{url}?clone={study.pk}").context["form"]
        chosen = {name: form[name].value() for name in ("name", "candidates", "policies")}
        assert chosen == {"name": "More nodes? (copy)", "candidates": [candidate.pk], "policies": [policy.pk]}
        assert planner_client.get(f"{url}?clone=999999").status_code == 404

    def test_the_preview_counts_and_warns_of_overload(
        self, planner_client, workspace_url, workload, cluster, candidate, policy
    ):
        query = {"workload": workload.pk, "baseline": cluster.pk, "candidates": [candidate.pk]}
        page = planner_client.get(
            workspace_url("planning:study_preview"), query | {"policies": [policy.pk], "seeds": 3}
        ).content.decode()
        assert "2 scenarios" in page
        assert "asks for more GPU time than now, twice has" in page

    def test_progress_polls_itself_only_while_runs_are_left(self, planner_client, workspace_url, study):
        url = workspace_url("planning:study_progress", pk=study.pk)
        assert "every 1s" in planner_client.get(url).content.decode()
        execute(runs_of(study))
        page = planner_client.get(url).content.decode()
        assert "every 1s" not in page
        assert "2 of 2 runs done" in page

    def test_a_failed_run_tells_its_reason_and_offers_to_retry(self, planner_client, workspace_url, study):
        Run.objects.update(state=RunState.FAILED, error="The worker ran out of memory.")
        page = planner_client.get(workspace_url("planning:study_detail", pk=study.pk)).content.decode()
        assert "The worker ran out of memory." in page
        assert "Retry what did not finish" in page

    @pytest.mark.parametrize("action", ["cancel", "retry", "run_again", "delete"])
    def test_a_viewer_may_look_and_not_act(self, viewer_client, workspace_url, finished_study, action):
        page = viewer_client.get(workspace_url("planning:study_detail", pk=finished_study.pk))
        assert "Run again" not in page.content.decode()
        url = workspace_url(f"planning:study_{action}", pk=finished_study.pk)
        assert viewer_client.post(url).status_code == 403

    def test_list_and_detail_need_few_queries(
        self, viewer_client, workspace_url, finished_study, django_assert_max_num_queries
    ):
        for name, kwargs in (("study_list", {}), ("study_detail", {"pk": finished_study.pk})):
            with django_assert_max_num_queries(30):
                viewer_client.get(workspace_url(f"planning:{name}", **kwargs))

    def test_inputs_changed_since_is_said_on_the_page(
        self, planner_client, workspace_url, finished_study, policy, planner
    ):
        services.policy_update(policy, planner, order="sjf")
        page = planner_client.get(workspace_url("planning:study_detail", pk=finished_study.pk))
        assert "Inputs changed since." in page.content.decode()
        assert "Order of the queue: FIFO → Shortest first" in page.content.decode()

    def test_a_number_too_large_for_a_row_is_nobody_s(self, planner_client, workspace_url, study):
        url = workspace_url("planning:study_preview")
        query = {"baseline": "9" * 30, "candidates": "²", "seeds": "9" * 30}
        assert planner_client.get(url, query).status_code == 200


def test_a_mix_of_the_workspace_needs_a_seed(mix):
    assert mix.kind == Kind.MIX
    assert mix.needs_seed


def test_the_time_before_a_scenario_was_added_is_not_waited_for(finished_study):
    runs = runs_of(finished_study)
    for run in runs:
        run.finished_at = run.queued_at + timedelta(seconds=2)
    added = Run(queued_at=runs[0].queued_at + timedelta(minutes=10), state=RunState.RUNNING, progress=0.5)
    told = progress_of([*runs, added], added.queued_at + timedelta(seconds=3))
    assert told.elapsed_s == 3
    assert told.eta_s == 3


@pytest.mark.parametrize("field", ["candidates", "policies"])
def test_an_id_too_long_for_the_database_is_not_a_valid_choice(workspace, field):
    form = StudyForm({"name": "s", field: ["9" * 30]}, workspace=workspace)
    assert "not one of the available choices" in str(form.errors[field])
