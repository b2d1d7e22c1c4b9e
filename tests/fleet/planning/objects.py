"""How to make what the addresses of fleet.planning name (tests/fleet/url_table.py)."""

from fleet.planning.models import Policy, Run, Scenario, Study
from fleet.planning.snapshots import cluster_snapshot, policy_snapshot
from tests.fleet.url_table import object_named, value_named
from twin.hardware import Cluster, Gpu, Pool
from twin.sched import Policy as TwinPolicy


@object_named("pk", pages="planning:policy_*")
def policy(workspace, made):
    return Policy.unscoped.create(workspace=workspace, name=f"policy {Policy.unscoped.count()}").pk


@object_named("pk", pages="planning:*")
def study(workspace, made):
    made_study = Study.unscoped.create(workspace=workspace, name="study", seeds=[0])
    Scenario.objects.create(
        study=made_study,
        position=0,
        workload_snapshot={"id": 0, "name": "trace", "content": "", "random": False, "jobs": 0},
        cluster_snapshot=cluster_snapshot(Cluster("now", (Pool("main", 1, Gpu("G"), 8),))),
        policy_snapshot=policy_snapshot(TwinPolicy()),
    )
    return made_study.pk


@object_named("run_pk", pages="planning:*")
def run(workspace, made):
    scenario = Scenario.objects.get(study_id=made["pk"])
    spec = {"engine_version": ""}
    return Run.objects.create(workspace=workspace, scenario=scenario, spec=spec, spec_hash="0").pk


value_named("figure", "waits", pages="planning:*")
