"""A figure's numbers as CSV, the same rows that the chart's own button gives."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from twin.spreadsheet import safe_cell


def with_unit(axis: Mapping[str, Any] | None) -> str:
    """ "wait (h)"."""
    axis = axis or {}
    title, unit = axis.get("title", ""), axis.get("unit", "")
    return f"{title} ({unit})".strip() if unit and unit != title else title


def figure_csv(figure: Mapping[str, Any]) -> str:
    """Header with units, then rows: side by side where all series share their x, else one below another."""
    series = [each for each in figure["series"] if each.get("x")]
    unit = figure.get("y", {}).get("unit")
    x_title = with_unit(figure.get("x")) or "x"
    rows: list[list[Any]]
    if figure["kind"] == "heat":
        header = [with_unit(figure.get("y")), x_title, with_unit(figure.get("z"))]
        heat = series[0]
        rows = [
            [y, x, heat["z"][at][column]]
            for at, y in enumerate(heat["y"])
            for column, x in enumerate(heat["x"])
        ]
    elif all(each["x"] == series[0]["x"] for each in series):
        header = [x_title, *(f"{each['name']} ({unit})" if unit else each["name"] for each in series)]
        rows = [list(row) for row in zip(series[0]["x"], *(each["y"] for each in series), strict=True)]
    else:
        header = ["series", x_title, with_unit(figure.get("y")) or "y"]
        rows = [[each["name"], x, y] for each in series for x, y in zip(each["x"], each["y"], strict=True)]
    return rows_csv(header, rows)


def rows_csv(header: list[str], rows: list[list[Any]]) -> str:
    """CSV in which no text is taken for a formula by a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerows([[safe_cell(value) for value in row] for row in [header, *rows]])
    return text.getvalue()
