"""Policies, studies, runs and outcomes over the API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from ninja import Router, Status
from ninja.pagination import LimitOffsetPagination, paginate

from fleet.accounts.models import Role, Workspace
from fleet.api.access import enter
from fleet.api.errors import READ_ERRORS, WRITE_ERRORS
from fleet.api.routers.inventory import cluster_in
from fleet.api.schemas import OutcomeOut, PolicyOut, RunOut, StudyIn, StudyOut
from fleet.planning.models import Outcome, Policy, Run, Study
from fleet.planning.selectors.studies import studies_of
from fleet.planning.services.studies import StudyDraft, study_cancel, study_create, study_retry
from fleet.workloads.selectors import workload_of

policies = Router(tags=["policies"])
studies = Router(tags=["studies"])
outcomes = Router(tags=["outcomes"])


def _one(rows: QuerySet[Any], row_id: int, what: str) -> Any:
    found = rows.filter(pk=row_id).first()
    if found is None:
        raise Http404(f"No such {what} in this workspace.")
    return found


def _policy(workspace: Workspace, policy_id: int) -> Policy:
    return _one(Policy.objects.in_workspace(workspace), policy_id, "policy")


def _study(workspace: Workspace, study_id: int) -> Study:
    return _one(studies_of(workspace), study_id, "study")


@policies.get("/w/{slug}/policies", response={200: list[PolicyOut], **READ_ERRORS})
def policy_list(request: HttpRequest, slug: str) -> QuerySet[Policy]:
    """The workspace's policies."""
    return Policy.objects.in_workspace(enter(request, slug).workspace)


@policies.get("/w/{slug}/policies/{policy_id}", response={200: PolicyOut, **READ_ERRORS})
def policy_get(request: HttpRequest, slug: str, policy_id: int) -> Policy:
    """One policy."""
    return _policy(enter(request, slug).workspace, policy_id)


@studies.get("/w/{slug}/studies", response={200: list[StudyOut], **READ_ERRORS})
@paginate(LimitOffsetPagination)
def study_list(request: HttpRequest, slug: str) -> QuerySet[Study]:
    """The workspace's studies, latest first."""
    return studies_of(enter(request, slug).workspace)


@studies.post("/w/{slug}/studies", response={201: StudyOut, **WRITE_ERRORS})
def study_make(request: HttpRequest, slug: str, body: StudyIn) -> Status:
    """Make a study and run it."""
    caller = enter(request, slug, Role.PLANNER)
    draft = StudyDraft(
        name=body.name,
        workload=workload_of(caller.workspace, body.workload_id),
        baseline=cluster_in(caller.workspace, body.baseline_id),
        candidates=[cluster_in(caller.workspace, each) for each in body.candidate_ids],
        policies=[_policy(caller.workspace, each) for each in body.policy_ids],
        seeds=body.seeds,
        note=body.note,
    )
    return Status(201, study_create(caller.workspace, caller.user, draft))


@studies.get("/w/{slug}/studies/{study_id}", response={200: StudyOut, **READ_ERRORS})
def study_get(request: HttpRequest, slug: str, study_id: int) -> Study:
    """One study."""
    return _study(enter(request, slug).workspace, study_id)


@studies.get("/w/{slug}/studies/{study_id}/runs", response={200: list[RunOut], **READ_ERRORS})
def run_list(request: HttpRequest, slug: str, study_id: int) -> Iterable[RunOut]:
    """The runs of the study's current round."""
    return _runs(_study(enter(request, slug).workspace, study_id))


@studies.post("/w/{slug}/studies/{study_id}/cancel", response={200: list[RunOut], **WRITE_ERRORS})
def study_stop(request: HttpRequest, slug: str, study_id: int) -> Iterable[RunOut]:
    """Cancel what is unfinished."""
    caller = enter(request, slug, Role.PLANNER)
    study = _study(caller.workspace, study_id)
    study_cancel(study, caller.user)
    return _runs(study)


@studies.post("/w/{slug}/studies/{study_id}/retry", response={200: list[RunOut], **WRITE_ERRORS})
def study_again(request: HttpRequest, slug: str, study_id: int) -> Iterable[RunOut]:
    """Queue failed and cancelled runs again."""
    caller = enter(request, slug, Role.PLANNER)
    study = _study(caller.workspace, study_id)
    study_retry(study, caller.user)
    return _runs(study)


def _runs(study: Study) -> list[RunOut]:
    found = Run.objects.filter(scenario__study=study, scenario__round=study.round)
    return [
        RunOut(
            id=run.pk,
            scenario_id=run.scenario_id,
            scenario=str(run.scenario),
            seed=run.seed,
            spec_hash=run.spec_hash,
            state=run.state,
            progress=run.progress,
            step=run.step,
            error=run.error,
            outcome_id=run.outcome_id,
        )
        for run in found.select_related("scenario").order_by("scenario__position", "seed")
    ]


@outcomes.get("/w/{slug}/outcomes/{outcome_id}", response={200: OutcomeOut, **READ_ERRORS})
def outcome_get(request: HttpRequest, slug: str, outcome_id: int) -> Outcome:
    """The summary of one outcome."""
    return _one(Outcome.objects.in_workspace(enter(request, slug).workspace), outcome_id, "outcome")
