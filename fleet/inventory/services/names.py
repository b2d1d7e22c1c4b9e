"""A name that nobody has yet."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 100


def free_name(wanted: str, taken: Iterable[str], longest: int = LONGEST) -> str:
    """``wanted``, or with the first number that makes it free; at most ``longest`` characters."""
    names = set(taken)
    wanted = wanted[:longest]
    candidate, number = wanted, 2
    while candidate in names:
        ending = f" {number}"
        candidate, number = wanted[: longest - len(ending)] + ending, number + 1
    return candidate
