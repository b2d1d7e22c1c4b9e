"""``manage.py prepare``: what a production start needs once, before the web and the workers."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from fleet.operations.preparation import prepare_database
from twin.engine import warm


class Command(BaseCommand):
    help = "Set up the database, the hardware catalogue, the static files and the compiled simulator."

    def handle(self, *_args: Any, **_options: Any) -> None:
        prepare_database(self.stdout.write)
        call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write("Compiling the simulator (about a minute the first time)")
        warm()
