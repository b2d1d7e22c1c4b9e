"""On a single machine, ``make up`` opens without a sign-in form: the demo user is signed in.

Only when this process was started by ``manage.py up`` (it alone knows the launch's token), the peer is
on the loopback interface, the Host is a local name and nothing shows that a proxy passed the request
on. Otherwise the sign-in form of django-allauth answers.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.http import HttpRequest, HttpResponseBase

DEMO_USER = "demo"
LOOPBACK_PEERS = {"127.0.0.1", "::1"}
LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]"}
PROXY_HEADERS = ("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP")
SIGN_IN_PAGES = ("/accounts/", "/admin/login", "/static/", "/healthz", "/readyz")


def comes_from_this_machine(request: HttpRequest) -> bool:
    """Whether a person's own browser on this machine sent the request, as far as it shows."""
    meta = request.META
    if any(name in meta for name in PROXY_HEADERS) or any(n.startswith("HTTP_X_FORWARDED") for n in meta):
        return False
    if meta.get("SERVER_PROTOCOL") == "HTTP/1.0":  # a reverse proxy's default; browsers speak 1.1
        return False
    host = meta.get("HTTP_HOST", "")
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return meta.get("REMOTE_ADDR") in LOOPBACK_PEERS and name.lower() in LOCAL_HOSTS


class LoopbackSignInMiddleware:
    """Signs the demo user in on a first visit to ``manage.py up`` from this machine."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if (
            settings.LAUNCHED_BY_UP
            and request.method == "GET"  # a form sent by another site never signs anybody in
            and not request.path.startswith(SIGN_IN_PAGES)
            and not request.user.is_authenticated
            and comes_from_this_machine(request)
        ):
            user = get_user_model().objects.filter(username=DEMO_USER, is_active=True).first()
            if user is not None:
                login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        return self.get_response(request)
