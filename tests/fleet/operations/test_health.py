"""What a load balancer and a person learn from /healthz, /readyz and the bare address."""

import json


def test_healthz_answers_without_a_database(client):
    assert client.get("/healthz").json() == {"status": "ok"}


def test_readyz_names_the_part_that_does_not_answer(client, db, settings, monkeypatch):
    monkeypatch.setattr("fleet.operations.health.app.conf.broker_write_url", "redis://127.0.0.1:1/0")
    answer = client.get("/readyz")
    checks = json.loads(answer.content)
    assert answer.status_code == 503
    assert checks["database"] == "ok"
    assert checks["broker"].startswith("does not answer")


def test_every_answer_carries_the_request_id_of_its_log_lines(client):
    assert len(client.get("/healthz").headers["X-Request-ID"]) == 12


def test_the_bare_address_leads_to_the_members_workspace(planner_client):
    assert planner_client.get("/").headers["Location"] == "/w/acme/"


def test_the_bare_address_asks_a_visitor_to_sign_in(client):
    assert client.get("/").headers["Location"].startswith("/accounts/login/")
