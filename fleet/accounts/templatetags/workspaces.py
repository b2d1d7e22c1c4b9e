"""What the header needs to know about the signed-in person."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from fleet.accounts.models import Membership
from fleet.accounts.selectors import memberships_of

register = template.Library()


@register.simple_tag
def my_memberships(user: User | AnonymousUser) -> QuerySet[Membership]:
    """The person's workspaces with their roles, by name."""
    return memberships_of(user)


@register.simple_tag
def mail_is_sent() -> bool:
    """Whether this installation has a mail server."""
    return bool(settings.EMAIL_HOST)
