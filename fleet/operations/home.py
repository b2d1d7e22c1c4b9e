"""The address without a path: to the first workspace of whoever is signed in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from fleet.accounts.models import Membership


@login_required
def home(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the overview of the user's first workspace."""
    membership = (
        Membership.objects.filter(user=request.user).select_related("workspace").order_by("workspace__name")
    ).first()
    if membership is None:
        raise Http404("You are in no workspace yet: ask an admin of one to add you.")
    return redirect(f"/w/{membership.workspace.slug}/")
