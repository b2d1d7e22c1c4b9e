"""``python -m twin``: the same bytes twice, and errors that a person can act on."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from twin.command import COMMANDS, main

ROOT = Path(__file__).resolve().parents[2]
TRACE = "job_id,submit,duration,gpus,group\na,0,3600,8,x\nb,10,7200,16,x\nc,20,100,4,y\nd,30,100,64,y\n"
CLUSTER = """\
name: small
pools:
  - {name: a100, nodes: 2, gpu: A100-SXM-80GB, gpus_per_node: 8, node_price: 150000}
economy: {currency: EUR, electricity_per_kwh: 0.2}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "jobs.csv").write_text(TRACE)
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "policy.yaml").write_text("order: fifo\nbackfill: easy\n")
    return tmp_path


@pytest.fixture
def simulate(folder, capsys):
    """Runs simulate on the folder's files with the reference engine; returns status, output, errors."""

    def run(*options):
        files = {"trace": "jobs.csv", "cluster": "cluster.yaml", "policy": "policy.yaml"}
        chosen = [word for key, name in files.items() for word in (f"--{key}", str(folder / name))]
        status = main(["simulate", *chosen, "--engine", "reference", *options])
        return status, *capsys.readouterr()

    return run


def test_simulate_tells_impossible_jobs_first_then_waits_ledger_and_cost(simulate):
    status, told, errors = simulate("--until", "4h")
    assert (status, errors) == (0, "")
    places = [
        told.index(words)
        for words in ("SET ASIDE: 1 job can never run", "Waits by GPU size", "Load", "Ledger", "Cost")
    ]
    assert places == sorted(places)
    assert "d (64 GPUs)" in told
    assert "deterministic replay" in told


def test_simulate_as_json_is_whole_and_the_same_twice(simulate):
    first, second = simulate("--json", "--until", "4h"), simulate("--json", "--until", "4h")
    assert first == second
    told = json.loads(first[1])
    assert told["summary"]["jobs"] == 4
    assert told["summary"]["set_aside"][0]["examples"] == ["d"]
    assert told["summary"]["horizon_s"] == 4 * 3600
    assert told["cost"]["currency"] == "EUR"
    assert {one["tag"] for one in told["assumptions"]} <= {"measured", "inferred", "entered", "default"}
    assert told["import"]["jobs"] == 4


def test_a_seed_changes_nothing_but_its_own_name(simulate):
    first, second = (json.loads(simulate("--json", "--seed", seed)[1]) for seed in ("0", "7"))
    assert (first.pop("seed"), second.pop("seed")) == (0, 7)
    assert first == second


def test_jobs_out_has_a_row_a_job_and_leaves_nothing_else(simulate, folder):
    before = set(os.listdir(folder))
    assert simulate("--jobs-out", str(folder / "jobs_out.csv"))[0] == 0
    rows = list(csv.DictReader((folder / "jobs_out.csv").read_text().splitlines()))
    assert [row["job_id"] for row in rows] == ["a", "b", "c", "d"]
    assert rows[0]["start"] == "0.000"
    assert rows[3]["state"] == "set_aside"
    assert set(os.listdir(folder)) == before | {"jobs_out.csv"}


def test_imported_jobs_replay_as_their_trace_does(simulate, folder, capsys):
    jobs = folder / "jobs.parquet"
    assert main(["import", "--trace", str(folder / "jobs.csv"), "--out", str(jobs)]) == 0
    capsys.readouterr()
    straight = json.loads(simulate("--json")[1])
    imported = json.loads(simulate("--json", "--trace", str(jobs))[1])
    assert imported["summary"] == straight["summary"]
    assert imported["import"] is None


def test_the_problems_of_both_files_are_told_at_once(simulate, folder):
    (folder / "cluster.yaml").write_text(CLUSTER.replace("nodes: 2", "nods: 2"))
    (folder / "policy.yaml").write_text("order: drf\n")
    status, told, errors = simulate()
    assert (status, told) == (2, "")
    assert 'pools[0].nods: is not a known key; did you mean "nodes"?' in errors
    assert 'line 1: order: "drf" comes with a later release' in errors
    assert all(line.startswith("twin simulate: ") for line in errors.splitlines())


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("jobs.csv", b"", "jobs.csv"),
        ("cluster.yaml", b"\xff\xfe\x00", "is not UTF-8 text"),
        ("policy.yaml", b"[", "is not YAML here"),
    ],
)
def test_a_bad_file_is_named_without_a_traceback(simulate, folder, name, content, said):
    (folder / name).write_bytes(content)
    status, _, errors = simulate()
    assert status == 2
    assert said in errors
    assert "Traceback" not in errors


def test_a_missing_file_is_named(simulate, folder):
    (folder / "cluster.yaml").unlink()
    status, _, errors = simulate()
    assert status == 2
    assert "cluster.yaml: No such file or directory" in errors


@pytest.mark.parametrize("time", ["soon", "0", "-5", "1w", "999999999d"])
def test_a_horizon_that_is_no_time_is_refused(simulate, time):
    with pytest.raises(SystemExit) as stopped:
        simulate("--until", time)
    assert stopped.value.code == 2


def test_an_unknown_command_lists_the_known_ones(capsys):
    assert main(["simulat"]) == 2
    errors = capsys.readouterr().err
    assert '"simulat" is not a command' in errors
    assert all(name in errors for name in COMMANDS)


def test_help_costs_no_import_of_the_engine():
    code = "import sys; from twin.command import main; main(['--help']); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True).returncode == 0


def test_python_m_twin_is_the_same_command():
    asked = subprocess.run([sys.executable, "-m", "twin", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert asked.returncode == 0
    assert "simulate" in asked.stdout
