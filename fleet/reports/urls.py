"""Pages of fleet.reports, under /w/<slug>/."""

from django.urls import URLPattern

app_name = "reports"
urlpatterns: list[URLPattern] = []
