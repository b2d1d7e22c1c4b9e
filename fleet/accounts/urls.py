"""Pages of fleet.accounts, under /w/<slug>/settings/."""

from django.urls import path

from fleet.accounts import views

app_name = "accounts"
urlpatterns = [
    path("members/", views.member_list, name="member_list"),
    path("members/<int:member_id>/role/", views.member_role, name="member_role"),
    path("members/<int:member_id>/remove/", views.member_remove, name="member_remove"),
    path("members/restore/<int:entry_id>/", views.member_restore, name="member_restore"),
    path("changes/", views.change_list, name="change_list"),
]
