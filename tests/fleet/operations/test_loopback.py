"""Who is signed in without a form, and who is not."""

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def demo_user(db, settings) -> User:
    settings.LAUNCHED_BY_UP = True
    return User.objects.create_user("demo")


def signed_in_after(path="/", **request) -> bool:
    """Whether one GET from this machine leaves a session that knows its user."""
    client = Client()
    client.get(path, **{"HTTP_HOST": "127.0.0.1:8000", "REMOTE_ADDR": "127.0.0.1", **request})
    return "_auth_user_id" in client.session


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "localhost", "[::1]:8000", "[::1]"])
def test_a_browser_on_this_machine_is_signed_in(demo_user, host):
    assert signed_in_after(HTTP_HOST=host)


@pytest.mark.parametrize(
    "request_says",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"HTTP_HOST": "twin.example.org", "REMOTE_ADDR": "127.0.0.1"},
        {"HTTP_HOST": "127.0.0.1.example.org"},
        {"HTTP_X_FORWARDED_FOR": "192.0.2.7"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"HTTP_FORWARDED": "for=192.0.2.7"},
        {"HTTP_VIA": "1.1 proxy"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"SERVER_PROTOCOL": "HTTP/1.0"},
    ],
)
def test_anything_that_came_through_a_proxy_or_another_name_is_not(demo_user, settings, request_says):
    settings.ALLOWED_HOSTS = ["*"]
    assert not signed_in_after(**request_says)


def test_without_manage_py_up_nobody_is_signed_in(demo_user, settings):
    settings.LAUNCHED_BY_UP = False
    assert not signed_in_after()


def test_a_form_sent_from_elsewhere_signs_nobody_in(demo_user):
    client = Client(enforce_csrf_checks=True)
    client.post("/", HTTP_HOST="127.0.0.1:8000", REMOTE_ADDR="127.0.0.1")
    assert "_auth_user_id" not in client.session


def test_the_sign_in_form_stays_reachable_for_another_user(demo_user):
    assert not signed_in_after("/accounts/login/")


def test_a_disabled_demo_user_is_not_signed_in(demo_user):
    demo_user.is_active = False
    demo_user.save()
    assert not signed_in_after()
