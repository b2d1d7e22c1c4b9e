"""Pages of fleet.workloads, under /w/<slug>/."""

from django.urls import URLPattern

app_name = "workloads"
urlpatterns: list[URLPattern] = []
