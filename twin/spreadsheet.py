"""Text that a spreadsheet would run as a formula, made harmless in tables that people download as CSV."""

from __future__ import annotations

from typing import Final

import polars as pl

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(value: object) -> object:
    """The value as a CSV cell: a number or None as it is, anything else as text, a formula after an
    apostrophe."""
    if value is None or isinstance(value, bool | int | float):
        return value
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def safe_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with every text cell made harmless in the same way."""
    return frame.with_columns(pl.col(pl.String).str.replace(r"^([=+\-@\t\r])", "'$1"))
