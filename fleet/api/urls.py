"""A member's API tokens, under /w/<slug>/settings/tokens/."""

from django.urls import path

from fleet.api import views

app_name = "api"
urlpatterns = [
    path("", views.token_list, name="token_list"),
    path("<int:token_id>/revoke/", views.token_revoke_view, name="token_revoke"),
]
