"""Making a token."""

from __future__ import annotations

from datetime import timedelta

from django import forms

from fleet.api.models import Scope

DAYS = ((7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "1 year"))


class TokenForm(forms.Form):
    """Name, scope and life of a new token."""

    name = forms.CharField(max_length=80, help_text="What will use it, such as “nightly upload”.")
    scope = forms.ChoiceField(choices=Scope.choices, label="May")
    days = forms.TypedChoiceField(choices=DAYS, coerce=int, initial=90, label="Valid for")

    @property
    def valid_for(self) -> timedelta:
        """The life that was chosen."""
        return timedelta(days=self.cleaned_data["days"])
