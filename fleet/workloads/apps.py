from django.apps import AppConfig


class WorkloadsConfig(AppConfig):
    name = "fleet.workloads"
    label = "workloads"
