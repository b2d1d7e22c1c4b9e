"""The first page: the latest studies with their key figures, running work, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from fleet.accounts.models import Workspace
from fleet.inventory.models import Cluster
from fleet.planning.comparison import CompareQuery, Comparison, comparison_of
from fleet.planning.comparison.cells import Row
from fleet.planning.comparison.findings import findings_of
from fleet.planning.models import Policy, Study
from fleet.planning.selectors.studies import (
    StudyProgress,
    progress_of,
    runs_by_study,
    scenarios_of,
    studies_of,
)
from fleet.workloads.models import State, Workload

LATEST = 8
KEY_METRICS = ("share_within_target", "wait_p95", "backlog_end", "productive_completed", "cost_per_year")


@dataclass(frozen=True, slots=True)
class NextStep:
    """Something that is missing before a study can be asked."""

    title: str
    text: str
    url_name: str
    done: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """What the first page shows. ``leading`` is the study told in figures: the latest done,
    the demo while there is no other."""

    studies: Sequence[tuple[Study, StudyProgress]]
    running: Sequence[tuple[Study, StudyProgress]]
    leading: Comparison | None
    key_rows: Sequence[Row]
    findings: Sequence[str]
    steps: Sequence[NextStep]

    @property
    def all_steps_done(self) -> bool:
        return all(step.done for step in self.steps)


def overview_of(workspace: Workspace) -> Overview:
    """Read the first page in a bounded number of queries."""
    studies = list(studies_of(workspace)[:LATEST])
    runs, now = runs_by_study(studies), timezone.now()
    rows = [(study, progress_of(runs[study.pk], now)) for study in studies]
    answered = [study for study, progress in rows if progress.succeeded]
    done = min(answered, key=lambda study: study.is_demo, default=None)
    leading = comparison_of(done, scenarios_of(done), CompareQuery()) if done else None
    key_rows = (
        [row for section in leading.sections for row in section.rows if row.metric.key in KEY_METRICS]
        if leading
        else []
    )
    running = [(study, progress) for study, progress in rows if not progress.is_finished]
    findings = findings_of(leading) if leading else ()
    return Overview(rows, running, leading, key_rows, findings, _steps(workspace, bool(studies)))


def _steps(workspace: Workspace, has_studies: bool) -> list[NextStep]:
    return [
        NextStep(
            "Describe a cluster",
            "Pools of nodes, with prices and power where you know them.",
            "inventory:cluster_list",
            Cluster.objects.in_workspace(workspace).exists(),
        ),
        NextStep(
            "Upload a trace",
            "What your scheduler wrote: Slurm, SWF, a public trace, or any CSV.",
            "workloads:workload_list",
            Workload.objects.in_workspace(workspace).filter(state=State.READY).exists(),
        ),
        NextStep(
            "Name a policy",
            "How your scheduler orders and places jobs today.",
            "planning:policy_list",
            Policy.objects.in_workspace(workspace).exists(),
        ),
        NextStep(
            "Ask a study",
            "Compare the cluster you have with candidates, on your own jobs.",
            "planning:study_new",
            has_studies,
        ),
    ]
