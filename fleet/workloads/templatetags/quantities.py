"""Quantities as people read them; a missing value is "—"."""

from __future__ import annotations

from django import template

from fleet.workloads.services.uploads import size_text

register = template.Library()

MISSING = "—"
UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"))


@register.filter
def count(value: float | None) -> str:
    """12345 → "12,345"; numbers below ten keep their decimals."""
    if value is None or value == "":
        return MISSING
    return f"{value:,.0f}" if abs(value) >= 10 or float(value).is_integer() else f"{value:,.2g}"


@register.filter
def percent(value: float | None) -> str:
    """A share from 0 to 1 → "12.3 %"."""
    return MISSING if value is None else f"{100 * value:,.1f} %"


@register.filter
def duration(value_ms: float | None) -> str:
    """Milliseconds → "3.4 h", in the largest unit of which there are two."""
    if value_ms is None:
        return MISSING
    for length, unit in UNITS:
        if value_ms >= 2 * length:
            return f"{value_ms / length:,.1f} {unit}"
    return f"{value_ms / 1000:,.3g} s"


@register.filter
def file_size(value_bytes: int | None) -> str:
    """Bytes → "3.4 MB"."""
    return MISSING if value_bytes is None else size_text(value_bytes)


@register.filter
def seconds(value_s: float | None) -> str:
    """Seconds → "3.4 h"."""
    return MISSING if value_s is None else duration(1000 * value_s)


@register.filter
def share_of(part: float | None, whole: float | None) -> str:
    """A part of a whole → "12.3 %"."""
    return percent(part / whole) if part is not None and whole else MISSING
