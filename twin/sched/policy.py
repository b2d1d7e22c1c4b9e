"""A scheduling policy: named choices, each a rule that both engines share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Order(StrEnum):
    FIFO = "fifo"
    PRIORITY = "priority"
    SJF = "sjf"


class Backfill(StrEnum):
    STRICT = "strict"
    FIRST_FIT = "first_fit"
    EASY = "easy"


class Placement(StrEnum):
    COUNT = "count"
    FIRST_FIT = "first_fit"
    BEST_FIT = "best_fit"
    WORST_FIT = "worst_fit"


class Shape(StrEnum):
    PACKED = "packed"
    SCATTER = "scatter"


class PassMode(StrEnum):
    INSTANT = "instant"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Policy:
    """``backfill_depth``: jobs looked at past the first that does not fit; None = no limit."""

    name: str = "fifo, easy backfill"
    order: Order = Order.FIFO
    backfill: Backfill = Backfill.EASY
    backfill_depth: int | None = 100
    placement: Placement = Placement.BEST_FIT
    shape: Shape = Shape.PACKED
    pass_mode: PassMode = PassMode.INSTANT
    enforce_limits: bool = True
