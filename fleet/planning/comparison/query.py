"""What a person chose on the compare page. All of it is in the URL, so a link shows the same page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self
from urllib.parse import urlencode

from django.http import QueryDict

MOST_COLUMNS = 12
SHOWN_AT_FIRST = 6


@dataclass(frozen=True, slots=True)
class CompareQuery:
    """``show`` empty: the first scenarios. ``size`` and ``group`` empty: all jobs."""

    round: int | None = None
    baseline: int = 0
    show: tuple[int, ...] = ()
    size: str = ""
    group: str = ""
    differences_only: bool = False
    more: bool = False
    metric: str = "share_within_target"
    by: str = "size"

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """Read the URL; what makes no sense there is left at its default."""
        chosen = [number for text in query.getlist("show") for number in _numbers(text)]
        rounds = _numbers(query.get("round", ""))
        baseline = _numbers(query.get("baseline", ""))
        return cls(
            round=rounds[0] if rounds else None,
            baseline=baseline[0] if baseline else 0,
            show=tuple(dict.fromkeys(chosen))[:MOST_COLUMNS],
            size=query.get("size", ""),
            group=query.get("group", ""),
            differences_only=query.get("only") == "differences",
            more=query.get("more") == "1",
            metric=query.get("metric", "share_within_target"),
            by="group" if query.get("by") == "group" else "size",
        )

    def to_query(self) -> str:
        """The query string, defaults left out; empty when all are defaults."""
        told = {
            "round": self.round,
            "baseline": self.baseline or None,
            "show": ",".join(map(str, self.show)) or None,
            "size": self.size or None,
            "group": self.group or None,
            "only": "differences" if self.differences_only else None,
            "more": "1" if self.more else None,
            "metric": None if self.metric == "share_within_target" else self.metric,
            "by": None if self.by == "size" else self.by,
        }
        return urlencode({name: value for name, value in told.items() if value is not None})

    def url(self, **changes: Any) -> str:
        """A link to the page with some choices changed."""
        text = replace(self, **changes).to_query()
        return f"?{text}"

    def shown(self, positions: Sequence[int], first: Sequence[int]) -> list[int]:
        """The positions to show, in their order, the baseline always among them; ``first``: those to show
        where nothing was chosen, the most telling first."""
        wanted = {position for position in self.show if position in positions}
        wanted = wanted or set(first[:SHOWN_AT_FIRST])
        if self.baseline in positions:
            wanted.add(self.baseline)
        return [position for position in positions if position in wanted]


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part.strip().isdecimal() and len(part) < 6]
