"""The slider: the latest question wins, nothing is written, and what is kept becomes a scenario."""

from __future__ import annotations

import pytest

from fleet.inventory.models import Cluster
from fleet.inventory.services import cluster_update
from fleet.planning import whatif
from fleet.planning.models import Outcome, Run, RunState
from fleet.planning.whatif import LatestWins
from tests.fleet.planning.conftest import execute, runs_of


@pytest.fixture
def ask(viewer_client, workspace_url, finished_study):
    """Ask for a number of nodes, as a viewer."""
    scenario = finished_study.scenarios.get(position=0)

    def get(nodes: int, **changes: object):
        query = {"scenario": scenario.pk, "pool": "main", "nodes": nodes, "tab": "t", "sequence": 1}
        return viewer_client.get(workspace_url("planning:what_if"), query | changes)

    return get


@pytest.fixture(autouse=True)
def _fresh_tabs(monkeypatch) -> None:
    monkeypatch.setattr(whatif, "LATEST", LatestWins())


class TestAnswer:
    def test_it_says_what_changed_and_compares_every_metric(self, ask):
        answer = ask(2)
        assert answer.status_code == 200
        data = answer.json()
        assert data["changed"] == ["pool main, nodes: 1 → 2"]
        assert data["gpus"] == 16
        load = next(row for row in data["rows"] if row["key"] == "offered_load")
        assert load["direction"] == "down"

    def test_it_is_the_same_answer_as_a_run_of_that_cluster(self, ask, finished_study):
        twice = runs_of(finished_study)[1].outcome.summary["all"]["waits"]["started_within_target"]
        share = next(row for row in ask(2).json()["rows"] if row["key"] == "share_within_target")
        assert share["tried"] == f"{100 * twice / 60:.1f}"

    def test_figures_hold_both_and_are_thinned(self, ask):
        figures = ask(2).json()["figures"]
        assert [series["name"] for series in figures["waits"]["series"]] == ["A now", "what if"]
        assert all(len(series["x"]) <= 500 for series in figures["queued"]["series"])

    def test_each_part_is_timed(self, ask):
        header = ask(2)["Server-Timing"]
        assert all(f"{part};dur=" in header for part in ("jobs", "replay", "summary", "page"))

    def test_no_row_is_written(self, ask):
        before = Outcome.unscoped.count(), Run.objects.count()
        ask(2)
        assert (Outcome.unscoped.count(), Run.objects.count()) == before


class TestLatestWins:
    def test_an_older_question_is_superseded(self, ask):
        assert ask(2, sequence=5).status_code == 200
        assert ask(2, sequence=4).status_code == 409

    def test_other_tabs_are_not_disturbed(self, ask):
        assert ask(2, sequence=5).status_code == 200
        assert ask(2, sequence=1, tab="other").status_code == 200

    def test_a_replay_under_way_stops_when_a_newer_question_comes(self, ask, monkeypatch):
        simulate = whatif.engine.simulate

        def overtaken(*args: object, on_progress, **kwargs: object):
            (key,) = whatif.LATEST._newest
            whatif.LATEST.begin(key, 99)
            assert on_progress(None) is False
            return simulate(*args, on_progress=lambda _progress: False, **kwargs)

        monkeypatch.setattr(whatif.engine, "simulate", overtaken)
        assert ask(2).status_code == 409

    def test_a_replay_that_is_too_slow_says_so(self, ask, monkeypatch):
        monkeypatch.setattr(whatif, "MOST_S", -1.0)
        answer = ask(2)
        assert answer.status_code == 503
        assert "keep it as a scenario" in answer.json()["problem"]

    def test_the_oldest_tabs_are_forgotten(self):
        latest = LatestWins(most=2)
        for tab in "abc":
            latest.begin((1, 1, tab), 5)
        assert latest.begin((1, 1, "a"), 1)
        assert not latest.begin((1, 1, "c"), 1)


class TestRefused:
    @pytest.mark.parametrize("nodes", [0, 3, 10**9])
    def test_nodes_outside_the_slider(self, ask, nodes):
        answer = ask(nodes)
        assert answer.status_code == 422
        assert "1 to 2" in answer.json()["problem"]

    def test_a_pool_that_is_not_there(self, ask):
        assert "main" in ask(2, pool="other").json()["problem"]

    @pytest.mark.parametrize("scenario", ["", "x", "999999"])
    def test_a_scenario_that_is_not_there(self, ask, scenario):
        assert ask(2, scenario=scenario).status_code == 404

    def test_another_workspace_s_scenario(self, stranger_client, other_workspace, finished_study):
        scenario = finished_study.scenarios.get(position=0)
        url = f"/w/{other_workspace.slug}/what-if/?scenario={scenario.pk}&pool=main&nodes=2"
        assert stranger_client.get(url).status_code == 404

    def test_a_workload_that_changed(self, ask, finished_study):
        finished_study.workload.sha256 = "other"
        finished_study.workload.save()
        assert ask(2).status_code == 422


class TestKeep:
    def test_it_makes_a_candidate_and_a_scenario(self, planner_client, workspace_url, finished_study):
        scenario = finished_study.scenarios.get(position=0)
        form = {"scenario": scenario.pk, "pool": "main", "nodes": 2}
        page = planner_client.post(workspace_url("planning:what_if_keep"), form, follow=True)
        assert "Kept as the candidate" in page.content.decode()
        candidate = Cluster.unscoped.get(name="now, main 2 nodes")
        assert candidate.is_candidate
        assert candidate.derived_from == scenario.cluster
        kept = finished_study.scenarios.get(position=2)
        assert kept.cluster == candidate
        execute(kept.runs.all())
        assert kept.runs.get().state == RunState.SUCCEEDED

    def test_a_viewer_may_try_and_not_keep(self, viewer_client, workspace_url, finished_study):
        scenario = finished_study.scenarios.get(position=0)
        form = {"scenario": scenario.pk, "pool": "main", "nodes": 2}
        assert viewer_client.post(workspace_url("planning:what_if_keep"), form).status_code == 403

    def test_nothing_is_made_of_a_number_outside_the_slider(
        self, planner_client, workspace_url, finished_study
    ):
        scenario = finished_study.scenarios.get(position=0)
        form = {"scenario": scenario.pk, "pool": "main", "nodes": 20}
        planner_client.post(workspace_url("planning:what_if_keep"), form)
        assert Cluster.unscoped.count() == 2

    def test_nothing_is_kept_of_a_cluster_that_was_edited_since(
        self, planner_client, workspace_url, finished_study, cluster, planner
    ):
        pool = cluster.pools.get()
        cluster_update(cluster, planner, pools=[{"id": pool.pk, "name": "renamed"}])
        scenario = finished_study.scenarios.get(position=0)
        form = {"scenario": scenario.pk, "pool": "main", "nodes": 2}
        page = planner_client.post(workspace_url("planning:what_if_keep"), form, follow=True)
        assert "edited since this ran" in page.content.decode()
        assert Cluster.unscoped.count() == 2
