"""Pages of fleet.accounts, under /w/<slug>/settings/."""

from django.urls import URLPattern

app_name = "accounts"
urlpatterns: list[URLPattern] = []
