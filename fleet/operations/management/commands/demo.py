"""``manage.py demo``: the demo workspace, once."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from fleet.operations.demo import demo_create


class Command(BaseCommand):
    help = "Make the demo workspace with a finished design study to look at; does nothing where it exists."

    def handle(self, *_args: Any, **_options: Any) -> None:
        study = demo_create()
        if study is not None:
            self.stdout.write("Made the demo workspace; its study runs as soon as a worker is up")
