"""Pages of fleet.workloads, under /w/<slug>/workloads/."""

from django.urls import path

from fleet.workloads.views import data, lists, mixes, traces, uploads

app_name = "workloads"
urlpatterns = [
    path("", lists.workload_list, name="workload_list"),
    path("upload/", uploads.upload, name="upload"),
    path("uploads/<uuid:upload_id>/", uploads.upload_review, name="upload_review"),
    path("uploads/<uuid:upload_id>/commit/", uploads.upload_commit_view, name="upload_commit"),
    path("uploads/<uuid:upload_id>/cancel/", uploads.upload_cancel_view, name="upload_cancel"),
    path("<int:workload_id>/", traces.workload_detail, name="workload_detail"),
    path("<int:workload_id>/progress/", traces.workload_progress, name="workload_progress"),
    path("<int:workload_id>/refused.csv", traces.workload_refused, name="workload_refused"),
    path("<int:workload_id>/profile.json", data.profile_json, name="workload_profile_json"),
    path("<int:workload_id>/charts.json", data.charts_json, name="workload_charts_json"),
    path("<int:workload_id>/charts/<slug:chart>.csv", data.chart_csv, name="workload_chart_csv"),
    path("<int:workload_id>/cancel/", traces.workload_cancel_view, name="workload_cancel"),
    path("<int:workload_id>/retry/", traces.workload_retry_view, name="workload_retry"),
    path("<int:workload_id>/reopen/", traces.workload_reopen_view, name="workload_reopen"),
    path("<int:workload_id>/delete/", traces.workload_delete_view, name="workload_delete"),
    path("mixes/", mixes.mix_list, name="mix_list"),
    path("mixes/new/", mixes.mix_new, name="mix_new"),
    path("mixes/<int:mix_id>/", mixes.mix_detail, name="mix_detail"),
    path("mixes/<int:mix_id>/edit/", mixes.mix_edit, name="mix_edit"),
    path("mixes/<int:mix_id>/mix.yaml", mixes.mix_export, name="mix_export"),
    path("mixes/<int:mix_id>/use/", mixes.mix_use_view, name="mix_use"),
    path("mixes/<int:mix_id>/delete/", mixes.mix_delete_view, name="mix_delete"),
]
