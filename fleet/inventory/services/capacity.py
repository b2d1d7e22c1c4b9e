"""How many nodes of a pool are in which state, from which day on."""

from __future__ import annotations

import datetime

from django.contrib.auth.models import User
from django.db import transaction

from fleet.accounts.services import record
from fleet.inventory.models import Pool, PoolCapacity


def _told(row: PoolCapacity) -> dict[str, object]:
    return {
        "pool": row.pool.name,
        "nodes": row.nodes,
        "state": row.get_state_display(),
        "from": row.from_date,
        "note": row.note,
    }


@transaction.atomic
def capacity_add(
    pool: Pool, user: User | None, *, state: str, nodes: int, from_date: datetime.date, note: str = ""
) -> PoolCapacity:
    """From that day on the pool has ``nodes`` nodes in ``state``. Raises ValidationError by field."""
    row = PoolCapacity(pool=pool, state=state, nodes=nodes, from_date=from_date, note=note)
    row.full_clean()
    row.save()
    record(pool.cluster.workspace, user, "dated capacity of", pool.cluster, None, _told(row))
    return row


@transaction.atomic
def capacity_remove(row: PoolCapacity, user: User | None) -> None:
    """Take a dated row back."""
    record(row.pool.cluster.workspace, user, "removed capacity of", row.pool.cluster, _told(row), None)
    row.delete()
