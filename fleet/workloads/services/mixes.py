"""Mixes: made from a preset, a file or a trace; edited; put to use as a workload."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from fleet.accounts.models import Workspace
from fleet.accounts.services import record
from fleet.inventory.services.names import free_name
from fleet.workloads.mix_spec import mix_of_spec, spec_of_mix, spec_sha256
from fleet.workloads.models import Kind, State, Workload, WorkloadMix
from fleet.workloads.services.jobs import jobs_of
from fleet.workloads.services.profiles import profile_fields
from fleet.workloads.services.uploads import next_version
from twin.problems import InvalidInput
from twin.workload import WorkloadMix as Mix
from twin.workload import fit_mix

PREVIEW_SEED = 0
LONGEST_NAME = 120
MAX_JOBS_IN_A_PAGE = 500_000  # what the web process draws while a person waits, about 0.5 s


def expected_jobs(mix: Mix) -> int:
    """How many jobs a seed makes, in the mean."""
    return round(24 * mix.days * sum(each.jobs_per_hour for each in mix.classes))


def _demand_free(workspace: Workspace, name: str, but: int | None = None) -> None:
    others = WorkloadMix.objects.in_workspace(workspace).filter(name=name).exclude(pk=but)
    if others.exists():
        raise InvalidInput.single("name", f"another mix is called “{name}”", "a name of its own")


@transaction.atomic
def mix_create(workspace: Workspace, user: User | None, mix: Mix, *, origin: str = "") -> WorkloadMix:
    """Keep a mix; its name is made free. ``origin`` says where it came from."""
    taken = WorkloadMix.objects.in_workspace(workspace).values_list("name", flat=True)
    name = free_name(mix.name, taken, LONGEST_NAME)
    spec = spec_of_mix(mix) | {"name": name}
    made = WorkloadMix.unscoped.create(
        workspace=workspace, name=name, spec=spec, origin=origin[:200], created_by=user
    )
    record(workspace, user, "made", made, None, {"origin": origin})
    return made


@transaction.atomic
def mix_update(row: WorkloadMix, user: User, mix: Mix) -> WorkloadMix:
    """Change a mix. Workloads made from it keep the specification they were made with."""
    _demand_free(row.workspace, mix.name, row.pk)
    before = {"name": row.name, **row.spec}
    row.name = mix.name
    row.spec = spec_of_mix(mix)
    row.save(update_fields=["name", "spec", "updated_at"])
    record(row.workspace, user, "changed", row, before, {"name": row.name, **row.spec})
    return row


@transaction.atomic
def mix_delete(row: WorkloadMix, user: User) -> None:
    """Delete a mix; workloads made from it stay."""
    record(row.workspace, user, "deleted", row, row.spec, None)
    row.delete()


def mix_fit(workload: Workload, user: User) -> WorkloadMix:
    """A mix with the shape of a workload's jobs."""
    mix = fit_mix(jobs_of(workload, PREVIEW_SEED), name=f"like {workload.name}"[:LONGEST_NAME])
    return mix_create(workload.workspace, user, mix, origin=f"fitted from {workload}")


def mix_use(row: WorkloadMix, user: User | None) -> Workload:
    """The workload of this very specification, made if need be. InvalidInput for too many jobs."""
    digest = spec_sha256(row.spec)
    same = Workload.objects.in_workspace(row.workspace).filter(kind=Kind.MIX, sha256=digest)
    found = same.select_related("workspace").first()
    if found is not None:
        return found
    mix = mix_of_spec(row.spec)
    if expected_jobs(mix) > MAX_JOBS_IN_A_PAGE:
        what = f"the mix makes about {expected_jobs(mix):,} jobs"
        raise InvalidInput.single(row.name, what, f"at most {MAX_JOBS_IN_A_PAGE:,} for now")
    workload = Workload(
        workspace=row.workspace, name=row.name, kind=Kind.MIX, state=State.READY, sha256=digest, mix=row,
        mix_spec=row.spec, uploaded_by=user, progress=1.0,
    )  # fmt: skip
    fields = profile_fields(jobs_of(workload, PREVIEW_SEED))
    with transaction.atomic():
        workload.version = next_version(row.workspace, row.name)
        for name, value in fields.items():
            setattr(workload, name, value)
        workload.save()
        record(row.workspace, user, "made", workload, None, {"mix": row.name, "sha256": digest})
    return workload
