"""The URL table. Everything of a workspace lives under /w/<slug>/."""

from django.contrib import admin
from django.urls import include, path

from fleet.api.api import api
from fleet.operations.health import healthz, readyz
from fleet.operations.home import home

workspace_urls = [
    path("", include("fleet.planning.urls")),
    path("inventory/", include("fleet.inventory.urls")),
    path("workloads/", include("fleet.workloads.urls")),
    path("reports/", include("fleet.reports.urls")),
    path("settings/", include("fleet.accounts.urls")),
    path("settings/tokens/", include("fleet.api.urls")),
]

urlpatterns = [
    path("", home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/v1/", api.urls),
    path("w/<slug:slug>/", include(workspace_urls)),
]
