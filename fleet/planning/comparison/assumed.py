"""What the results rest on: every input with its tag, the most influential first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fleet.planning.comparison.build import Comparison
from fleet.planning.comparison.columns import Column
from fleet.planning.comparison.costs import priced
from fleet.planning.formats import MISSING, as_number
from fleet.planning.snapshots import cluster_of
from twin.economics import Assumption, Tag, by_influence, cluster_assumptions

TONES = {Tag.MEASURED: "ok", Tag.INFERRED: "muted", Tag.ENTERED: "muted", Tag.DEFAULT: "warn"}


@dataclass(frozen=True, slots=True)
class AssumedRow:
    """One input: its value in the baseline, and where other scenarios have another."""

    name: str
    value: str
    unit: str
    tag: str
    tone: str
    source: str
    affects: str
    influence: float
    others: tuple[tuple[str, str], ...]  # (scenario, value)

    @property
    def influence_percent(self) -> int:
        return round(100 * self.influence)


def assumptions_of(comparison: Comparison) -> tuple[AssumedRow, ...]:
    """The inputs of the baseline, most influential first, beside those in which other scenarios differ."""
    columns = [column for column in comparison.columns if column.answers]
    if not columns:
        return ()
    base = comparison.baseline if comparison.baseline in columns else columns[0]
    inputs = {column.position: _inputs(column) for column in columns}
    rows = []
    for found in by_influence(inputs[base.position]):
        others = tuple(
            (column.label, told)
            for column in columns
            if column is not base
            and (told := _value_of(found.name, inputs[column.position])) != _told(found.value)
        )
        rows.append(_row(found, base, others))
    return tuple(rows)


def _inputs(column: Column) -> tuple[Assumption, ...]:
    """Those of the replay, stored with it, and those of the cluster, at the scenario's own prices."""
    answer = column.answers[0]
    stored = tuple(
        Assumption(**entry | {"tag": Tag(entry["tag"])}) for entry in answer.summary["assumptions"]
    )
    snapshot = column.scenario.cluster_snapshot
    return stored + cluster_assumptions(cluster_of(snapshot), priced(answer.summary, snapshot))


def _row(found: Assumption, base: Column, others: tuple[tuple[str, str], ...]) -> AssumedRow:
    scenario = base.scenario
    source = found.source
    if found.name == "policy":
        source = scenario.policy_snapshot["name"]
    elif source == "the workload":
        source = scenario.workload_snapshot["name"]
    elif found.tag is Tag.ENTERED and source == "cluster":
        by = scenario.cluster_snapshot.get("entered_by")
        source = f"cluster {scenario.cluster_snapshot['name']}" + (f", by {by}" if by else "")
    return AssumedRow(
        name=found.name,
        value=_told(found.value),
        unit=found.unit if found.value is not None else "",
        tag=found.tag.value,
        tone=TONES[found.tag],
        source=source,
        affects=found.affects,
        influence=found.influence,
        others=others,
    )


def _value_of(name: str, inputs: Iterable[Assumption]) -> str:
    return next((_told(one.value) for one in inputs if one.name == name), MISSING)


def _told(value: float | str | None) -> str:
    return value if isinstance(value, str) else as_number(value)
