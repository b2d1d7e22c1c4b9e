"""What must be in place before anything serves: tables and the built-in catalogue."""

from __future__ import annotations

from collections.abc import Callable

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from fleet.inventory.services import catalogue_import


def prepare_database(say: Callable[[str], None]) -> None:
    """Bring tables and catalogue up to date; ``say`` hears only of what there was to do."""
    executor = MigrationExecutor(connection)
    pending = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if pending:
        say(f"Setting up the database ({pending} steps)")
        call_command("migrate", verbosity=0)
    written = catalogue_import()
    if written:
        say(f"Wrote {written} rows of the hardware catalogue")
