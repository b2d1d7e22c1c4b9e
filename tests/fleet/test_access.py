"""Who gets in, asked of every page in the URL table: a page that is added is tested, or fails by name."""

import pytest
from django.conf import settings

from fleet.accounts.access import workspace_view
from tests.fleet.url_table import Page, workspace_pages

PAGES = workspace_pages()
NEEDS_MORE = {  # answer 404 until there is what they show
    "planning:what_if",  # a scenario, in the query
    "planning:outcomes_csv",  # a run that has succeeded
    "planning:compare_figures",  # the same
    "planning:compare_figure_csv",  # the same
    "reports:report_page",  # a report that is ready
    "workloads:workload_refused",  # a trace with refused rows
}
every_page = pytest.mark.parametrize("entry", PAGES, ids=str)


def test_there_are_pages():
    assert len(PAGES) >= 5


@every_page
def test_every_page_has_a_name_and_the_access_decorator(entry: Page):
    assert not entry.name.endswith("None"), "give the URL a name"
    assert hasattr(entry.view, "workspace_roles"), f"decorate the view with @{workspace_view.__name__}"


def opened(client, url: str):
    """The answer to opening the address; to sending it where it can only be sent."""
    response = client.get(url)
    return client.post(url) if response.status_code == 405 else response


@every_page
def test_someone_not_signed_in_is_sent_to_the_login(entry: Page, client, workspace):
    response = opened(client, entry.url(workspace.slug, workspace))
    assert response.status_code == 302
    assert response.url.startswith((settings.LOGIN_URL, "/accounts/login/"))
    assert "next=" in response.url


@every_page
def test_a_stranger_finds_nothing(entry: Page, stranger_client, workspace):
    url = entry.url(workspace.slug, workspace)
    assert opened(stranger_client, url).status_code == 404
    assert stranger_client.post(url).status_code in (404, 405)


@every_page
def test_a_viewer_writes_nothing(entry: Page, viewer_client, workspace):
    assert viewer_client.post(entry.url(workspace.slug, workspace)).status_code in (403, 405)


@pytest.mark.parametrize("entry", [entry for entry in PAGES if entry.kwargs], ids=str)
def test_another_workspaces_object_is_not_found(entry: Page, admin_client, workspace, other_workspace):
    url = entry.url(workspace.slug, other_workspace)
    if not entry.names_an_object:
        pytest.skip("the address names no object")
    assert opened(admin_client, url).status_code == 404


@every_page
def test_an_admin_opens_it(entry: Page, admin_client, workspace):
    response = admin_client.get(entry.url(workspace.slug, workspace))
    assert response.status_code < 500
    assert response.status_code != 403
    assert response.status_code != 404 or entry.name in NEEDS_MORE
