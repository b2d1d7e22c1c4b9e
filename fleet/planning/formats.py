"""Numbers as people read them; a missing one is "—", never 0."""

from __future__ import annotations

MISSING = "—"
STEPS_S = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"))


def as_duration(value_s: float | None) -> str:
    """Seconds in the largest unit of which there are two: "45 s", "3.4 h", "2 d"."""
    if value_s is None:
        return MISSING
    for length_s, unit in STEPS_S:
        if abs(value_s) >= 2 * length_s:
            whole = value_s % length_s == 0
            return f"{value_s / length_s:,.{0 if whole else 1}f} {unit}"
    return f"{value_s:,.0f} s" if abs(value_s) >= 10 or value_s == 0 else f"{value_s:,.1f} s"


def as_percent(share: float | None) -> str:
    """A share from 0 to 1 as "12.3 %"."""
    return MISSING if share is None else f"{100 * share:,.1f} %"


def as_number(value: float | None) -> str:
    """Three significant figures below a thousand, whole numbers above."""
    if value is None:
        return MISSING
    if abs(value) >= 1000 or value == int(value):
        return f"{value:,.0f}"
    decimals = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{decimals}f}"


def as_large(value: float | None) -> str:
    """A large amount, shortened: "1.24 M", "318 k"."""
    if value is None:
        return MISSING
    for length, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= length:
            return f"{value / (1e3 if unit == 'k' else length):,.3g} {unit}"
    return as_number(value)
