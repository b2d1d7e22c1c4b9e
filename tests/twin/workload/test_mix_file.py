"""mix.yaml: what is written reads back equal, and what is wrong is told all at once with its line."""

import json

import pytest

from twin.problems import InvalidInput
from twin.workload import demo_mix, dump_mix, generate, load_mix, mix_mapping

SMALL = """
name: small
days: 7
start: 2026-03-02T00:00:00Z
classes:
  - name: training
    jobs_per_hour: 4
    gpus: {1: 3, 8: 1}
    run_time: [{median_s: 600, sigma: 1.2}]
    rhythm: flat
"""


def test_a_mix_that_was_written_reads_back_equal():
    assert load_mix(dump_mix(demo_mix())) == demo_mix()


def test_its_json_is_a_mix_file_too():
    assert load_mix(json.dumps(mix_mapping(demo_mix()))) == demo_mix()


def test_what_is_left_out_has_its_default():
    mix = load_mix(SMALL)
    assert mix.classes[0].ends == {"completed": 1.0}
    assert len(generate(mix, 1)) == pytest.approx(7 * 24 * 4, rel=0.2)


def test_all_problems_are_told_at_once_with_their_lines():
    text = SMALL.replace("days: 7", "days: 0").replace("8: 1", "many: 1") + "    colour: red\n"
    with pytest.raises(InvalidInput) as caught:
        load_mix(text, "m.yaml")
    told = str(caught.value)
    assert "m.yaml, line 3: days: 0 is out of range" in told
    assert 'm.yaml, line 8: classes[0].gpus: "many" is not a GPU count' in told
    assert "m.yaml, line 11: classes[0].colour: is not a known key" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("rhythm: flat", "rhythm: {hours: [1, 2]}"), "must be a list of 24 rates"),
        (("rhythm: flat", "ends: {done: 1}"), "has no weight above zero"),
        (("jobs_per_hour: 4", "jobs_per_hour: 900000"), "at most 20,000,000"),
        (("start: 2026-03-02T00:00:00Z", "start: soon"), '"soon" is not a date'),
        (("    run_time: [{median_s: 600, sigma: 1.2}]\n", ""), "run_time: is missing"),
    ],
)
def test_a_wrong_value_is_named(change, told):
    with pytest.raises(InvalidInput, match=told):
        load_mix(SMALL.replace(*change))
