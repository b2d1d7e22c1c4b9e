"""The demo workspace: what is in it, that it is made once, and that nobody else sees it."""

import pytest

from fleet.accounts.models import Membership, Role, Workspace
from fleet.inventory.models import Cluster
from fleet.operations.demo import SEEDS, demo_create
from fleet.planning.models import Policy, Run


@pytest.fixture
def demo(db) -> Workspace:
    demo_create()
    return Workspace.objects.get(slug="demo")


def test_it_has_a_real_cluster_three_candidates_and_three_policies(demo):
    clusters = Cluster.objects.in_workspace(demo)
    real = clusters.get(is_candidate=False)
    pool = real.pools.get()
    assert (pool.nodes, pool.node_type.gpu.name, pool.node_type.gpus_per_node) == (64, "A100-SXM-80GB", 8)
    assert [each.derived_from for each in clusters.filter(is_candidate=True)] == [real] * 3
    assert Policy.objects.in_workspace(demo).count() == 3


def test_its_study_is_queued_for_every_scenario_and_seed(demo):
    runs = Run.objects.filter(workspace=demo)
    assert runs.count() == 4 * 3 * len(SEEDS)
    assert set(runs.values_list("state", flat=True)) == {"queued"}
    study = runs.first().scenario.study
    assert study.is_demo
    assert study.workload.job_count > 10_000


def test_a_second_time_changes_nothing(demo):
    Cluster.objects.in_workspace(demo).filter(name="40 H100 nodes").delete()
    assert demo_create() is None
    assert Cluster.objects.in_workspace(demo).count() == 3


def test_its_user_is_admin_there_and_has_no_password(demo):
    member = Membership.objects.get(workspace=demo)
    assert (member.user.username, member.role) == ("demo", Role.ADMIN)
    assert not member.user.has_usable_password()


def test_a_stranger_does_not_see_it(demo, stranger_client):
    assert stranger_client.get("/w/demo/").status_code == 404
