"""Writing studies: asking, asking again, cancelling, retrying, deleting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max

from fleet.accounts.models import Workspace
from fleet.accounts.services import record
from fleet.inventory.models import Cluster
from fleet.inventory.services import cluster_value
from fleet.planning.models import Policy, Run, Scenario, Study
from fleet.planning.services.policies import policy_value
from fleet.planning.services.runs import runs_cancel, runs_retry, runs_send
from fleet.planning.snapshots import Snapshot, cluster_snapshot, policy_snapshot
from fleet.planning.specs import run_spec, spec_hash
from fleet.planning.targets import DEFAULTS, LADDER_S, SIZES
from fleet.workloads.models import Workload

MAX_SCENARIOS = 24
MAX_RUNS = 240
MS_PER_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class StudyDraft:
    """What a person asks. The scenarios are (baseline and candidates) x policies, the runs x seeds."""

    name: str
    workload: Workload
    baseline: Cluster
    policies: Sequence[Policy]
    candidates: Sequence[Cluster] = ()
    seeds: Sequence[int] = (0,)
    horizon_ms: int | None = None
    targets: dict[str, int] = field(default_factory=dict)
    note: str = ""
    is_demo: bool = False

    @property
    def clusters(self) -> list[Cluster]:
        """The baseline first, then the candidates, each once."""
        return list(dict.fromkeys([self.baseline, *self.candidates]))


@transaction.atomic
def study_create(workspace: Workspace, user: User | None, draft: StudyDraft) -> Study:
    """Make a study with its scenarios and queue its runs. Raises ValidationError with every problem."""
    _check(workspace, draft)
    study = Study.objects.create(
        workspace=workspace,
        name=draft.name,
        note=draft.note,
        workload=draft.workload,
        baseline=draft.baseline,
        horizon_ms=draft.horizon_ms or _mix_horizon_ms(draft.workload),
        seeds=list(draft.seeds),
        targets=draft.targets,
        is_demo=draft.is_demo,
        created_by=user,
    )
    _scenarios_make(study, draft.workload, product(draft.clusters, draft.policies))
    record(
        workspace,
        user,
        "created",
        study,
        None,
        {
            "workload": str(draft.workload),
            "clusters": [cluster.name for cluster in draft.clusters],
            "policies": [policy.name for policy in draft.policies],
            "seeds": list(draft.seeds),
        },
    )
    return study


@transaction.atomic
def study_run_again(study: Study, user: User | None, *, workload: Workload | None = None) -> Study:
    """Ask the same question of the inputs as they are now, in a new round; the old rounds keep their numbers.

    ``workload`` puts a newer trace in its place; a horizon that was the length of a mix follows it.
    Raises ValidationError where an input was deleted, or where somebody else ran it again just now.
    """
    _demand_current(study)
    pairs = [
        (scenario.cluster, scenario.policy) for scenario in _round(study).select_related("cluster", "policy")
    ]
    used = workload or study.workload
    missing = [
        what
        for what, gone in (
            ("the workload", used is None),
            ("a cluster", any(cluster is None for cluster, _ in pairs)),
            ("a policy", any(policy is None for _, policy in pairs)),
        )
        if gone
    ]
    if missing:
        raise ValidationError(
            f"{' and '.join(missing).capitalize()} of this study was deleted; make a new study instead."
        )
    before = {"round": study.round, "workload": str(study.workload)}
    if study.workload is not None and study.horizon_ms == _mix_horizon_ms(study.workload):
        study.horizon_ms = _mix_horizon_ms(used)
    study.round += 1
    study.workload = used
    study.save(update_fields=["round", "workload", "horizon_ms"])
    _scenarios_make(study, used, pairs)
    record(study.workspace, user, "ran again", study, before, {"round": study.round, "workload": str(used)})
    return study


@transaction.atomic
def scenario_add(study: Study, user: User | None, cluster: Cluster, policy: Policy) -> Scenario:
    """Add one more column to the study's current round, and run it. Raises ValidationError."""
    _demand_current(study)
    if study.workload is None:
        raise ValidationError("The workload of this study was deleted; make a new study instead.")
    if _round(study).count() >= MAX_SCENARIOS:
        raise ValidationError(f"A study holds at most {MAX_SCENARIOS} scenarios.")
    scenario = _scenarios_make(study, study.workload, [(cluster, policy)])[0]
    record(study.workspace, user, "added a scenario", study, None, {"scenario": str(scenario)})
    return scenario


@transaction.atomic
def study_set_targets(study: Study, user: User | None, targets: Mapping[str, int]) -> Study:
    """Set how soon a job of each GPU size should start, in seconds from the ladder. Needs no replay.

    Raises ValidationError for a size or a time that is not offered.
    """
    unknown = [size for size in targets if size not in SIZES]
    off_ladder = [wait_s for wait_s in targets.values() if wait_s not in LADDER_S]
    if unknown or off_ladder:
        raise ValidationError(f"Targets are for {', '.join(SIZES)} GPUs, in seconds of {LADDER_S}.")
    before = {"targets": study.targets}
    study.targets = {size: wait_s for size, wait_s in targets.items() if wait_s != DEFAULTS[size]}
    study.save(update_fields=["targets"])
    record(study.workspace, user, "changed", study, before, {"targets": study.targets})
    return study


@transaction.atomic
def study_cancel(study: Study, user: User | None) -> int:
    """Cancel what is unfinished; returns how many runs."""
    count = runs_cancel(runs_of_round(study))
    if count:
        record(study.workspace, user, "cancelled", study, None, {"runs": count})
    return count


@transaction.atomic
def study_retry(study: Study, user: User | None) -> int:
    """Queue failed and cancelled runs again; returns how many."""
    count = runs_retry(runs_of_round(study))
    if count:
        record(study.workspace, user, "retried", study, None, {"runs": count})
    return count


@transaction.atomic
def study_delete(study: Study, user: User | None) -> None:
    """Delete a study with its scenarios and runs. Outcomes that no other run needs are swept later."""
    record(study.workspace, user, "deleted", study, {"name": study.name}, None)
    study.delete()


def runs_of_round(study: Study, number: int | None = None) -> Iterable[Run]:
    """The runs of one round (default: the current one)."""
    return Run.objects.filter(scenario__study=study, scenario__round=number or study.round)


def workload_snapshot(workload: Workload) -> Snapshot:
    """Which workload a scenario ran on."""
    return {
        "id": workload.pk,
        "name": str(workload),
        "kind": workload.kind,
        "content": workload.sha256,
        "random": workload.needs_seed,
        "jobs": workload.job_count,
    }


def _mix_horizon_ms(workload: Workload) -> int | None:
    """The length of a mix: its seeds end at different last submits, and a study has one horizon."""
    return round(workload.mix_spec["days"] * MS_PER_DAY) if workload.needs_seed else None


def _demand_current(study: Study) -> None:
    """Lock the study's row until the transaction ends; ValidationError where its round has moved on."""
    if Study.unscoped.select_for_update().get(pk=study.pk).round != study.round:
        raise ValidationError("Somebody else ran this study again just now; look at it first.")


def _entered_by(cluster: Cluster) -> Snapshot:
    """Who stands for the cluster's figures."""
    return {"entered_by": str(cluster.created_by or "")}


def _round(study: Study) -> Iterable[Scenario]:
    return study.scenarios.filter(round=study.round)


def _scenarios_make(
    study: Study, workload: Workload, pairs: Iterable[tuple[Cluster, Policy]]
) -> list[Scenario]:
    """Make scenarios after those of the current round, with their runs, and send these on commit."""
    last = _round(study).aggregate(last=Max("position"))["last"]
    first = 0 if last is None else last + 1
    told = workload_snapshot(workload)
    scenarios = Scenario.objects.bulk_create(
        Scenario(
            study=study,
            round=study.round,
            position=position,
            cluster=cluster,
            policy=policy,
            workload_snapshot=told,
            cluster_snapshot=cluster_snapshot(cluster_value(cluster)) | _entered_by(cluster),
            policy_snapshot=policy_snapshot(policy_value(policy)),
        )
        for position, (cluster, policy) in enumerate(pairs, start=first)
    )
    seeds = study.seeds if told["random"] else study.seeds[:1]
    # Seed by seed: each scenario shows something early, and a worker finds the seed's jobs still loaded.
    runs = Run.objects.bulk_create(
        _run(study, scenario, seed) for seed in seeds or [0] for scenario in scenarios
    )
    ids = [run.pk for run in runs]
    transaction.on_commit(lambda: runs_send(ids))
    return scenarios


def _run(study: Study, scenario: Scenario, seed: int) -> Run:
    spec = run_spec(
        scenario.workload_snapshot,
        scenario.cluster_snapshot,
        scenario.policy_snapshot,
        horizon_ms=study.horizon_ms,
        seed=seed,
    )
    return Run(workspace=study.workspace, scenario=scenario, seed=seed, spec=spec, spec_hash=spec_hash(spec))


def _check(workspace: Workspace, draft: StudyDraft) -> None:
    """Every problem of a draft at once; every object must be the workspace's own."""
    problems = []
    scenarios = len(draft.clusters) * len(draft.policies)
    runs = scenarios * (len(draft.seeds) if draft.workload.needs_seed else 1)
    parts = [draft.workload, *draft.clusters, *draft.policies]
    if any(part.workspace_id != workspace.pk for part in parts):
        problems.append("A workload, cluster or policy is not of this workspace.")
    if not draft.policies:
        problems.append("Choose at least one policy.")
    if not draft.workload.is_ready:
        problems.append(f"“{draft.workload}” is not ready yet; wait until it has been read.")
    if scenarios > MAX_SCENARIOS:
        problems.append(
            f"{len(draft.clusters)} clusters × {len(draft.policies)} policies are {scenarios} scenarios; "
            f"a study holds at most {MAX_SCENARIOS}."
        )
    if runs > MAX_RUNS:
        problems.append(
            f"{scenarios} scenarios × {len(draft.seeds)} seeds are {runs} runs; at most {MAX_RUNS}."
        )
    if not draft.seeds or len(set(draft.seeds)) != len(draft.seeds):
        problems.append("Give at least one seed, and each only once.")
    if problems:
        raise ValidationError(problems)
