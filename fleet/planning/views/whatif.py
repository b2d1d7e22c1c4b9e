"""The what-if slider's answers, and keeping one as a candidate cluster and a scenario."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.inventory.services import cluster_derive
from fleet.planning import services
from fleet.planning.comparison import CompareQuery
from fleet.planning.comparison.against import what_if_page
from fleet.planning.models import Scenario, Study
from fleet.planning.selectors.staleness import changes_since
from fleet.planning.whatif import Superseded, Timing, TooSlow, with_nodes
from fleet.planning.whatif import what_if as ask
from fleet.whole_numbers import whole_number
from twin.problems import InvalidInput


@workspace_view(Role.VIEWER)
def what_if(request: WorkspaceRequest) -> HttpResponse:
    """``?scenario=&pool=&nodes=&tab=&sequence=``, and the page's size and group. Writes nothing.

    409: a newer question of the tab is being answered. 422: a value is out of range. 503: too slow.
    """
    scenario = _scenario(request, request.GET.get("scenario", ""))
    study, timing = scenario.study, Timing()
    if study.workload is None or study.workload.sha256 != scenario.workload_snapshot["content"]:
        return _problem("The workload has changed or is gone; run the study again.", 422)
    runs = list(scenario.runs.select_related("outcome"))
    try:
        cluster = with_nodes(
            scenario.cluster_snapshot, request.GET.get("pool", ""), _number(request.GET.get("nodes", ""))
        )
        answer = ask(
            scenario,
            study.workload,
            cluster,
            horizon_ms=runs[0].spec["horizon_ms"] if runs else study.horizon_ms,
            seed=runs[0].seed if runs else 0,
            key=(request.workspace.pk, request.user.pk, request.GET.get("tab", "")[:40]),
            sequence=_number(request.GET.get("sequence", "0")),
            timing=timing,
        )
    except InvalidInput as error:
        return _problem(str(error), 422)
    except Superseded:
        return JsonResponse({"superseded": True}, status=409)
    except TooSlow:
        return _problem("This replay is too slow for a slider; keep it as a scenario to run it.", 503)
    with timing.part("page"):
        body = what_if_page(study, scenario, runs, answer, CompareQuery.from_query(request.GET))
    body["timing_ms"] = {name: round(spent, 1) for name, spent in timing.parts_ms.items()}
    response = JsonResponse(body)
    response["Server-Timing"] = timing.header()
    return response


@require_POST
@workspace_view(Role.PLANNER)
def what_if_keep(request: WorkspaceRequest) -> HttpResponse:
    """Make a candidate cluster of what was tried, and a scenario of the study with it."""
    scenario = _scenario(request, request.POST.get("scenario", ""))
    study = scenario.study
    back = redirect("planning:compare", request.workspace.slug, study.pk)
    if scenario.cluster is None or scenario.policy is None or scenario.round != study.round:
        messages.error(request, "This scenario's cluster or policy was deleted, or the study was run again.")
        return back
    if changes_since(study, [scenario]):
        messages.error(request, "The cluster or policy was edited since this ran; run the study again first.")
        return back
    pool, nodes = request.POST.get("pool", ""), _number(request.POST.get("nodes", ""))
    try:
        with_nodes(scenario.cluster_snapshot, pool, nodes)
        with transaction.atomic():
            name = f"{scenario.cluster.name}, {pool} {nodes} nodes"
            cluster = cluster_derive(scenario.cluster, request.user, name=name[:100], nodes={pool: nodes})
            kept = services.scenario_add(study, request.user, cluster, scenario.policy)
    except (InvalidInput, ValidationError) as error:
        messages.error(request, "; ".join(getattr(error, "messages", [str(error)])))
        return back
    messages.success(request, f"Kept as the candidate “{cluster.name}”; its scenario is being run.")
    url = reverse("planning:compare", args=[request.workspace.slug, study.pk])
    shown = ",".join(str(position) for position in sorted({0, scenario.position, kept.position}))
    return redirect(f"{url}?show={shown}&baseline={scenario.position}")


def _scenario(request: WorkspaceRequest, pk: str) -> Scenario:
    studies = Study.objects.in_workspace(request.workspace)
    scenarios = Scenario.objects.filter(study__in=studies.values("pk"))
    number = whole_number(pk)
    if number is None:
        raise Http404("No such scenario.")
    related = ("study__workspace", "study__workload", "cluster__workspace", "policy")
    return get_object_or_404(scenarios.select_related(*related), pk=number)


def _number(text: str) -> int:
    number = whole_number(text)
    return -1 if number is None else number


def _problem(reason: str, status: int) -> JsonResponse:
    return JsonResponse({"problem": reason}, status=status)
