from django.apps import AppConfig

from fleet.logs import configure_structlog


class OperationsConfig(AppConfig):
    name = "fleet.operations"
    label = "operations"

    def ready(self) -> None:
        configure_structlog()
