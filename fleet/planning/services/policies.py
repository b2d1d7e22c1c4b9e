"""Writing policies."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from fleet.accounts.models import Workspace
from fleet.accounts.services import record
from fleet.planning.models import Policy
from fleet.planning.snapshots import policy_of
from twin.sched import Policy as TwinPolicy

FIELDS = ("name", "order", "backfill", "backfill_depth", "placement", "shape", "pass_mode", "enforce_limits")


def policy_value(policy: Policy) -> TwinPolicy:
    """The policy as the twin takes it."""
    return policy_of(policy_fields(policy))


def policy_fields(policy: Policy) -> dict[str, Any]:
    """The fields that a person chooses, by name."""
    return {name: getattr(policy, name) for name in FIELDS}


@transaction.atomic
def policy_create(workspace: Workspace, user: User | None, **fields: Any) -> Policy:
    """Make a policy; ``fields`` are those of ``twin.sched.Policy``. Raises ValidationError."""
    policy = Policy(workspace=workspace, **fields)
    policy.full_clean()
    policy.save()
    record(workspace, user, "created", policy, None, policy_fields(policy))
    return policy


@transaction.atomic
def policy_update(policy: Policy, user: User | None, **fields: Any) -> Policy:
    """Change a policy. Scenarios that ran keep the one they ran with. Raises ValidationError."""
    before = policy_fields(policy)
    for name, value in fields.items():
        setattr(policy, name, value)
    policy.full_clean()
    policy.save()
    record(policy.workspace, user, "changed", policy, before, policy_fields(policy))
    return policy


@transaction.atomic
def policy_delete(policy: Policy, user: User | None) -> None:
    """Delete a policy. Studies keep their numbers and their snapshot of it."""
    record(policy.workspace, user, "deleted", policy, policy_fields(policy), None)
    policy.delete()
