"""How to make what the addresses of fleet.workloads name (tests/fleet/url_table.py)."""

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from fleet.workloads.mix_spec import spec_of_mix
from fleet.workloads.models import Kind, StagedUpload, State, Workload, WorkloadMix
from fleet.workloads.services.profiles import profile_fields
from tests.fleet.url_table import object_named, value_named
from twin.workload import demo_mix, generate

SPEC = spec_of_mix(demo_mix(days=1.0, gpus=64))
value_named("chart", "sizes")


@object_named("workload_id")
def workload(workspace, made):
    number = Workload.unscoped.count() + 1
    return Workload.unscoped.create(
        workspace=workspace,
        name="a day",
        version=number,
        kind=Kind.TRACE,
        state=State.READY,
        sha256=f"{number:064d}",
        refused_file=default_storage.save("refused.csv", ContentFile(b"line,reason,text\n")),
        **profile_fields(generate(demo_mix(days=1.0, gpus=64), 1)),
    ).pk


@object_named("upload_id")
def upload(workspace, made):
    owner = User.objects.first() or User.objects.create_user("owner")
    file = default_storage.save("upload", ContentFile(b"job_id,submit,duration,gpus\n1,0,60,1\n"))
    return StagedUpload.unscoped.create(
        workspace=workspace, owner=owner, original_name="jobs.csv", file=file, sha256="0" * 64, size_bytes=37
    ).pk


@object_named("mix_id")
def mix(workspace, made):
    name = f"mix {WorkloadMix.unscoped.count()}"
    return WorkloadMix.unscoped.create(workspace=workspace, name=name, spec=SPEC | {"name": name}).pk
