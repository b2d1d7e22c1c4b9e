"""The compare page and its twins: CSV, JSON, figures, per-job outcomes."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl
from django.core.files.storage import default_storage
from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.planning.comparison import CompareQuery, Comparison, comparison_of
from fleet.planning.comparison.assumed import assumptions_of
from fleet.planning.comparison.export import comparison_json, csv_text, figure_rows, table_rows
from fleet.planning.comparison.figures import figures_of
from fleet.planning.comparison.findings import findings_of
from fleet.planning.comparison.metrics import BY_CLASS
from fleet.planning.models import Run
from fleet.planning.selectors.staleness import changes_since
from fleet.planning.selectors.studies import StudyProgress, progress_of, scenarios_of
from fleet.planning.views.studies import study_or_404
from twin.spreadsheet import safe_frame

ROWS_A_SLICE = 20_000


@workspace_view(Role.VIEWER)
def compare(request: WorkspaceRequest, pk: int) -> HttpResponse:
    """The page of the product."""
    comparison = _comparison(request, pk)
    study, current = comparison.study, comparison.query.round in (None, comparison.study.round)
    runs = [run for column in comparison.every for run in column.runs]
    scenarios = [column.scenario for column in comparison.every]
    context = {
        "section": "studies",
        "study": study,
        "comparison": comparison,
        "findings": findings_of(comparison),
        "query": comparison.query,
        "query_text": comparison.query.to_query(),
        "progress": progress_of(runs, timezone.now()),
        "is_current": current,
        "changes": changes_since(study, scenarios) if current else (),
        "assumptions": assumptions_of(comparison),
        "class_metrics": BY_CLASS,
    }
    if not request.htmx:
        return render(request, "planning/compare.html", context)
    return _filling_in(request, context)


def _filling_in(request: WorkspaceRequest, context: dict[str, object]) -> HttpResponse:
    """What a page that is filling in asks for: only the bar while nothing new has arrived (``?seen=`` is how
    many runs it shows), the comparison when something has, and the whole page at the end."""
    progress: StudyProgress = context["progress"]
    if progress.is_finished:
        return HttpResponse(headers={"HX-Refresh": "true"})
    if request.GET.get("seen") == str(progress.succeeded):
        return render(request, "planning/parts/compare_progress.html", context)
    response = render(request, "planning/parts/comparison.html", context)
    response["HX-Retarget"], response["HX-Reswap"] = "#comparison", "innerHTML"
    return response


@workspace_view(Role.VIEWER)
def compare_csv(request: WorkspaceRequest, pk: int) -> StreamingHttpResponse:
    """Both tables of the page, all rows."""
    comparison = _comparison(request, pk)
    return _csv(csv_text(table_rows(comparison)), f"study-{pk}-comparison.csv")


@workspace_view(Role.VIEWER)
def compare_json(request: WorkspaceRequest, pk: int) -> JsonResponse:
    """The page as data."""
    return JsonResponse(comparison_json(_comparison(request, pk)))


@workspace_view(Role.VIEWER)
def compare_figures(request: WorkspaceRequest, pk: int) -> JsonResponse:
    """The page's figures, by name."""
    return JsonResponse(figures_of(_comparison(request, pk)))


@workspace_view(Role.VIEWER)
def compare_figure_csv(request: WorkspaceRequest, pk: int, figure: str) -> StreamingHttpResponse:
    """One figure's points."""
    figures = figures_of(_comparison(request, pk))
    if figure not in figures:
        raise Http404("No such figure.")
    return _csv(csv_text(figure_rows(figures[figure])), f"study-{pk}-{figure}.csv")


@workspace_view(Role.VIEWER)
def outcomes_csv(request: WorkspaceRequest, pk: int, run_pk: int) -> StreamingHttpResponse:
    """Every job of one run: when it started and ended, where, and how."""
    study = study_or_404(request, pk)
    runs = Run.objects.filter(scenario__study=study).select_related("outcome")
    run = get_object_or_404(runs, pk=run_pk, outcome__isnull=False)
    return _csv(_outcome_lines(run.outcome.jobs_file), f"study-{pk}-run-{run_pk}-jobs.csv")


def _comparison(request: WorkspaceRequest, pk: int) -> Comparison:
    study = study_or_404(request, pk)
    query = CompareQuery.from_query(request.GET)
    if query.round is not None and not 1 <= query.round <= study.round:
        raise Http404("No such round of this study.")
    return comparison_of(study, scenarios_of(study, query.round), query)


def _csv(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _outcome_lines(stored: str) -> Iterator[str]:
    """The Parquet file as CSV, a slice of rows at a time; text cells cannot become formulas."""
    with default_storage.open(stored) as file:
        table = pl.read_parquet(file.read())
    for first in range(0, max(len(table), 1), ROWS_A_SLICE):
        part = safe_frame(table.slice(first, ROWS_A_SLICE))
        yield part.write_csv(include_header=first == 0, float_precision=3)
