"""A name that nobody has yet."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 100


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """``wanted``, or with the first number that makes it free; at most 100 characters."""
    names = set(taken)
    wanted = wanted[:LONGEST]
    candidate, number = wanted, 2
    while candidate in names:
        ending = f" {number}"
        candidate, number = wanted[: LONGEST - len(ending)] + ending, number + 1
    return candidate
