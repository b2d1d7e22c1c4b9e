"""Pages of fleet.reports, under /w/<slug>/reports/."""

from django.urls import path

from fleet.reports import views

app_name = "reports"
urlpatterns = [
    path("", views.schedule_list, name="schedule_list"),
    path("schedules/new/", views.schedule_new, name="schedule_new"),
    path("schedules/<int:pk>/", views.schedule_detail, name="schedule_detail"),
    path("schedules/<int:pk>/edit/", views.schedule_edit, name="schedule_edit"),
    path("schedules/<int:pk>/pause/", views.schedule_pause, name="schedule_pause"),
    path("schedules/<int:pk>/run/", views.schedule_run, name="schedule_run"),
    path("schedules/<int:pk>/delete/", views.schedule_delete, name="schedule_delete"),
    path("archive/", views.report_list, name="report_list"),
    path("archive/<int:pk>/", views.report_detail, name="report_detail"),
    path("archive/<int:pk>/page/", views.report_page, name="report_page"),
    path("archive/<int:pk>/delete/", views.report_delete, name="report_delete"),
]
