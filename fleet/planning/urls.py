"""Pages of fleet.planning, under /w/<slug>/."""

from django.urls import path

from fleet.planning.views import compare, overview, policies, studies, whatif

app_name = "planning"
urlpatterns = [
    path("", overview.overview, name="overview"),
    path("policies/", policies.policy_list, name="policy_list"),
    path("policies/new/", policies.policy_new, name="policy_new"),
    path("policies/<int:pk>/edit/", policies.policy_edit, name="policy_edit"),
    path("policies/<int:pk>/clone/", policies.policy_clone, name="policy_clone"),
    path("policies/<int:pk>/delete/", policies.policy_delete, name="policy_delete"),
    path("studies/", studies.study_list, name="study_list"),
    path("studies/new/", studies.study_new, name="study_new"),
    path("studies/preview/", studies.study_preview, name="study_preview"),
    path("studies/<int:pk>/", studies.study_detail, name="study_detail"),
    path("studies/<int:pk>/progress/", studies.study_progress, name="study_progress"),
    path("studies/<int:pk>/cancel/", studies.study_cancel, name="study_cancel"),
    path("studies/<int:pk>/retry/", studies.study_retry, name="study_retry"),
    path("studies/<int:pk>/run-again/", studies.study_run_again, name="study_run_again"),
    path("studies/<int:pk>/targets/", studies.study_targets, name="study_targets"),
    path("studies/<int:pk>/delete/", studies.study_delete, name="study_delete"),
    path("studies/<int:pk>/compare/", compare.compare, name="compare"),
    path("studies/<int:pk>/compare.csv", compare.compare_csv, name="compare_csv"),
    path("studies/<int:pk>/compare.json", compare.compare_json, name="compare_json"),
    path("studies/<int:pk>/figures.json", compare.compare_figures, name="compare_figures"),
    path("studies/<int:pk>/figures/<slug:figure>.csv", compare.compare_figure_csv, name="compare_figure_csv"),
    path("studies/<int:pk>/runs/<int:run_pk>/jobs.csv", compare.outcomes_csv, name="outcomes_csv"),
    path("what-if/", whatif.what_if, name="what_if"),
    path("what-if/keep/", whatif.what_if_keep, name="what_if_keep"),
]
