"""What the results rest on: every input with its tag, the most influential first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fleet.planning.comparison.build import Comparison
from fleet.planning.comparison.columns import Column
from fleet.planning.comparison.costs import priced
from fleet.planning.formats import MISSING, as_number
from fleet.planning.snapshots import cluster_of
from twin.economics import Assumption, Tag, by_influence, cluster_assumptions

WEIGHTS = ((0.5, "high"), (0.1, "medium"))
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
    def weight(self) -> str:
        """The influence as a word: it ranks, it does not measure."""
        return next((word for least, word in WEIGHTS if self.influence >= least), "low")


def assumptions_of(comparison: Comparison) -> tuple[AssumedRow, ...]:
    """All inputs, most influential first: the baseline's value, beside those in which other scenarios differ.

    What only another scenario has (a pool of its own) stands as missing in the baseline.
    """
    columns = [column for column in comparison.columns if column.answers]
    if not columns:
        return ()
    base = comparison.baseline if comparison.baseline in columns else columns[0]
    inputs = {column.position: _inputs(column) for column in columns}
    own = {one.name for one in inputs[base.position]}
    elsewhere = {
        one.name: (one, column)
        for column in columns
        for one in inputs[column.position]
        if one.name not in own
    }
    found = by_influence([*inputs[base.position], *(one for one, _ in elsewhere.values())])
    rows = []
    for one in found:
        owner = elsewhere[one.name][1] if one.name in elsewhere else base
        value = MISSING if one.name in elsewhere else _told(one.value)
        others = tuple(
            (column.label, told[0])
            for column in columns
            if column is not base and value not in (told := _values_of(one.name, inputs[column.position]))
        )
        rows.append(replace(_row(one, owner, others), value=value))
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


def _values_of(name: str, inputs: Iterable[Assumption]) -> list[str]:
    """A scenario's values of an input: several of the reader's notes, one of most others."""
    return [_told(one.value) for one in inputs if one.name == name] or [MISSING]


def _told(value: float | str | None) -> str:
    return value if isinstance(value, str) else as_number(value)
