"""A what-if beside the scenario it started from: metrics, words and figures, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fleet.planning.comparison.build import comparison_of_columns
from fleet.planning.comparison.cells import Cell, Row
from fleet.planning.comparison.columns import Answered, Column, answers_of
from fleet.planning.comparison.figures import figures_of
from fleet.planning.comparison.query import CompareQuery
from fleet.planning.differences import cluster_differences
from fleet.planning.models import Run, Scenario, Study
from fleet.planning.whatif import WhatIfAnswer

FIGURES = ("waits", "queued")


def what_if_page(
    study: Study, scenario: Scenario, runs: Sequence[Run], answer: WhatIfAnswer, query: CompareQuery
) -> dict[str, Any]:
    """What the page redraws: the changed inputs in words, every metric against the scenario, two figures."""
    start = _start_column(scenario, [run for run in runs if run.seed == answer.seed], study.targets)
    tried = _tried_column(scenario, answer, study.targets)
    shown = CompareQuery(
        baseline=start.position, size=query.size, group=query.group, show=(start.position, tried.position)
    )
    comparison = comparison_of_columns(study, (start, tried), shown)
    figures = figures_of(comparison, {tried.position: answer.charts})
    changed = cluster_differences(scenario.cluster_snapshot, answer.cluster)
    return {
        "changed": [str(change) for change in changed] or ["nothing: this is the scenario itself"],
        "gpus": answer.summary["capacity_gpus"],
        "jobs": answer.summary["jobs"],
        "rows": [_row(row) for section in comparison.sections for row in section.rows],
        "figures": {name: figures[name] for name in FIGURES},
    }


def _start_column(scenario: Scenario, runs: Sequence[Run], targets: Mapping[str, int]) -> Column:
    answers = answers_of(scenario, runs, targets)
    return Column(scenario, scenario.cluster_snapshot["name"], "", answers, tuple(runs))


def _tried_column(scenario: Scenario, answer: WhatIfAnswer, targets: Mapping[str, int]) -> Column:
    """A column of a scenario that exists only in this answer."""
    tried = Scenario(
        position=scenario.position + 1,
        cluster_snapshot=answer.cluster,
        policy_snapshot=scenario.policy_snapshot,
        workload_snapshot=scenario.workload_snapshot,
    )
    run = Run(seed=answer.seed)
    answered = Answered.of(run, answer.summary, answer.cluster, targets)
    return Column(tried, "what if", "", (answered,), (run,), passing=True)


def _row(row: Row) -> dict[str, Any]:
    start, tried = row.cells
    return {
        "key": row.metric.key,
        "label": row.label,
        "unit": row.unit,
        "start": _text(start),
        "tried": _text(tried),
        "delta": tried.delta.text if tried.delta else "",
        "direction": tried.delta.direction if tried.delta else "",
        "tone": tried.delta.tone if tried.delta else "",
    }


def _text(cell: Cell) -> str:
    return cell.note if cell.value is None and cell.note else cell.text
