"""The address without a path: to the first workspace of whoever is signed in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render

from fleet.accounts.selectors import memberships_of


@login_required
def home(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the overview of the user's first workspace; without one, say whom to ask."""
    membership = memberships_of(request.user).first()
    if membership is None:
        return render(request, "accounts/no_workspace.html")
    return redirect(f"/w/{membership.workspace.slug}/")
