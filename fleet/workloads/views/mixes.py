"""Mixes: list, new, one mix with what a seed makes of it, edit as a form or as YAML, use."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.whole_numbers import whole_number
from fleet.workloads.mix_forms import MixForm, YamlForm
from fleet.workloads.mix_spec import mix_of_spec
from fleet.workloads.selectors import cluster_choice, mix_of, mixes_of, ready_workloads, workload_of
from fleet.workloads.services.mixes import mix_create, mix_delete, mix_fit, mix_update, mix_use
from fleet.workloads.views.mix_preview import mix_preview
from twin.problems import InvalidInput
from twin.workload import WorkloadMix as Mix
from twin.workload import demo_mix, dump_mix, load_mix

MAX_SEED = 2**31 - 1


@workspace_view(Role.VIEWER)
@require_GET
def mix_list(request: WorkspaceRequest) -> HttpResponse:
    context = {
        "section": "workloads",
        "mixes": mixes_of(request.workspace),
        "traces": ready_workloads(request.workspace).filter(kind="trace"),
    }
    return render(request, "workloads/mix_list.html", context)


@workspace_view(Role.PLANNER)
def mix_new(request: WorkspaceRequest) -> HttpResponse:
    """New from the preset, from a trace, or from YAML."""
    if request.method != "POST":
        form = YamlForm(initial={"text": dump_mix(demo_mix())})
        return render(request, "workloads/mix_new.html", _new_context(request, form))
    form = YamlForm(request.POST if "text" in request.POST else None)
    try:
        if request.POST.get("preset"):
            made = mix_create(request.workspace, request.user, demo_mix(), origin="preset: demo month")
        elif request.POST.get("workload"):
            trace = workload_of(request.workspace, whole_number(request.POST["workload"]) or 0)
            made = mix_fit(trace, request.user)
        else:
            mix = load_mix(request.POST.get("text", ""), "mix.yaml")
            made = mix_create(request.workspace, request.user, mix, origin="entered as YAML")
    except InvalidInput as error:
        _tell(request, form, error)
        return render(request, "workloads/mix_new.html", _new_context(request, form), status=422)
    return redirect(made)


def _tell(request: WorkspaceRequest, form: YamlForm, error: InvalidInput) -> None:
    """Tell the problems at the YAML; those of another way to make a mix over the page."""
    if not form.is_bound:
        messages.error(request, str(error))
        return
    form.is_valid()
    for problem in error.problems:
        form.add_error("text", str(problem))


def _new_context(request: WorkspaceRequest, form: YamlForm) -> dict[str, Any]:
    traces = ready_workloads(request.workspace).filter(kind="trace")
    return {"section": "workloads", "form": form, "traces": traces}


@workspace_view(Role.VIEWER)
@require_GET
def mix_detail(request: WorkspaceRequest, mix_id: int) -> HttpResponse:
    """The mix, and what the seed in the address makes of it."""
    row = mix_of(request.workspace, mix_id)
    seed = min(whole_number(request.GET.get("seed", "")) or 0, MAX_SEED)
    choice = cluster_choice(request.workspace, request.GET.get("cluster", ""))
    context = {
        "section": "workloads",
        "mix": row,
        "workloads": row.workloads.filter(workspace=request.workspace).select_related("workspace"),
        "seed": seed,
        "choice": choice,
        **mix_preview(mix_of_spec(row.spec), row.spec, seed, choice),
    }
    return render(request, "workloads/mix_detail.html", context)


@workspace_view(Role.VIEWER)
@require_GET
def mix_export(request: WorkspaceRequest, mix_id: int) -> HttpResponse:
    row = mix_of(request.workspace, mix_id)
    response = HttpResponse(dump_mix(mix_of_spec(row.spec)), content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="mix-{row.pk}.yaml"'
    return response


@workspace_view(Role.PLANNER)
def mix_edit(request: WorkspaceRequest, mix_id: int) -> HttpResponse:
    """Edit as a table of classes, or with ``?as=yaml`` as YAML."""
    row = mix_of(request.workspace, mix_id)
    as_yaml = request.GET.get("as") == "yaml"
    data = request.POST if request.method == "POST" else None
    if as_yaml:
        form: Any = YamlForm(data, initial={"text": dump_mix(mix_of_spec(row.spec))})
        mix = _mix_of_text(form) if data is not None else None
    else:
        form = MixForm.of(row.spec, data)
        mix = form.mix() if data is not None else None
    if mix is not None:
        try:
            mix_update(row, request.user, mix)
        except InvalidInput as error:
            target = form if as_yaml else form.frame
            target.add_error("text" if as_yaml else "name", str(error))
        else:
            messages.success(request, f"{row} was saved.")
            return redirect(row)
    context = {"section": "workloads", "mix": row, "form": form, "as_yaml": as_yaml}
    return render(request, "workloads/mix_edit.html", context, status=422 if data is not None else 200)


def _mix_of_text(form: YamlForm) -> Mix | None:
    if not form.is_valid():
        return None
    try:
        return load_mix(form.cleaned_data["text"], "mix.yaml")
    except InvalidInput as error:
        for problem in error.problems:
            form.add_error("text", str(problem))
        return None


@workspace_view(Role.PLANNER)
@require_POST
def mix_use_view(request: WorkspaceRequest, mix_id: int) -> HttpResponse:
    """Make a workload of the mix as it is now."""
    row = mix_of(request.workspace, mix_id)
    try:
        workload = mix_use(row, request.user)
    except InvalidInput as error:
        messages.error(request, str(error))
        return redirect(row)
    return redirect(workload)


@workspace_view(Role.PLANNER)
@require_POST
def mix_delete_view(request: WorkspaceRequest, mix_id: int) -> HttpResponse:
    row = mix_of(request.workspace, mix_id)
    mix_delete(row, request.user)
    messages.success(request, f"{row} was deleted; workloads made from it stay.")
    return redirect("workloads:mix_list", request.workspace.slug)
