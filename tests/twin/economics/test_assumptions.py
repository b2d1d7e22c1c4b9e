"""Every input of a result is named, with where it is from, the most influential first."""

import json
from dataclasses import replace

import numpy as np

from tests.twin.analysis.replays import replay
from twin.economics import Tag, assumptions
from twin.hardware import Cluster, Economy, Pool, catalogue
from twin.workload.jobs import make_jobs

HOUR = 3_600_000
POOL = Pool("a100", 2, catalogue()["A100-SXM-80GB"], 8, node_price=200_000.0)
CLUSTER = Cluster("c", (POOL,), Economy(electricity_per_kwh=0.1))


def told_of(cluster=CLUSTER, result=None, **options):
    jobs = make_jobs(submit_ms=np.array([0, HOUR]), run_ms=np.array([HOUR, HOUR]), gpus=np.array([8, 1]))
    return {
        one.name: one for one in assumptions(result or replay(jobs, [0, HOUR], cluster=cluster), **options)
    }


def test_the_order_is_by_influence():
    influence = [one.influence for one in told_of().values()]
    assert influence == sorted(influence, reverse=True)
    assert all(0 <= one <= 1 for one in influence)


def test_tags_say_where_each_input_is_from():
    told = told_of()
    assert told["submit times, run times and GPUs"].tag is Tag.MEASURED
    assert told["a100: node price"].tag is Tag.ENTERED
    assert told["a100: busy node"].tag is Tag.DEFAULT
    assert told["PUE"].tag is Tag.DEFAULT
    assert told["amortisation"].tag is Tag.DEFAULT
    assert told["a100: CPUs"].value == "unlimited"


def test_an_entered_figure_is_tagged_so():
    pool = replace(POOL, node_busy_w=5000.0, speed=1.2)
    told = told_of(Cluster("c", (pool,), Economy(electricity_per_kwh=0.1, pue=1.1)))
    assert told["a100: busy node"].tag is told["PUE"].tag is told["a100: speed"].tag is Tag.ENTERED


def test_a_missing_price_is_named_with_no_value():
    told = told_of(Cluster("c", (replace(POOL, node_price=None),)))
    assert told["a100: node price"].value is None
    assert told["electricity price"].value is None
    assert "missing" in told["a100: node price"].source


def test_missing_time_limits_are_stated():
    assert told_of()["time limits"].value == 1.0
    assert "assume_limit: run_time" in told_of()["time limits"].source


def test_a_generated_workload_is_not_called_measured():
    told = told_of(workload_tag=Tag.INFERRED, workload_source="a mix fitted from a trace")
    assert told["submit times, run times and GPUs"].tag is Tag.INFERRED


def test_shares_of_a_gpu_and_notes_of_the_reader_are_inferred():
    jobs = make_jobs(
        submit_ms=np.array([0, HOUR]),
        run_ms=np.array([HOUR, HOUR]),
        gpus=np.array([1, 1]),
        gpu_milli=np.array([500, 1000]),
        notes=("times are read as UTC",),
    )
    told = told_of(result=replay(jobs, [0, HOUR], cluster=CLUSTER))
    assert (told["whole GPUs"].value, told["whole GPUs"].tag) == (0.5, Tag.INFERRED)
    assert told["reader"].value == "times are read as UTC"


def test_an_assumption_is_json():
    assert json.dumps([one.to_dict() for one in told_of().values()])
