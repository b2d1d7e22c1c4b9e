"""A small world to plan in: a trace of 60 jobs, two clusters, two policies, and a study of them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from fleet.accounts.models import Workspace
from fleet.inventory.models import Cluster, GpuModel
from fleet.inventory.services import cluster_create
from fleet.planning import services
from fleet.planning.models import Policy, Run, Study
from fleet.planning.services import StudyDraft, heartbeat
from fleet.workloads.models import Kind, State, Workload
from twin.workload import Category, Jobs, make_jobs, save_jobs

HOUR_MS = 3_600_000
JOBS = 60


def small_trace(*, recorded: bool = False, largest: int = 8) -> Jobs:
    """Jobs of 1 to ``largest`` GPUs every six minutes, an hour each, in two groups."""
    sizes = np.array([1, 2, 4, 8, 1, largest], dtype=np.int32)
    submit = np.arange(JOBS, dtype=np.int64) * (HOUR_MS // 10)
    run = np.full(JOBS, HOUR_MS, dtype=np.int64)
    columns: dict[str, object] = {
        "group": Category(np.arange(JOBS, dtype=np.int32) % 2, ("vision", "language")),
        "recorded_state": np.ones(JOBS, dtype=np.int8),
    }
    if recorded:
        columns |= {"recorded_start_ms": submit + 60_000, "recorded_end_ms": submit + 60_000 + run}
    return make_jobs(submit_ms=submit, run_ms=run, gpus=np.resize(sizes, JOBS), **columns)


def keep_workload(workspace: Workspace, name: str, jobs: Jobs) -> Workload:
    """A workload that has been read: its jobs in storage, its row ready."""
    table = io.BytesIO()
    save_jobs(jobs, table)
    stored = default_storage.save(f"workloads/{name}.parquet", ContentFile(table.getvalue()))
    return Workload.unscoped.create(
        workspace=workspace,
        name=name,
        kind=Kind.TRACE,
        state=State.READY,
        sha256=hashlib.sha256(table.getvalue()).hexdigest(),
        jobs_file=stored,
        job_count=len(jobs),
        gpu_hours=float((jobs.gpus * (jobs.run_ms / HOUR_MS)).sum()),
        span_ms=int(jobs.submit_ms[-1]),
    )


def keep_cluster(workspace: Workspace, user: User | None, name: str, nodes: int, **fields: object) -> Cluster:
    """A cluster of one pool of 8-GPU nodes with prices."""
    gpu, _ = GpuModel.unscoped.get_or_create(workspace=workspace, name="TestGPU", defaults={"tdp_w": 400.0})
    pool = {"name": "main", "nodes": nodes, "gpu": gpu, "gpus_per_node": 8, "node_price": 100_000.0}
    return cluster_create(workspace, user, name=name, pools=[pool], electricity_per_kwh=0.1, **fields)


def execute(runs: Iterable[Run]) -> None:
    """Do what a worker does with each run, in this process."""
    for run in runs:
        services.run_execute(run.pk)


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch) -> list[int]:
    """Sent runs are noted, not sent: these tests are their own workers."""
    from fleet.planning.tasks import run_replay

    sent: list[int] = []
    monkeypatch.setattr(run_replay, "delay", sent.append)
    return sent


@pytest.fixture
def sent(_no_broker) -> list[int]:
    """Ids of the runs that were handed to the broker."""
    return _no_broker


@pytest.fixture(autouse=True)
def _slow_heart(monkeypatch) -> None:
    """Within one transaction a second thread cannot write; tests of the thread itself undo this."""
    monkeypatch.setattr(heartbeat, "BEAT_S", 3600.0)


@pytest.fixture
def workload(workspace) -> Workload:
    return keep_workload(workspace, "trace", small_trace())


@pytest.fixture
def cluster(workspace, planner) -> Cluster:
    return keep_cluster(workspace, planner, "now", 1)


@pytest.fixture
def candidate(workspace, planner) -> Cluster:
    return keep_cluster(workspace, planner, "twice", 2, is_candidate=True)


@pytest.fixture
def policy(workspace, planner) -> Policy:
    return services.policy_create(workspace, planner, name="FIFO, EASY")


@pytest.fixture
def strict(workspace, planner) -> Policy:
    return services.policy_create(workspace, planner, name="FIFO, strict", backfill="strict")


@pytest.fixture
def make_study(workspace, planner, workload, cluster, candidate, policy) -> Callable[..., Study]:
    """``make_study(candidates=[…], …)``: a study of the small world, with some fields changed."""

    def make(**changes: object) -> Study:
        fields: dict[str, object] = {
            "name": "More nodes?",
            "workload": workload,
            "baseline": cluster,
            "candidates": [candidate],
            "policies": [policy],
        }
        return services.study_create(workspace, planner, StudyDraft(**(fields | changes)))

    return make


@pytest.fixture
def study(make_study) -> Study:
    """Two scenarios, two runs, all queued."""
    return make_study()


@pytest.fixture
def finished_study(study) -> Study:
    """The study after its runs."""
    execute(runs_of(study))
    return study


def runs_of(study: Study) -> list[Run]:
    """The study's runs, baseline first."""
    runs = Run.objects.filter(scenario__study=study).select_related("scenario", "outcome")
    return list(runs.order_by("scenario__round", "scenario__position", "seed"))
