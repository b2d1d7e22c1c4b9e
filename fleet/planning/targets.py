"""How many jobs started within any target, kept with the outcome so that targets can change without a replay.

A target is a wait from a ladder, one for each GPU size. ``started_within`` counts, for each step of the
ladder, the jobs of each cell (group x GPU size) that started within it; ``at_targets`` reads a summary at
other targets than those it was made with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from twin.analysis import DEFAULT_TARGETS, SIZE_BUCKETS, Cells, cells_of
from twin.engine import Result

LADDER_S: Final = (
    60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 259_200, 604_800,
)  # fmt: skip
SIZES: Final = tuple(bucket.key for bucket in SIZE_BUCKETS)
DEFAULTS: Final = {size: int(wait_s) for size, wait_s in zip(SIZES, DEFAULT_TARGETS.wait_s, strict=True)}

Json = Mapping[str, Any]


def started_within(result: Result) -> dict[str, Any]:
    """The counts as JSON: ``replayed`` and ``recorded`` (None where no start was recorded) have a row a step
    of the ladder and a column a cell."""
    cells, jobs = cells_of(result.jobs), result.jobs
    eligible = np.maximum(jobs.eligible_ms, jobs.submit_ms)
    past = jobs.recorded_start_ms >= 0
    return {
        "ladder_s": list(LADDER_S),
        "groups": list(cells.group_names),
        "replayed": _counts(cells, result.start_ms >= 0, result.start_ms - eligible),
        "recorded": _counts(cells, past, jobs.recorded_start_ms - eligible) if past.any() else None,
    }


def _counts(cells: Cells, chosen: NDArray[np.bool_], wait_ms: NDArray[np.int64]) -> list[list[int]]:
    code, waits = cells.code[chosen], wait_ms[chosen]
    return [np.bincount(code[waits <= 1000 * step_s], minlength=cells.count).tolist() for step_s in LADDER_S]


def at_targets(summary: Json, targets: Mapping[str, int]) -> Json:
    """The summary at the study's targets (GPU size -> seconds; a size left out has its default)."""
    wanted = DEFAULTS | dict(targets)
    counts = summary.get("started_within")
    if wanted == DEFAULTS or counts is None:
        return summary
    tables = {
        name: [_class_at(found, counts, wanted) for found in summary[name]]
        for name in ("by_size", "by_group", "by_class")
    }
    return {**summary, "all": _class_at(summary["all"], counts, wanted), **tables}


def _class_at(metrics: Json, counts: Json, targets: Mapping[str, int]) -> Json:
    """One class's metrics with its counts and shares replaced."""
    cells = _cells(metrics, counts["groups"])
    size = metrics["size"]
    changed = {"target_s": None if size is None else targets[size]}
    for waits, table in (("waits", "replayed"), ("recorded", "recorded")):
        if metrics[waits] is not None and counts[table] is not None:
            started = sum(
                counts[table][counts["ladder_s"].index(targets[SIZES[cell % len(SIZES)]])][cell]
                for cell in cells
            )
            jobs = metrics[waits]["jobs"]
            changed[waits] = metrics[waits] | {
                "started_within_target": started,
                "share_within_target": started / jobs if jobs else None,
            }
    return metrics | changed


def _cells(metrics: Json, groups: Sequence[str]) -> list[int]:
    """The cells that a class is made of: all combinations of its groups and sizes."""
    sizes = range(len(SIZES)) if metrics["size"] is None else (SIZES.index(metrics["size"]),)
    chosen = range(len(groups)) if metrics["group"] is None else (groups.index(metrics["group"]),)
    return [group * len(SIZES) + size for group in chosen for size in sizes]
