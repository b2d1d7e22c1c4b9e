"""Reading studies and how far their runs are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from fleet.accounts.models import Workspace
from fleet.planning.models import Run, RunState, Scenario, Study

ENDED = (RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED)
ETA_FROM_SHARE = 0.02  # below this share done, a guess of the rest says nothing


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """How far some runs are. ``eta_s`` is None before there is anything to judge by, or at the end."""

    total: int
    succeeded: int
    failed: int
    cancelled: int
    running: int
    queued: int
    share: float
    elapsed_s: float
    eta_s: float | None
    cancelling: bool

    @property
    def is_finished(self) -> bool:
        return self.running + self.queued == 0

    @property
    def may_retry(self) -> bool:
        return self.failed + self.cancelled > 0

    @property
    def succeeded_text(self) -> str:
        """For the address of what is drawn from the results so far."""
        return str(self.succeeded)

    @property
    def percent(self) -> int:
        return int(100 * self.share)

    @property
    def label(self) -> str:
        """One word for the whole."""
        if not self.is_finished:
            return "cancelling" if self.cancelling else ("running" if self.running else "waiting")
        if self.failed:
            return "failed" if self.failed == self.total else "partly failed"
        return "cancelled" if self.cancelled else "finished"

    @property
    def tone(self) -> str:
        """The badge that goes with the label."""
        tones = {"finished": "ok", "failed": "error", "partly failed": "error", "cancelled": "warn"}
        return tones.get(self.label, "muted")


def progress_of(runs: Iterable[Run], now: datetime) -> StudyProgress:
    """How far these runs are."""
    runs = list(runs)
    states = Counter(run.state for run in runs)
    finished = states[RunState.RUNNING] + states[RunState.QUEUED] == 0
    asked = _batch(runs)
    began = min((run.queued_at for run in asked), default=now)
    ended = max((run.finished_at for run in runs if run.finished_at), default=now) if finished else now
    elapsed_s = max((ended - began).total_seconds(), 0.0)
    done = _share(asked)
    guess = not finished and done >= ETA_FROM_SHARE
    return StudyProgress(
        total=len(runs),
        succeeded=states[RunState.SUCCEEDED],
        failed=states[RunState.FAILED],
        cancelled=states[RunState.CANCELLED],
        running=states[RunState.RUNNING],
        queued=states[RunState.QUEUED],
        share=_share(runs),
        elapsed_s=elapsed_s,
        eta_s=elapsed_s * (1 - done) / done if guess else None,
        cancelling=any(run.cancel_requested for run in runs),
    )


def _share(runs: Sequence[Run]) -> float:
    """How much of these runs is done, from 0 to 1; 0 where there are none."""
    return sum(1.0 if run.state in ENDED else run.progress for run in runs) / max(len(runs), 1)


def _batch(runs: Sequence[Run]) -> Sequence[Run]:
    """The runs that are waited for: those added later do not count the time since the first ones ended."""
    unfinished = [run.queued_at for run in runs if run.state not in ENDED]
    if not unfinished:
        return runs
    asked = min(unfinished)
    return [run for run in runs if run.finished_at is None or run.finished_at >= asked]


@dataclass(frozen=True, slots=True)
class ScenarioProgress:
    """How far one scenario is: its runs together, what is going on, and why some failed."""

    scenario: Scenario
    progress: StudyProgress
    step: str
    errors: tuple[str, ...]
    losses: int
    computed_s: float | None


def scenario_progress(scenario: Scenario, now: datetime) -> ScenarioProgress:
    """How far a scenario is; its runs must be prefetched."""
    runs = list(scenario.runs.all())
    running = [run.step for run in runs if run.state == RunState.RUNNING]
    waiting = [run.step for run in runs if run.state == RunState.QUEUED]
    computed = [run.outcome.computed_s for run in runs if run.outcome is not None]
    return ScenarioProgress(
        scenario,
        progress_of(runs, now),
        step=next(iter(running + waiting), ""),
        errors=tuple(dict.fromkeys(run.error for run in runs if run.error)),
        losses=sum(run.losses for run in runs),
        computed_s=sum(computed) if computed else None,
    )


def studies_of(workspace: Workspace) -> QuerySet[Study]:
    """The workspace's studies, the demo first, then the latest."""
    studies = Study.objects.in_workspace(workspace).select_related("workload", "baseline", "created_by")
    return studies.order_by("-is_demo", "-created_at", "-pk")


def runs_by_study(studies: Sequence[Study]) -> dict[int, list[Run]]:
    """The runs of each study's current round, without their specifications, in one query."""
    found: dict[int, list[Run]] = {study.pk: [] for study in studies}
    rounds = {study.pk: study.round for study in studies}
    runs = Run.objects.filter(scenario__study__in=[study.pk for study in studies])
    for run in runs.select_related("scenario").defer(
        "spec", "scenario__cluster_snapshot", "scenario__policy_snapshot", "scenario__workload_snapshot"
    ):
        study_id = run.scenario.study_id
        if run.scenario.round == rounds[study_id]:
            found[study_id].append(run)
    return found


def scenarios_of(study: Study, number: int | None = None) -> list[Scenario]:
    """The scenarios of a round (default: the current one), each with its runs and their outcomes."""
    return _with_runs(study, number, Run.objects.select_related("outcome"))


def scenarios_in_progress(study: Study) -> list[Scenario]:
    """The scenarios of the current round with how far their runs are, without what they answered."""
    runs = Run.objects.select_related("outcome").defer("spec", "outcome__summary")
    return _with_runs(study, study.round, runs)


def _with_runs(study: Study, number: int | None, runs: QuerySet[Run]) -> list[Scenario]:
    scenarios = study.scenarios.filter(round=number or study.round)
    return list(scenarios.prefetch_related(Prefetch("runs", queryset=runs)).order_by("position"))
