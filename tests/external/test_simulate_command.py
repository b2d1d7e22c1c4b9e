"""``python -m twin simulate`` on real traces: the same bytes twice, and figures that add up."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from twin.command import main

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("FLEET_TWIN_DATA", ROOT.parent / "shared" / "data"))
PHILLY = DATA / "traces" / "philly" / "philly_sia.csv"
CLUSTER = """\
name: philly-like
pools:
  - {name: v100, nodes: 64, gpu: V100-SXM2-16GB, gpus_per_node: 8, node_price: 90000}
economy: {electricity_per_kwh: 0.12}
"""

pytestmark = [
    pytest.mark.external,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not PHILLY.exists(), reason=f"the data folder {DATA} has no Philly trace"),
]


def simulated(folder, *options):
    """Standard output of one simulation in a process of its own."""
    (folder / "cluster.yaml").write_text(CLUSTER)
    command = [sys.executable, "-m", "twin", "simulate", "--trace", str(PHILLY)]
    command += ["--cluster", str(folder / "cluster.yaml"), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=240)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_the_whole_philly_trace_gives_the_same_bytes_twice(tmp_path):
    first_jobs, second_jobs = tmp_path / "first.csv", tmp_path / "second.csv"
    first = simulated(tmp_path, "--json", "--jobs-out", str(first_jobs))
    second = simulated(tmp_path, "--json", "--jobs-out", str(second_jobs))
    assert first == second
    assert first_jobs.read_bytes() == second_jobs.read_bytes()
    summary = json.loads(first)["summary"]
    assert summary["jobs"] > 80_000
    assert sum(line["gpu_ms"] for line in summary["ledger"]["lines"]) == summary["ledger"]["capacity_gpu_ms"]
    assert sum(one["jobs"] for one in summary["by_size"]) == summary["jobs"]
    assert sum(one["jobs"] for one in summary["by_class"]) == summary["jobs"]


def test_the_text_for_a_terminal_tells_the_whole_trace(tmp_path):
    told = simulated(tmp_path).decode()
    assert "philly_sia.csv: 82,182 jobs on philly-like (512 GPUs)" in told
    assert "note: No time limits in the trace: backfill assumes that run times are known." in told


@pytest.mark.parametrize(("name", "nodes"), [("2869ce", 6), ("7f04ca", 10)])
def test_the_preset_cqsim_starts_every_job_when_cqsim_does(tmp_path, capsys, name, nodes):
    golden = DATA / "golden" / f"philly-{name}.csv"
    pool = f"name: p, nodes: {nodes}, gpu: V100-SXM2-16GB, gpus_per_node: 8"
    (tmp_path / "cluster.yaml").write_text(f"name: c\npools: [{{{pool}}}]\n")
    (tmp_path / "policy.yaml").write_text("preset: cqsim\n")
    out = tmp_path / "jobs_out.csv"
    files = ["--cluster", str(tmp_path / "cluster.yaml"), "--policy", str(tmp_path / "policy.yaml")]
    command = ["simulate", "--trace", str(golden), "--format", "csv", *files, "--jobs-out", str(out)]
    assert main([*command, "--engine", "reference"]) == 0, capsys.readouterr().err
    with golden.open() as lines:
        theirs = {row["job_id"]: float(row["fifo_easy__start"]) for row in csv.DictReader(lines)}
    with out.open() as lines:
        ours = {row["job_id"]: float(row["start"]) for row in csv.DictReader(lines)}
    assert ours == theirs
