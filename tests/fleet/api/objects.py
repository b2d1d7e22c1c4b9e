"""How to make what the addresses of fleet.api name (tests/fleet/url_table.py)."""

from datetime import timedelta

from django.contrib.auth.models import User

from fleet.api.models import Scope
from fleet.api.services import token_create
from tests.fleet.url_table import object_named


@object_named("token_id")
def token(workspace, made):
    user = User.objects.filter(memberships__workspace=workspace).first() or User.objects.create_user("owner")
    return token_create(workspace, user, "nightly", Scope.READ, timedelta(days=1)).token.pk
