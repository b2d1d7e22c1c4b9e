"""Who may call the API: asked of every operation that it describes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.test import Client

from fleet.api.api import api
from fleet.api.models import ApiToken, Scope
from fleet.api.services import token_create, token_revoke

WRITES = {"post", "put", "patch", "delete"}


@dataclass(frozen=True)
class Operation:
    """One line of the API's description."""

    method: str
    path: str
    responses: frozenset[str]
    body: bool

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def url(self, slug: str) -> str:
        url = self.path.replace("{slug}", slug)
        for name in ("workload_id", "cluster_id", "policy_id", "study_id", "outcome_id"):
            url = url.replace(f"{{{name}}}", "1")
        return url


OPERATIONS = [
    Operation(method, path, frozenset(str(code) for code in told["responses"]), "requestBody" in told)
    for path, methods in api.get_openapi_schema()["paths"].items()
    for method, told in methods.items()
]
every_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=str)


def call(client: Client, operation: Operation, slug: str, **extra):
    return client.generic(
        operation.method.upper(), operation.url(slug), "{}", content_type="application/json", **extra
    )


def bearer(secret: str) -> dict[str, dict[str, str]]:
    return {"headers": {"Authorization": f"Bearer {secret}"}}


@pytest.fixture
def token(workspace, planner):
    def make(scope: Scope = Scope.READ, user=None, **life: float):
        return token_create(workspace, user or planner, "t", scope, timedelta(**(life or {"days": 1})))

    return make


def test_there_are_operations():
    assert len(OPERATIONS) >= 14


@every_operation
def test_every_operation_is_in_a_workspace_and_declares_its_errors(operation):
    assert operation.path.startswith("/api/v1/w/{slug}/")
    assert {"401", "403", "404", "422"} <= operation.responses


@every_operation
def test_nobody_gets_in_without_signing_in(operation, client, workspace):
    assert call(client, operation, workspace.slug).status_code == 401


@every_operation
def test_a_stranger_finds_nothing(operation, stranger_client, workspace):
    answer = call(stranger_client, operation, workspace.slug)
    assert answer.status_code == 404 or (operation.body and answer.status_code == 422)
    assert workspace.name not in answer.content.decode()


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o.method in WRITES], ids=str)
def test_a_viewer_writes_nothing(operation, viewer_client, workspace):
    answer = call(viewer_client, operation, workspace.slug)
    assert answer.status_code == 403 or (operation.body and answer.status_code == 422)


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o.method in WRITES], ids=str)
def test_a_session_needs_the_csrf_token(operation, planner, workspace):
    client = Client(enforce_csrf_checks=True)
    client.force_login(planner)
    assert call(client, operation, workspace.slug).status_code == 403


def test_a_token_reads_in_its_workspace_only(client, workspace, other_workspace, token):
    secret = token().secret
    url = "/api/v1/w/{}/workloads"
    assert client.get(url.format(workspace.slug), **bearer(secret)).status_code == 200
    assert client.get(url.format(other_workspace.slug), **bearer(secret)).status_code == 404


def test_a_token_that_may_read_writes_nothing(client, workspace, token):
    answer = client.delete(f"/api/v1/w/{workspace.slug}/workloads/1", **bearer(token().secret))
    assert answer.status_code == 403
    assert answer.json()["detail"] == "This token may only read."


def test_a_token_never_does_more_than_its_owner(client, workspace, viewer, token):
    secret = token(Scope.WRITE, viewer).secret
    assert client.delete(f"/api/v1/w/{workspace.slug}/workloads/1", **bearer(secret)).status_code == 403


def test_expired_and_revoked_tokens_are_worth_nothing(client, workspace, planner, token):
    url = f"/api/v1/w/{workspace.slug}/workloads"
    old, gone = token(days=-1), token()
    token_revoke(gone.token, planner)
    for made in (old, gone):
        assert client.get(url, **bearer(made.secret)).status_code == 401
    assert client.get(url, **bearer("ft_wrong")).status_code == 401


def test_a_token_is_kept_as_a_hash_and_its_use_is_noted(client, workspace, token):
    made = token()
    assert made.secret not in str(ApiToken.unscoped.values().get())
    client.get(f"/api/v1/w/{workspace.slug}/workloads", **bearer(made.secret))
    assert ApiToken.unscoped.get().last_used_at is not None


def test_the_page_shows_a_secret_once(planner_client, workspace_url):
    url = workspace_url("api:token_list")
    page = planner_client.post(url, {"name": "nightly", "scope": "read", "days": "30"}).content.decode()
    secret = page.split("<code>ft_")[1].split("</code>")[0]
    assert len(secret) > 30
    assert secret not in planner_client.get(url).content.decode()


def test_a_member_revokes_only_own_tokens(admin_client, workspace_url, token):
    made = token()
    answer = admin_client.post(workspace_url("api:token_revoke", token_id=made.token.pk))
    assert answer.status_code == 404
