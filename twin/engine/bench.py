"""``python -m twin bench``: jobs simulated a second on stated workloads, on one core.

Every row is a whole ``simulate`` call: jobs in, result out, ledger and wait reasons on, nodes placed by best
fit. The SimPy engine replays the first jobs of the same workload, and the compiled engine replays these too:
the ratio compares the same work, and the two answers must be equal.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from twin.engine import Result, engine_version, simulate, warm
from twin.engine.bench_workload import bench_cluster, bench_jobs
from twin.hardware.cluster import Cluster
from twin.sched.policy import Backfill, Policy
from twin.workload.jobs import Jobs

EASY_DEPTH = 100
SIMPY_JOBS, QUICK_SIMPY_JOBS = 5_000, 1_500


@dataclass(frozen=True, slots=True)
class Case:
    """One workload under one policy. ``limit_slack``: limits are 1 to so many times the run time."""

    jobs: int
    gpus: int
    load: float
    limit_slack: float
    backfill: Backfill

    @property
    def policy(self) -> Policy:
        return Policy(backfill=self.backfill, backfill_depth=EASY_DEPTH)


@dataclass(frozen=True, slots=True)
class Row:
    """What a case gave. ``jobs_per_s`` is by wall clock, ``jobs_per_cpu_s`` by this process's CPU time."""

    policy: str
    jobs: int
    gpus: int
    load: float
    limit_slack: float
    jobs_per_s: float
    jobs_per_cpu_s: float
    simpy_jobs: int
    simpy_jobs_per_s: float
    same_jobs_per_s: float  # compiled, on the jobs that SimPy had; best of five
    ratio: float
    mean_queue: float
    examined_per_pass: float
    nodes_touched_per_job: float
    peak_memory_mb: float  # of this process, up to and with this row


def cases(quick: bool) -> list[Case]:
    """An overloaded cluster with exact and with loose limits, and a busy one; small workloads first."""
    chosen = []
    for jobs in (100_000,) if quick else (100_000, 1_000_000):
        for gpus in (1_000, 10_000):
            chosen += [
                Case(jobs, gpus, 1.2, 1.0, Backfill.STRICT),
                Case(jobs, gpus, 1.2, 1.0, Backfill.EASY),
                Case(jobs, gpus, 1.2, 4.0, Backfill.EASY),
            ]
            if not quick:
                chosen += [
                    Case(jobs, gpus, 0.95, 1.0, Backfill.STRICT),
                    Case(jobs, gpus, 0.95, 1.0, Backfill.EASY),
                ]
    return chosen


def measure(case: Case, simpy: SimPyTimes) -> Row:
    """Replay a case and, once for each workload and policy, its first jobs with SimPy."""
    jobs = bench_jobs(case.jobs, case.gpus, case.load, case.limit_slack)
    cluster = bench_cluster(case.gpus)
    cpu_s, wall_s, result = _timed(jobs, cluster, case.policy)
    counters = result.counters
    same_s, simpy_s = simpy.times(case, jobs, cluster)
    return Row(
        policy="FIFO strict" if case.backfill is Backfill.STRICT else f"FIFO EASY {EASY_DEPTH}",
        jobs=case.jobs,
        gpus=case.gpus,
        load=case.load,
        limit_slack=case.limit_slack,
        jobs_per_s=case.jobs / wall_s,
        jobs_per_cpu_s=case.jobs / cpu_s,
        simpy_jobs=simpy.jobs,
        simpy_jobs_per_s=simpy.jobs / simpy_s,
        same_jobs_per_s=simpy.jobs / same_s,
        ratio=simpy_s / same_s,
        mean_queue=counters.queue_area_job_ms / max(1, int(result.start_ms.max())),
        examined_per_pass=counters.jobs_examined / counters.passes,
        nodes_touched_per_job=counters.nodes_touched / case.jobs,
        peak_memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


class SimPyTimes:
    """Seconds that both engines need for a workload's first jobs, measured once for each."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._known: dict[Case, tuple[float, float]] = {}

    def times(self, case: Case, jobs: Jobs, cluster: Cluster) -> tuple[float, float]:
        """``(compiled, SimPy)`` CPU seconds; raises if the two answers differ."""
        key = replace(case, jobs=self.jobs)
        if key not in self._known:
            first = jobs.take(np.arange(self.jobs))
            runs = [_timed(first, cluster, case.policy) for _ in range(5)]
            simpy_began = time.process_time()
            simpy = simulate(first, cluster, case.policy, engine="reference")
            simpy_s = time.process_time() - simpy_began
            if not _same(simpy, runs[0][2]):
                raise AssertionError(f"the two engines disagree on {case}")
            self._known[key] = (min(run[0] for run in runs), simpy_s)
        return self._known[key]


def _timed(jobs: Jobs, cluster: Cluster, policy: Policy) -> tuple[float, float, Result]:
    cpu, wall = time.process_time(), time.perf_counter()
    result = simulate(jobs, cluster, policy)
    return time.process_time() - cpu, time.perf_counter() - wall, result


def _same(one: Result, other: Result) -> bool:
    names = ("start_ms", "end_ms", "pool", "wait_by_reason_ms", "ledger_gpu_ms", "node_index", "gpu_mask")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


COLUMNS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("policy", lambda row: row.policy),
    ("jobs", lambda row: f"{row.jobs:,}"),
    ("GPUs", lambda row: f"{row.gpus:,}"),
    ("load", lambda row: f"{row.load}"),
    ("limits", lambda row: "exact" if row.limit_slack == 1 else f"1-{row.limit_slack:.0f}x"),
    ("jobs/s", lambda row: f"{row.jobs_per_s:,.0f}"),
    ("jobs/CPU-s", lambda row: f"{row.jobs_per_cpu_s:,.0f}"),
    ("SimPy/s", lambda row: f"{row.simpy_jobs_per_s:,.0f}"),
    ("ratio", lambda row: f"{row.ratio:,.0f}"),
    ("mean queue", lambda row: f"{row.mean_queue:,.0f}"),
    ("examined/pass", lambda row: f"{row.examined_per_pass:.1f}"),
    ("nodes/job", lambda row: f"{row.nodes_touched_per_job:.2f}"),
    ("peak MB", lambda row: f"{row.peak_memory_mb:,.0f}"),
)


def table_line(cells: Sequence[str]) -> str:
    return "  ".join(
        f"{cell:>{max(10, len(title))}}" for cell, (title, _) in zip(cells, COLUMNS, strict=True)
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m twin bench", description="Jobs simulated a second.")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    parser.add_argument(
        "--quick", action="store_true", help=f"100k jobs only, SimPy on {QUICK_SIMPY_JOBS}: under a minute"
    )
    chosen = parser.parse_args(arguments)
    warm()
    simpy = SimPyTimes(QUICK_SIMPY_JOBS if chosen.quick else SIMPY_JOBS)
    if not chosen.json:
        print(f"Best fit on nodes of 8 GPUs, one core; SimPy and ratio: the first {simpy.jobs:,} jobs.")
        print(table_line([title for title, _ in COLUMNS]), flush=True)
    rows = []
    for case in cases(chosen.quick):
        rows.append(measure(case, simpy))
        if not chosen.json:
            print(table_line([cell(rows[-1]) for _, cell in COLUMNS]), flush=True)
    if chosen.json:
        json.dump(
            {"engine_version": engine_version(), "rows": [asdict(row) for row in rows]}, sys.stdout, indent=2
        )
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
