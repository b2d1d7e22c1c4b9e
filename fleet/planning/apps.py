from django.apps import AppConfig


class PlanningConfig(AppConfig):
    name = "fleet.planning"
    label = "planning"
