"""docs/files.md names every key, and its examples read as they stand."""

import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tests.twin.analysis.replays import replay
from twin.analysis import outcomes_frame
from twin.command_simulate import main
from twin.hardware import Economy, Gpu, Pool, load_cluster
from twin.sched import Policy, load_policy
from twin.workload import make_jobs

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "files.md").read_text(encoding="utf-8")
CLUSTER, POLICY = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_read_as_they_stand():
    cluster = load_cluster(CLUSTER)
    assert [pool.name for pool in cluster.pools] == ["a100", "next"]
    assert load_policy(POLICY) == Policy(name="fifo, easy, best_fit")


@pytest.mark.parametrize("value", [Economy, Pool, Gpu])
def test_every_key_of_a_cluster_is_on_the_page(value):
    missing = [field.name for field in fields(value) if field.name not in PAGE]
    assert missing == []


def test_every_option_of_simulate_is_on_the_page(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help", "--format"}
    assert {option for option in options if option not in PAGE} == set()


def test_the_columns_of_the_outcomes_are_on_the_page():
    jobs = make_jobs(submit_ms=np.array([0]), run_ms=np.array([1]), gpus=np.array([1]))
    assert f"`{','.join(outcomes_frame(replay(jobs, [0])).columns)}`" in PAGE
