"""The compare page: what it says first, what it claims, and that its twins say the same."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from fleet.planning import services
from fleet.planning.comparison import CompareQuery, comparison_of
from fleet.planning.comparison.assumed import assumptions_of
from fleet.planning.comparison.export import csv_text
from fleet.planning.models import Run, RunState
from fleet.planning.selectors.studies import scenarios_of
from fleet.workloads.services.mixes import mix_create, mix_use
from tests.fleet.planning.conftest import execute, keep_cluster, keep_workload, runs_of, small_trace
from twin.workload import demo_mix


@pytest.fixture
def page(viewer_client, workspace_url):
    """``page(study, "?query")``: the compare page as text, as a viewer sees it."""

    def get(study, query: str = "") -> str:
        answer = viewer_client.get(workspace_url("planning:compare", pk=study.pk) + query)
        assert answer.status_code == 200
        return answer.content.decode()

    return get


@pytest.fixture
def csv_rows(viewer_client, workspace_url):
    """The CSV twin as mappings."""

    def get(study, query: str = "") -> list[dict[str, str]]:
        answer = viewer_client.get(workspace_url("planning:compare_csv", pk=study.pk) + query)
        return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))

    return get


@pytest.fixture
def seeded_study(make_study, workspace, planner):
    """A finished study of a mix over three seeds."""
    mix = mix_use(mix_create(workspace, planner, demo_mix(gpus=16, days=2.0)), planner)
    study = make_study(workload=mix, seeds=(0, 1, 2))
    execute(runs_of(study))
    return study


class TestFirst:
    def test_jobs_that_can_never_run_are_said_before_anything_else(self, make_study, workspace, page):
        study = make_study(workload=keep_workload(workspace, "large", small_trace(largest=12)))
        execute(runs_of(study))
        text = page(study)
        told = text.index("10 jobs can never run")
        assert "on A now: more GPUs than any pool it accepts has" in text
        assert told < text.index("Started within target")

    def test_a_replay_that_misses_the_past_greys_absolute_waits_and_says_why(
        self, make_study, workspace, page
    ):
        jobs = small_trace(recorded=True)
        many = jobs.take(sorted(list(range(len(jobs))) * 5))
        study = make_study(workload=keep_workload(workspace, "past", many))
        execute(runs_of(study))
        text = page(study)
        assert "Read the waits as differences only." in text
        assert "outside the bound of 25%" in text
        assert 'class="num grey"' in text

    def test_the_recorded_past_stands_beside_the_replayed_baseline(self, make_study, workspace, csv_rows):
        study = make_study(workload=keep_workload(workspace, "past", small_trace(recorded=True)))
        execute(runs_of(study))
        waits = [row for row in csv_rows(study) if row["metric"] == "Wait, p50"]
        assert [row["scenario"] for row in waits] == ["recorded past", "A now", "B twice"]
        assert float(waits[0]["value"]) == 60.0


class TestClaims:
    def test_a_single_replay_has_no_interval_and_nothing_is_best(self, finished_study, page):
        text = page(finished_study)
        assert "Deterministic replay: one replay of each scenario, no interval." in text
        assert "±" not in text.split("</form>", 1)[1].split("What if")[0].replace("Mean ±", "")
        assert 'class="value best"' not in text

    def test_seeds_give_intervals(self, seeded_study, page, csv_rows):
        assert "t-interval over 3 seeds" in page(seeded_study)
        shares = [row for row in csv_rows(seeded_study) if row["metric"] == "Cost per year"]
        assert [row["seeds"] for row in shares] == ["3", "3"]
        assert all(float(row["half-width of the 95 % interval"]) > 0 for row in shares)

    def test_a_percentile_of_too_few_jobs_is_told_as_k_of_n(self, finished_study, csv_rows):
        p99 = [row for row in csv_rows(finished_study) if row["metric"] == "Wait, p99"]
        assert [row["value"] for row in p99] == ["", ""]
        assert all(" of 60" in row["note"] for row in p99)

    def test_the_same_outcome_costs_what_each_scenario_s_prices_say(
        self, make_study, workspace, planner, csv_rows
    ):
        dearer = keep_cluster(workspace, planner, "dearer", 1, amortisation_years=2.0)
        study = make_study(candidates=[dearer])
        execute(runs_of(study))
        now, then = runs_of(study)
        assert now.outcome == then.outcome
        costs = [float(row["value"]) for row in csv_rows(study) if row["metric"] == "Cost per year"]
        assert costs[1] - costs[0] == pytest.approx(100_000 / 2 - 100_000 / 4)

    def test_a_missing_price_is_a_dash_and_never_zero(self, make_study, workspace, planner, csv_rows, page):
        priceless = keep_cluster(workspace, planner, "priceless", 1)
        priceless.pools.update(node_price=None)
        study = make_study(candidates=[priceless])
        execute(runs_of(study))
        costs = [row["value"] for row in csv_rows(study) if row["metric"] == "Cost per year"]
        assert costs[1] == ""
        assert "—" in page(study)

    def test_every_input_is_tagged_by_where_it_is_from(self, finished_study, page):
        text = page(finished_study)
        for tag in ("measured", "entered", "default"):
            assert f">{tag}</span>" in text
        assert "cluster now, by planner" in text


class TestChoices:
    def test_all_of_it_is_in_the_url(self):
        query = CompareQuery(
            round=2,
            baseline=1,
            show=(0, 2),
            size="1",
            group="vision",
            differences_only=True,
            more=True,
            metric="wait_p95",
            by="group",
        )
        from django.http import QueryDict

        assert CompareQuery.from_query(QueryDict(query.to_query())) == query
        assert CompareQuery().to_query() == ""

    def test_nonsense_in_the_url_is_left_at_the_default(self, finished_study, page):
        assert "Started within target" in page(finished_study, "?baseline=x&show=99,-1&metric=love&size=7")

    def test_the_baseline_can_be_any_scenario(self, finished_study, csv_rows):
        rows = [row for row in csv_rows(finished_study, "?baseline=1") if row["metric"] == "Offered load"]
        assert rows[1]["difference from the baseline"] == ""
        assert float(rows[0]["difference from the baseline"]) > 0

    def test_a_job_class_is_a_size_of_a_group(self, finished_study, csv_rows):
        rows = csv_rows(finished_study, "?size=1&group=vision")
        row = next(row for row in rows if row["metric"] == "Started within target")
        assert row["job class"] == "1 GPU, vision"
        assert row["note"].endswith("of 20")

    def test_differences_only_hides_rows_that_are_equal(self, finished_study, page):
        assert "Backlog at start" in page(finished_study).split("by GPU size")[0]
        assert "Backlog at start</span>" not in page(finished_study, "?only=differences")

    def test_makespan_is_behind_a_switch(self, finished_study, page):
        assert "Makespan</span>" not in page(finished_study)
        assert "Makespan</span>" in page(finished_study, "?more=1")

    def test_scenarios_can_be_chosen_and_the_baseline_stays(self, make_study, policy, strict, page):
        study = make_study(policies=[policy, strict])
        execute(runs_of(study))
        comparison = comparison_of(study, scenarios_of(study), CompareQuery(show=(3,)))
        assert [column.position for column in comparison.columns] == [0, 3]

    def test_of_many_scenarios_those_that_change_one_thing_are_shown_first(
        self, make_study, workspace, planner, policy, strict
    ):
        more = [keep_cluster(workspace, planner, f"{number} nodes", number) for number in (3, 4, 5)]
        study = make_study(candidates=more, policies=[policy, strict])
        comparison = comparison_of(study, scenarios_of(study), CompareQuery())
        assert [(column.name, column.detail) for column in comparison.columns] == [
            ("now", "FIFO, EASY"),
            ("now", "FIFO, strict"),
            ("3 nodes", "FIFO, EASY"),
            ("3 nodes", "FIFO, strict"),
            ("4 nodes", "FIFO, EASY"),
            ("5 nodes", "FIFO, EASY"),
        ]

    def test_an_old_round_is_shown_with_its_inputs(self, finished_study, planner, page, viewer_client):
        services.study_run_again(finished_study, planner)
        assert "round 1 of 2, with the inputs of its time" in page(finished_study, "?round=1")
        url = f"/w/acme/studies/{finished_study.pk}/compare/?round=9"
        assert viewer_client.get(url).status_code == 404


class TestFillingIn:
    def test_what_has_arrived_is_shown_while_the_rest_runs(self, study, page):
        execute(runs_of(study)[:1])
        text = page(study)
        assert "1 of 2 runs done" in text
        assert "Started within target" in text
        assert "every 2s" in text

    def test_only_the_bar_is_sent_while_nothing_new_arrived(self, study, viewer_client, workspace_url):
        url = workspace_url("planning:compare", pk=study.pk)
        ask = {"HTTP_HX_REQUEST": "true"}
        execute(runs_of(study)[:1])
        assert "Started within target" not in viewer_client.get(f"{url}?seen=1", **ask).content.decode()
        more = viewer_client.get(f"{url}?seen=0", **ask)
        assert "Started within target" in more.content.decode()
        assert more["HX-Retarget"] == "#comparison"
        execute(runs_of(study)[1:])
        assert viewer_client.get(f"{url}?seen=1", **ask)["HX-Refresh"] == "true"

    def test_before_the_first_result_the_page_says_so(self, study, page):
        assert "No result yet" in page(study)

    def test_a_failed_scenario_tells_its_reason(self, study, page):
        execute(runs_of(study)[:1])
        Run.objects.filter(pk=runs_of(study)[1].pk).update(state=RunState.FAILED, error="It was too large.")
        assert "B twice has no result:</strong> It was too large." in page(study)


class TestTwins:
    def test_json_and_csv_tell_the_same_numbers(self, finished_study, viewer_client, workspace_url, csv_rows):
        data = viewer_client.get(workspace_url("planning:compare_json", pk=finished_study.pk)).json()
        told = {row["label"]: row["values"] for row in data["metrics"]}
        for row in csv_rows(finished_study):
            if row["scenario"] == "A now" and row["table"] != "by size" and row["value"]:
                assert told[row["metric"]][0]["value"] == pytest.approx(float(row["value"]))

    @pytest.mark.parametrize("name", ["waits", "allocated", "queued", "ledger", "cost"])
    def test_every_figure_has_a_csv_with_units(self, finished_study, viewer_client, workspace_url, name):
        url = workspace_url("planning:compare_figure_csv", pk=finished_study.pk, figure=name)
        answer = viewer_client.get(url)
        head, *rows = b"".join(answer.streaming_content).decode().splitlines()
        assert "(" in head
        assert rows or name == "cost"  # 60 jobs are too few for a p95

    def test_the_ledger_s_bars_fill_the_whole_capacity(self, finished_study, viewer_client, workspace_url):
        url = workspace_url("planning:compare_figures", pk=finished_study.pk)
        ledger = viewer_client.get(url).json()["ledger"]
        for place in range(2):
            assert sum(series["y"][place] for series in ledger["series"]) == pytest.approx(100, abs=0.01)

    def test_wait_curves_end_at_one_hundred_per_cent(self, finished_study, viewer_client, workspace_url):
        url = workspace_url("planning:compare_figures", pk=finished_study.pk)
        waits = viewer_client.get(url).json()["waits"]
        assert [series["y"][-1] for series in waits["series"]] == [100.0, 100.0]

    def test_every_job_of_a_run_is_streamed(self, finished_study, viewer_client, workspace_url):
        run = runs_of(finished_study)[0]
        url = workspace_url("planning:outcomes_csv", pk=finished_study.pk, run_pk=run.pk)
        lines = b"".join(viewer_client.get(url).streaming_content).decode().splitlines()
        assert len(lines) == 61
        assert lines[0].startswith("job_id,submit,start,end,wait,gpus")

    @pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)"])
    def test_no_text_becomes_a_formula(self, text):
        assert next(csv_text([[text, 1.5, -2]])) == f"'{text},1.5,-2\r\n"


class TestAccess:
    NAMES = ("compare", "compare_csv", "compare_json", "compare_figures", "study_detail", "study_progress")

    @pytest.mark.parametrize("name", NAMES)
    def test_another_workspace_s_study_is_not_found(
        self, stranger_client, other_workspace, workspace_url, finished_study, name
    ):
        url = workspace_url(f"planning:{name}", pk=finished_study.pk)
        assert stranger_client.get(url).status_code == 404
        theirs = url.replace("/w/acme/", f"/w/{other_workspace.slug}/")
        assert stranger_client.get(theirs).status_code == 404

    def test_another_study_s_run_is_not_found(self, viewer_client, workspace_url, finished_study, make_study):
        other = make_study()
        run = runs_of(finished_study)[0]
        url = workspace_url("planning:outcomes_csv", pk=other.pk, run_pk=run.pk)
        assert viewer_client.get(url).status_code == 404

    def test_the_page_needs_few_queries(
        self,
        viewer_client,
        workspace_url,
        workspace,
        planner,
        make_study,
        policy,
        strict,
        django_assert_max_num_queries,
    ):
        many = [keep_cluster(workspace, planner, f"{number} nodes", number) for number in range(2, 8)]
        study = make_study(candidates=many, policies=[policy, strict])
        execute(runs_of(study))
        with django_assert_max_num_queries(30):
            viewer_client.get(workspace_url("planning:compare", pk=study.pk))
        with django_assert_max_num_queries(30):
            viewer_client.get(workspace_url("planning:compare_figures", pk=study.pk))


class TestFasterGpus:
    """GPU-hours of pools with different speeds are not the same work."""

    @pytest.fixture
    def study(self, make_study, workspace, planner):
        fast = keep_cluster(workspace, planner, "fast", 1, is_candidate=True)
        fast.pools.update(speed=2.0, name="fast")
        study = make_study(candidates=[fast])
        execute(runs_of(study))
        return study

    def test_throughput_and_cost_per_gpu_hour_are_not_judged(self, study):
        comparison = comparison_of(study, scenarios_of(study), CompareQuery())
        rows = {row.metric.key: row for section in comparison.sections for row in section.rows}
        assert comparison.speeds_differ
        assert {rows[key].cells[1].delta.tone for key in ("throughput", "cost_per_gpu_hour")} == {""}
        assert rows["jct_p50"].cells[1].delta.tone == "better"

    def test_a_pool_of_its_own_tells_what_decides_about_it(self, study, page):
        text = page(study)
        assert "1 nodes of 8 × TestGPU, speed 2 ×, price of a node 100,000" in text
        comparison = comparison_of(study, scenarios_of(study), CompareQuery())
        rows = {row.name: row for row in assumptions_of(comparison)}
        assert rows["fast: speed"].value == "—"
        assert rows["fast: speed"].others == (("B fast", "2"),)
        assert rows["fast: speed"].weight == "high"


def test_equal_notes_of_the_reader_are_no_difference(make_study, workspace):
    notes = ("Groups are virtual clusters.", "The zone is not stated.")
    study = make_study(workload=keep_workload(workspace, "noted", replace(small_trace(), notes=notes)))
    execute(runs_of(study))
    rows = assumptions_of(comparison_of(study, scenarios_of(study), CompareQuery()))
    told = {row.value: row.others for row in rows if row.name == "reader"}
    assert told == dict.fromkeys(notes, ())


def test_days_to_drain_are_said_of_all_jobs_only(finished_study, csv_rows):
    assert any(row["metric"] == "Days to drain it" for row in csv_rows(finished_study))
    assert not any(row["metric"] == "Days to drain it" for row in csv_rows(finished_study, "?size=1"))


def test_a_difference_of_one_shared_seed_is_not_called_certain(make_study, workspace, planner):
    mix = mix_use(mix_create(workspace, planner, demo_mix(gpus=16, days=2.0)), planner)
    study = make_study(workload=mix, seeds=(0, 1))
    execute(run for run in runs_of(study) if run.seed == 0)
    comparison = comparison_of(study, scenarios_of(study), CompareQuery())
    deltas = [row.cells[1].delta for section in comparison.sections for row in section.rows]
    assert any(delta and delta.direction != "flat" for delta in deltas)
    assert {delta.tone for delta in deltas if delta} == {""}
