"""Mixes: made, fitted, edited as a form and as YAML, and put to use as a workload that never changes."""

import threading

import numpy as np
import pytest

from fleet.workloads.mix_forms import MixForm
from fleet.workloads.models import Kind, Workload, WorkloadMix
from fleet.workloads.services import jobs_of
from fleet.workloads.services.jobs import JobsCache
from fleet.workloads.services.mixes import mix_use
from tests.fleet.workloads.objects import SPEC
from tests.fleet.workloads.objects import mix as make_mix
from tests.fleet.workloads.objects import workload as make_workload
from twin.workload import demo_mix, generate, load_mix


@pytest.fixture
def mix(workspace) -> WorkloadMix:
    return WorkloadMix.unscoped.get(pk=make_mix(workspace, {}))


def form_data(spec, **changes) -> dict[str, str]:
    """The edit form as a browser would send it back, with some fields changed."""
    form = MixForm.of(spec)
    data = {"rows": str(len(form.rows))}
    for part in [form.frame, *form.rows]:
        for field in part:
            value = field.value()
            shown = field.field.prepare_value(value) if hasattr(field.field, "prepare_value") else value
            if field.name != "remove":
                data[field.html_name] = "" if shown is None else str(shown)
    return data | changes


def edit(client, workspace_url, mix, data, query=""):
    return client.post(workspace_url("workloads:mix_edit", mix_id=mix.pk) + query, data)


def test_a_mix_is_made_from_the_preset(planner_client, workspace_url):
    page = planner_client.post(workspace_url("workloads:mix_new"), {"preset": "demo"}, follow=True)
    mix = WorkloadMix.unscoped.get()
    assert mix.origin == "preset: demo month"
    assert f"{len(generate(demo_mix(), 0)):,}" in page.content.decode()


def test_a_mix_is_fitted_from_a_trace(planner_client, workspace_url, workspace, imported):
    trace = Workload.unscoped.get(pk=make_workload(workspace, {}))
    Workload.unscoped.filter(pk=trace.pk).update(kind=Kind.MIX, mix_spec=SPEC)
    planner_client.post(workspace_url("workloads:mix_new"), {"workload": trace.pk})
    assert WorkloadMix.unscoped.get().origin == f"fitted from {trace}"


def test_wrong_yaml_is_told_with_its_line(planner_client, workspace_url):
    answer = planner_client.post(workspace_url("workloads:mix_new"), {"text": "name: a\ndays: 0\n"})
    assert answer.status_code == 422
    assert "mix.yaml, line 2: days: 0 is out of range" in answer.content.decode()
    assert not WorkloadMix.unscoped.exists()


def test_the_export_reads_back_equal(viewer_client, workspace_url, mix):
    text = viewer_client.get(workspace_url("workloads:mix_export", mix_id=mix.pk)).content.decode()
    assert load_mix(text).classes == demo_mix(days=1.0, gpus=64).classes


def test_the_form_sent_back_unchanged_changes_nothing(planner_client, workspace_url, mix):
    before = mix.spec
    assert edit(planner_client, workspace_url, mix, form_data(before)).status_code == 302
    mix.refresh_from_db()
    assert load_mix(str(mix.spec)) == load_mix(str(before))


@pytest.mark.parametrize("rows", ["", "x", "²", "9" * 30])
def test_a_form_whose_count_of_rows_was_spoilt_is_refused(planner_client, workspace_url, mix, rows):
    data = form_data(mix.spec) | {"rows": rows}
    assert edit(planner_client, workspace_url, mix, data).status_code == 422


@pytest.mark.parametrize("seed", ["²", "x", "9" * 30])
def test_a_seed_that_is_no_number_is_the_first(viewer_client, workspace_url, mix, seed):
    url = workspace_url("workloads:mix_detail", mix_id=mix.pk)
    assert viewer_client.get(url, {"seed": seed}).status_code == 200


def test_the_form_changes_adds_and_removes_classes(planner_client, workspace_url, mix):
    last = len(mix.spec["classes"])
    new = {f"{last}-name": "big", f"{last}-jobs_per_hour": "1", f"{last}-gpus": "64: 1"}
    new |= {f"{last}-run_time": "3600/1"}
    changes = {"0-gpus": "1: 3, 2: 1", "1-remove": "on", **new}
    assert edit(planner_client, workspace_url, mix, form_data(mix.spec, **changes)).status_code == 302
    mix.refresh_from_db()
    names = [each["name"] for each in mix.spec["classes"]]
    assert names == ["debug", "training", "pretraining", "notebook", "evaluation", "big"]
    assert mix.spec["classes"][0]["gpus"] == {"1": 3.0, "2": 1.0}
    assert mix.spec["classes"][0]["users"] == 120  # what the form does not show is kept


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"0-gpus": "many"}, "“many” is not a name with a weight"),
        ({"0-gpus": "x: 1"}, "is not a GPU count"),
        ({"0-run_time": "600"}, "is not median s / spread / share"),
        ({"0-name": "sweep"}, "is the name of several classes"),
        ({"days": "0"}, "greater than or equal to 0.01"),
        ({"0-ends": "done: 1"}, "is not a known key"),
    ],
)
def test_a_wrong_field_is_told_and_nothing_is_saved(planner_client, workspace_url, mix, changes, told):
    answer = edit(planner_client, workspace_url, mix, form_data(mix.spec, **changes))
    assert answer.status_code == 422
    assert told in answer.content.decode()
    before = mix.spec
    mix.refresh_from_db()
    assert mix.spec == before


def test_yaml_edits_everything(planner_client, workspace_url, mix):
    one_class = "{name: a, jobs_per_hour: 1, gpus: {8: 1}, run_time: [{median_s: 60, sigma: 0}]}"
    text = f"name: new\ndays: 2\nclasses: [{one_class}]"
    assert edit(planner_client, workspace_url, mix, {"text": text}, "?as=yaml").status_code == 302
    mix.refresh_from_db()
    assert (mix.name, mix.spec["days"]) == ("new", 2.0)


def test_the_seed_of_the_address_decides_what_is_drawn(viewer_client, mix):
    pages = [viewer_client.get(f"{mix.get_absolute_url()}?seed={seed}").content.decode() for seed in (1, 2)]
    for seed, page in enumerate(pages, start=1):
        assert f"{len(generate(demo_mix(days=1.0, gpus=64), seed)):,}" in page


def test_a_mix_put_to_use_is_frozen_and_made_once(planner_client, workspace_url, planner, mix):
    url = workspace_url("workloads:mix_use", mix_id=mix.pk)
    planner_client.post(url)
    planner_client.post(url)
    workload = Workload.unscoped.get()
    assert workload.needs_seed
    before = jobs_of(workload, 3)
    edit(planner_client, workspace_url, mix, form_data(mix.spec, **{"0-jobs_per_hour": "1"}))
    assert np.array_equal(jobs_of(workload, 3).submit_ms, before.submit_ms)
    mix.refresh_from_db()
    assert mix_use(mix, planner).version == 2


def test_a_mix_of_too_many_jobs_is_not_drawn_in_a_page(viewer_client, planner_client, workspace_url, mix):
    spec = mix.spec | {"days": 3000.0}
    WorkloadMix.unscoped.filter(pk=mix.pk).update(spec=spec)
    assert "too many to draw" in viewer_client.get(mix.get_absolute_url()).content.decode()
    page = planner_client.post(
        workspace_url("workloads:mix_use", mix_id=mix.pk), follow=True
    ).content.decode()
    assert "at most 500,000" in page


def test_a_table_is_loaded_once_for_threads_that_ask_at_the_same_time():
    loads, cache = [], JobsCache()
    jobs = generate(demo_mix(days=1.0, gpus=64), 0)
    meet = threading.Barrier(4)

    def load():
        loads.append(1)
        return jobs

    def ask():
        meet.wait()
        assert cache.get(("a", 0), load) is jobs

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1


def test_the_least_recently_used_table_makes_room():
    cache = JobsCache(max_tables=2)
    jobs = generate(demo_mix(days=1.0, gpus=64), 0)
    for name in ("a", "b", "a", "c"):
        cache.get((name, 0), lambda: jobs)
    loads = []
    cache.get(("a", 0), lambda: loads.append("a") or jobs)
    cache.get(("b", 0), lambda: loads.append("b") or jobs)
    assert loads == ["b"]


def test_a_mix_that_makes_no_job_says_so(viewer_client, mix):
    quiet = [each | {"jobs_per_hour": 1e-9} for each in SPEC["classes"]]
    WorkloadMix.unscoped.filter(pk=mix.pk).update(spec=SPEC | {"classes": quiet})
    assert "the mix makes no job" in viewer_client.get(mix.get_absolute_url()).content.decode()
