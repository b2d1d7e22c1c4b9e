"""A member's API tokens: list, make (the secret is shown once), revoke."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from fleet.accounts.access import WorkspaceRequest, workspace_view
from fleet.accounts.models import Role
from fleet.api.forms import TokenForm
from fleet.api.models import ApiToken, Scope
from fleet.api.services import NewToken, token_create, token_revoke


@workspace_view(Role.VIEWER)
def token_list(request: WorkspaceRequest) -> HttpResponse:
    """The member's own tokens in this workspace; POST makes one."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    made: NewToken | None = None
    if form.is_bound and form.is_valid():
        scope = Scope(form.cleaned_data["scope"])
        made = token_create(request.workspace, request.user, form.cleaned_data["name"], scope, form.valid_for)
        form = TokenForm()
    context = {
        "section": "settings",
        "form": form,
        "made": made,
        "tokens": ApiToken.objects.in_workspace(request.workspace).filter(user=request.user),
        "now": timezone.now(),
    }
    response = render(request, "api/tokens.html", context, status=422 if form.is_bound else 200)
    response["Cache-Control"] = "no-store"
    return response


@workspace_view(Role.VIEWER)
@require_POST
def token_revoke_view(request: WorkspaceRequest, token_id: int) -> HttpResponse:
    own = ApiToken.objects.in_workspace(request.workspace).filter(user=request.user)
    token = own.select_related("workspace").filter(pk=token_id).first()
    if token is None:
        raise Http404("No such token.")
    token_revoke(token, request.user)
    messages.success(request, f"The token “{token}” was revoked.")
    return redirect("api:token_list", request.workspace.slug)
