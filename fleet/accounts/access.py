"""Who may open a page: one decorator resolves the workspace of every URL under /w/<slug>/."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase

from fleet.accounts.models import Membership, Role, Workspace


class WorkspaceRequest(HttpRequest):
    """A request after ``workspace_view`` let it in."""

    user: User
    workspace: Workspace
    role: Role
    may_plan: bool


View = Callable[..., HttpResponseBase]


def membership_of(user: User, slug: str) -> Membership:
    """The user's membership, or 404 for a stranger: another workspace's name is not confirmed."""
    found = Membership.objects.select_related("workspace").filter(user=user, workspace__slug=slug).first()
    if found is None:
        raise Http404("No such workspace.")
    return found


def workspace_view(needed: Role = Role.VIEWER, *, write: Role = Role.PLANNER) -> Callable[[View], View]:
    """Let members in: reading (GET, HEAD) asks for ``needed``, anything else for ``write``.

    The view receives ``request.workspace``, ``request.role`` and ``request.may_plan``, and not the slug.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(
            request: WorkspaceRequest, slug: str, *args: object, **kwargs: object
        ) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            membership = membership_of(request.user, slug)
            request.workspace = membership.workspace
            request.role = Role(membership.role)
            request.may_plan = request.role >= Role.PLANNER
            reading = request.method in ("GET", "HEAD", "OPTIONS")
            if request.role < (needed if reading else max(needed, write)):
                raise PermissionDenied("Your role in this workspace does not allow this.")
            return view(request, *args, **kwargs)

        guarded.workspace_roles = (needed, max(needed, write))  # type: ignore[attr-defined]
        return guarded

    return decorate
