"""Whole numbers that an address or a form names."""

from __future__ import annotations

MOST_DIGITS = 18  # what every database's big integer holds


def whole_number(text: str) -> int | None:
    """The number, 0 or more; None for text that is none, or too large to be anybody's id or count."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None
