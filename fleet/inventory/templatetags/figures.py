"""Figures as people read them: thousands set apart, no trailing zeros, “—” where there is none."""

from __future__ import annotations

from django import template

register = template.Library()

MISSING = "—"


@register.filter
def figure(value: float | str | None) -> str:
    """12345.5 as "12,345.5", at most two decimals from 100 on, four below; text as it is."""
    if value is None or value == "":
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.{2 if abs(value) >= 100 else 4}f}".rstrip("0").rstrip(".")


@register.filter
def figure_or_unlimited(value: float | None) -> str:
    """A count of which zero means that none was given."""
    return figure(value) if value else MISSING
