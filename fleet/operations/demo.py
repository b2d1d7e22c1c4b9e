"""The demo workspace: a month of generated jobs, a cluster, three candidates, three policies, one study.

Everything is made by the services that the pages call, so the demo is what a person could have typed.
Prices and the H100's speed are round assumptions of the demo, and its notes say so.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from fleet.accounts.models import Workspace
from fleet.accounts.services import workspace_create
from fleet.inventory.models import Cluster, NodeType
from fleet.inventory.services import catalogue_import, cluster_create
from fleet.operations.loopback import DEMO_USER
from fleet.planning.models import Study
from fleet.planning.services import StudyDraft, policy_create, study_create
from fleet.workloads.models import Workload
from fleet.workloads.services.mixes import mix_create, mix_use
from twin.workload import demo_mix

SLUG = "demo"
SEEDS = (0, 1, 2, 3, 4)
A100, H100 = "DGX A100 640GB", "DGX H100"
SITE = {"currency": "USD", "amortisation_years": 4.0, "electricity_per_kwh": 0.12, "pue": 1.3}
ASSUMED = (
    "Assumed for the demo: 160,000 USD an A100 node, 300,000 USD an H100 node;"
    " nodes draw 1.10 times the rated power of their GPUs when busy and 0.41 times when idle"
    " (3.52 and 1.31 kW an A100 node, 6.16 and 2.30 kW an H100 node), the engine's own basis for both;"
    " 0.12 USD per kWh, PUE 1.3, four years of use; an H100 runs these jobs twice as fast as an A100."
)
FIGURES = {
    A100: {"node_price": 160_000.0, "node_busy_w": 3_520.0, "node_idle_w": 1_312.0},
    H100: {"node_price": 300_000.0, "node_busy_w": 6_160.0, "node_idle_w": 2_296.0, "speed": 2.0},
}
CANDIDATES: dict[str, dict[str, int]] = {
    "80 A100 nodes": {A100: 80},
    "64 A100 + 8 H100 nodes": {A100: 64, H100: 8},
    "40 H100 nodes": {H100: 40},
}
POLICIES: dict[str, dict[str, str]] = {
    "FIFO, EASY backfill": {"order": "fifo", "backfill": "easy", "placement": "best_fit"},
    "Shortest first, EASY backfill": {"order": "sjf", "backfill": "easy", "placement": "best_fit"},
    "FIFO, no backfill": {"order": "fifo", "backfill": "strict", "placement": "best_fit"},
}


@transaction.atomic
def demo_create() -> Study | None:
    """Make the demo and queue its study; None where its workspace exists (it may have been edited since)."""
    if Workspace.objects.filter(slug=SLUG).exists():
        return None
    catalogue_import()
    user = demo_user()
    workspace = workspace_create("Demo", user, slug=SLUG)
    real = make_cluster(workspace, user, "64 A100 nodes", {A100: 64})
    candidates = [make_cluster(workspace, user, name, nodes, real) for name, nodes in CANDIDATES.items()]
    policies = [policy_create(workspace, user, name=name, **fields) for name, fields in POLICIES.items()]
    return study_create(
        workspace,
        user,
        StudyDraft(
            name="Which cluster, which policy?",
            note="A month of generated jobs with the shape of published GPU traces. " + ASSUMED,
            workload=demo_workload(workspace, user),
            baseline=real,
            candidates=candidates,
            policies=policies,
            seeds=SEEDS,
            is_demo=True,
        ),
    )


def demo_user() -> User:
    """The account that ``manage.py up`` signs in; nobody can sign in as it with a password."""
    user, made = User.objects.get_or_create(
        username=DEMO_USER, defaults={"email": "demo@localhost", "is_staff": True, "is_superuser": True}
    )
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def make_cluster(
    workspace: Workspace, user: User, name: str, nodes: dict[str, int], derived_from: Cluster | None = None
) -> Cluster:
    """A cluster of one pool a node type; a candidate where it derives from another."""
    pools = [
        {
            "name": node_type.removeprefix("DGX ").split()[0].lower(),
            "nodes": count,
            "node_type": NodeType.objects.in_workspace(workspace).get(name=node_type),
            "nodes_per_rack": 4,
            **FIGURES[node_type],
        }
        for node_type, count in nodes.items()
    ]
    return cluster_create(
        workspace,
        user,
        name=name,
        note=ASSUMED,
        is_candidate=derived_from is not None,
        derived_from=derived_from,
        pools=pools,
        **SITE,
    )


def demo_workload(workspace: Workspace, user: User) -> Workload:
    """The generator's own month for this many GPUs."""
    return mix_use(mix_create(workspace, user, demo_mix(), origin="the built-in demo"), user)
