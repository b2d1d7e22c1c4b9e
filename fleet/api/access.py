"""Who calls: a signed-in person (session, with CSRF) or a program with a token; and into which workspace."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from ninja.errors import HttpError
from ninja.security import HttpBearer, SessionAuth

from fleet.accounts.access import membership_of
from fleet.accounts.models import Role, Workspace
from fleet.api.models import ApiToken, Scope
from fleet.api.services import token_use


class TokenAuth(HttpBearer):
    """``Authorization: Bearer ft_…``"""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:  # noqa: ARG002
        return token_use(token)


CALLERS = [TokenAuth(), SessionAuth(csrf=True)]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, in which workspace, with which role."""

    user: User
    workspace: Workspace
    role: Role


def enter(request: HttpRequest, slug: str, needed: Role = Role.VIEWER) -> Caller:
    """Let the caller into a workspace: 404 for a stranger, 403 for too low a role or scope."""
    auth = request.auth  # type: ignore[attr-defined]
    token = auth if isinstance(auth, ApiToken) else None
    user = token.user if token else request.user
    if token and token.workspace.slug != slug:
        raise Http404("No such workspace.")
    membership = membership_of(user, slug)
    role = Role(membership.role)
    if role < needed:
        raise HttpError(403, f"This needs the role {needed.label}; yours is {role.label}.")
    if token and needed > Role.VIEWER and token.scope != Scope.WRITE:
        raise HttpError(403, "This token may only read.")
    return Caller(user, membership.workspace, role)
