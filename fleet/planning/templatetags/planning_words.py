"""Filters of the planning pages."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from fleet.planning.comparison import CompareQuery, Comparison, is_wait
from fleet.planning.comparison.cells import Row
from fleet.planning.comparison.columns import letters
from fleet.planning.formats import as_duration as duration_text
from fleet.planning.formats import as_large
from fleet.planning.formats import as_percent as percent_text
from fleet.planning.palette import scenario_colour as colour_number

register = template.Library()


@register.filter
def meaning(words: Mapping[str, tuple[str, str]], value: str) -> str:
    """What a choice means, from a mapping of value to (label, meaning)."""
    return words[value][1] if value in words else ""


@register.filter
def as_duration(value_s: float | None) -> str:
    """Seconds as "3.4 h"."""
    return duration_text(value_s)


@register.filter
def ms_as_duration(value_ms: float | None) -> str:
    """Milliseconds as "3.4 h"."""
    return duration_text(None if value_ms is None else value_ms / 1000)


@register.filter
def as_percent(share: float | None) -> str:
    """A share from 0 to 1 as "12.3 %"."""
    return percent_text(share)


@register.filter
def scenario_colour(position: int) -> int:
    """The number of the scenario's colour token, from its position."""
    return colour_number(position)


@register.filter
def letter(position: int) -> str:
    """The scenario's short name, from its position."""
    return letters(position)


@register.filter
def amount(value: float | None) -> str:
    """A large amount, shortened: "1.24 M"."""
    return as_large(value)


@register.filter
def greys(comparison: Comparison, row: Row) -> bool:
    """Whether a row's absolute values are greyed: waits of a replay that misses the recorded past."""
    return comparison.waits_are_grey and is_wait(row)


@register.filter
def shows_past(comparison: Comparison, row: Row) -> bool:
    """Whether a row has a column for the recorded past."""
    return comparison.has_recorded and row.metric.recorded


@register.simple_tag
def query_url(query: CompareQuery, **changes: object) -> str:
    """A link to the compare page with some choices changed."""
    return query.url(**changes)
