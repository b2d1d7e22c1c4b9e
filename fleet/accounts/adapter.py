"""How the account library behaves here."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):
    """Nobody signs up alone: an administrator makes accounts, a workspace's admin adds members."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002 - the library calls it so
        return False
