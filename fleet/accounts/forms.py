"""Forms of the settings pages."""

from __future__ import annotations

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from fleet.accounts.models import Role
from fleet.accounts.services import user_found

ROLES_TOLD = "A viewer reads, a planner also writes and runs studies, an admin also manages members."


class MemberForm(forms.Form):
    """Add somebody who has an account. ``cleaned_data["person"]`` is the ``User``."""

    person = forms.CharField(
        label="User name or e-mail address",
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    role = forms.TypedChoiceField(
        coerce=lambda value: Role(int(value)),
        choices=Role.choices,
        initial=Role.VIEWER,
        help_text=ROLES_TOLD,
    )

    def clean_person(self) -> User:
        return user_found(self.cleaned_data["person"])


class RoleForm(forms.Form):
    role = forms.TypedChoiceField(coerce=lambda value: Role(int(value)), choices=Role.choices)


def add_service_error(form: forms.Form, error: ValidationError) -> None:
    """Show what a service refused as a problem of the whole form."""
    for message in error.messages:
        form.add_error(None, message)
