"""Making, using and revoking API tokens."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from fleet.accounts.models import Workspace
from fleet.accounts.services import record
from fleet.api.models import ApiToken, Scope

PREFIX = "ft_"
SHOWN_LETTERS = 8
USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token just made, with its secret: the only time that anybody sees it."""

    token: ApiToken
    secret: str


def _sha256(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def token_create(workspace: Workspace, user: User, name: str, scope: Scope, valid_for: timedelta) -> NewToken:
    """Make a token for this member."""
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.unscoped.create(
        workspace=workspace,
        user=user,
        name=name,
        start=secret[:SHOWN_LETTERS],
        sha256=_sha256(secret),
        scope=scope,
        expires_at=timezone.now() + valid_for,
    )
    record(workspace, user, "made", token, None, {"scope": scope, "expires": token.expires_at})
    return NewToken(token, secret)


@transaction.atomic
def token_revoke(token: ApiToken, user: User) -> None:
    """Make a token useless, for good."""
    changed = ApiToken.unscoped.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    if changed:
        record(token.workspace, user, "revoked", token)


def token_use(secret: str) -> ApiToken | None:
    """The token of this secret if it is valid now; its use is noted once a minute."""
    now = timezone.now()
    valid = ApiToken.unscoped.filter(
        sha256=_sha256(secret), revoked_at=None, expires_at__gt=now, user__is_active=True
    )
    token = valid.select_related("user", "workspace").first()
    if token is not None:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_NOTED_EVERY)
        ApiToken.unscoped.filter(stale, pk=token.pk).update(last_used_at=now)
    return token
