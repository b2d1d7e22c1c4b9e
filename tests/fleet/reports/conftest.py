"""A study on a small cluster and a trace, and a schedule that reports on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from fleet.planning.models import Run, Study
from fleet.planning.services import StudyDraft, policy_create, study_create
from fleet.reports.models import ReportSchedule
from fleet.reports.services import schedule_create
from fleet.workloads.models import Workload
from tests.fleet.planning.conftest import (  # noqa: F401 - fixtures that hold here too
    HOUR_MS,
    _no_broker,
    _slow_heart,
    execute,
    keep_cluster,
    keep_workload,
)
from twin.workload import make_jobs


@pytest.fixture
def trace(workspace) -> Callable[..., Workload]:
    """``trace("week 1", jobs=40)``: that many jobs of 8 GPUs and one hour, ten minutes apart."""

    def make(name: str, jobs: int = 40) -> Workload:
        table = make_jobs(
            submit_ms=np.arange(jobs) * (HOUR_MS // 6),
            run_ms=np.full(jobs, HOUR_MS),
            gpus=np.full(jobs, 8, dtype=np.int32),
        )
        return keep_workload(workspace, name, table)

    return make


@pytest.fixture
def study(workspace, planner, trace) -> Study:
    """Two clusters, one policy, on the trace "week 1": its runs are queued."""
    clusters = [
        keep_cluster(workspace, planner, name, nodes)
        for name, nodes in (("three nodes", 3), ("six nodes", 6))
    ]
    policy = policy_create(workspace, planner, name="FIFO, EASY")
    draft = StudyDraft("Enough nodes?", trace("week 1"), clusters[0], [policy], candidates=clusters[1:])
    return study_create(workspace, planner, draft)


@pytest.fixture
def schedule(workspace, planner, study) -> ReportSchedule:
    """Every night at 2:30 in Berlin."""
    made = ReportSchedule(
        workspace=workspace, name="Nightly", study=study, crontab="30 2 * * *", time_zone="Europe/Berlin"
    )
    return schedule_create(made, planner)


@pytest.fixture
def work(db) -> Callable[[], None]:
    """Do what the workers would: execute every queued run."""
    return lambda: execute(Run.objects.filter(state="queued"))
