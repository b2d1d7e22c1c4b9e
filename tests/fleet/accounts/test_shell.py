"""The frame around every page: navigation, workspace switcher, sign-in pages, error pages."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from fleet.accounts.models import Membership, Role


def test_the_header_lists_the_persons_workspaces(planner_client, planner, workspace_url, other_workspace):
    page = planner_client.get(workspace_url("accounts:member_list")).content.decode()
    assert "Elsewhere" not in page
    Membership.objects.create(workspace=other_workspace, user=planner, role=Role.VIEWER)
    page = planner_client.get(workspace_url("accounts:member_list")).content.decode()
    assert "Elsewhere" in page


def test_the_open_section_is_marked(viewer_client, workspace_url):
    page = viewer_client.get(workspace_url("accounts:member_list")).content.decode()
    assert 'data-key="e" aria-current="page"' in page


def test_nobody_signs_up_alone(client, db):
    page = client.get("/accounts/signup/").content.decode()
    assert "Accounts are made by an administrator" in page


@pytest.mark.parametrize("path", ["login", "signup", "password/reset", "password/reset/done"])
def test_the_account_pages_wear_the_products_shell(client, db, path):
    assert "site-header" in client.get(f"/accounts/{path}/").content.decode()


def test_a_forgotten_password_is_reset_by_mail_only_where_mail_is_sent(client, viewer, settings, mailoutbox):
    settings.EMAIL_HOST = ""
    assert "This installation sends no mail." in client.get("/accounts/password/reset/").content.decode()
    settings.EMAIL_HOST = "mail.example.org"
    assert "Send the link" in client.get("/accounts/password/reset/").content.decode()
    client.post("/accounts/password/reset/", {"email": "viewer@example.org"})
    assert [mail.to for mail in mailoutbox] == [["viewer@example.org"]]


def test_a_form_without_its_token_is_told_to_be_sent_again(workspace, admin):
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin)
    response = client.post("/w/acme/settings/members/", {"person": "x", "role": 1})
    assert response.status_code == 403
    assert "This form has expired" in response.content.decode()


def test_a_person_signs_in_with_the_form(client, workspace, viewer):
    data = {"login": "viewer", "password": "correct horse battery staple"}
    response = client.post("/accounts/login/?next=/w/acme/settings/members/", data)
    assert response.url == "/w/acme/settings/members/"


def test_a_wrong_password_is_told_in_the_form(client, viewer):
    page = client.post("/accounts/login/", {"login": "viewer", "password": "wrong"}).content.decode()
    assert "notice error" in page


def test_a_missing_page_is_explained(viewer_client, workspace):
    response = viewer_client.get("/w/acme/nothing/")
    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


def test_a_refusal_names_the_role_and_who_can_help(viewer_client, workspace_url):
    response = viewer_client.post(workspace_url("accounts:member_list"))
    assert response.status_code == 403
    page = response.content.decode()
    assert "You are a viewer here." in page
    assert "Acme Compute" in page


def test_a_crash_is_answered_with_a_plain_page(client, viewer_client, workspace_url, monkeypatch):
    def crash(workspace):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("fleet.accounts.selectors.members_of", crash)
    viewer_client.raise_request_exception = False
    response = viewer_client.get(workspace_url("accounts:member_list"))
    assert response.status_code == 500
    assert "Something broke on our side" in response.content.decode()


def test_the_bare_address_leads_to_the_first_workspace(planner_client, planner, other_workspace):
    assert planner_client.get("/").url == "/w/acme/"


def test_someone_in_no_workspace_is_told_whom_to_ask(client, db):
    client.force_login(User.objects.create_user("newcomer"))
    page = client.get("/").content.decode()
    assert "You are in no workspace yet" in page
    assert "<strong>newcomer</strong>" in page
