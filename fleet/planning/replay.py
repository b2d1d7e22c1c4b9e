"""From jobs and a specification to everything that is kept of a replay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from fleet.planning.specs import ReplayInputs
from fleet.planning.targets import started_within
from twin import analysis, economics, engine
from twin.economics import Tag
from twin.engine import OnProgress, Result
from twin.workload import Jobs

TIMELINE_POINTS = 1000
CURVE_POINTS = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """A replay's summary (JSON), its chart series (JSON) and its jobs, one row each."""

    summary: dict[str, Any]
    charts: dict[str, Any]
    jobs: pl.DataFrame


def replay(
    jobs: Jobs,
    inputs: ReplayInputs,
    *,
    workload_tag: Tag,
    on_progress: OnProgress,
    on_replayed: Callable[[], None],
) -> Answer:
    """Replay and add up. Raises ``ReplayCancelled`` where ``on_progress`` says to stop."""
    result = engine.simulate(jobs, inputs.cluster, inputs.policy, inputs.options, on_progress=on_progress)
    on_replayed()
    return Answer(
        summary=summary_of(result, workload_tag),
        charts=chart_series(result),
        jobs=analysis.outcomes_frame(result),
    )


def summary_of(result: Result, workload_tag: Tag) -> dict[str, Any]:
    """The summary with what it rests on, as JSON."""
    rests_on = economics.wait_assumptions(result, workload_tag=workload_tag, workload_source="the workload")
    return analysis.summarise(result).to_dict() | {
        "assumptions": [one.to_dict() for one in rests_on],
        "started_within": started_within(result),
    }


def chart_series(
    result: Result, *, timeline_points: int = TIMELINE_POINTS, curve_points: int = CURVE_POINTS
) -> dict[str, Any]:
    """The series that charts are drawn from: timeline and wait curves, already thinned."""
    return {
        "timeline": analysis.timeline(result, timeline_points).to_dict(),
        "wait_curves": [curve.to_dict() for curve in analysis.wait_curves(result, curve_points)],
    }
