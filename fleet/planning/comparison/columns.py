"""The scenarios of a comparison as columns: label, colour, and what each seed answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from fleet.planning.comparison.costs import cost_of
from fleet.planning.comparison.metrics import Json, Metric, Scope
from fleet.planning.models import Run, RunState, Scenario
from fleet.planning.palette import scenario_colour, scenario_dash, scenario_token
from fleet.planning.snapshots import Snapshot
from fleet.planning.targets import at_targets


@dataclass(frozen=True, slots=True)
class Answered:
    """One seed's answer: the outcome's summary, and the cost of it at the scenario's prices."""

    run: Run
    seed: int
    summary: Json
    cost: Json

    @classmethod
    def of(cls, run: Run, summary: Json, cluster: Snapshot, targets: Mapping[str, int]) -> Self:
        """An outcome's summary, read at the study's targets and the scenario's prices."""
        return cls(run, run.seed, at_targets(summary, targets), cost_of(summary, cluster))


@dataclass(frozen=True, slots=True)
class Column:
    """One scenario. ``name`` and ``detail`` are the parts of its name that tell it from the others;
    ``answers`` are in the order of seeds, empty while nothing is there yet. ``passing`` columns are of no
    study and have neither letter nor colour of their own."""

    scenario: Scenario
    name: str
    detail: str
    answers: tuple[Answered, ...]
    runs: tuple[Run, ...]
    passing: bool = False

    @property
    def position(self) -> int:
        return self.scenario.position

    @property
    def letter(self) -> str:
        """A to Z, then AA: the scenario's short name in charts and sentences."""
        return self.name if self.passing else letters(self.position)

    @property
    def label(self) -> str:
        """The scenario in a legend or a sentence: "B 64 A100 nodes, SJF"."""
        if self.passing:
            return self.name
        return f"{self.letter} {self.name}, {self.detail}" if self.detail else f"{self.letter} {self.name}"

    @property
    def token(self) -> str:
        return "accent" if self.passing else scenario_token(self.position)

    @property
    def speeds(self) -> frozenset[float]:
        """The speeds of the cluster's pools."""
        return frozenset(pool["speed"] for pool in self.scenario.cluster_snapshot["pools"])

    @property
    def colour(self) -> int:
        return scenario_colour(self.position)

    @property
    def dash(self) -> str:
        return scenario_dash(self.position)

    @property
    def is_complete(self) -> bool:
        return len(self.answers) == len(self.runs)

    @property
    def state(self) -> str:
        """What the column's runs are doing, in a word; empty when all have answered."""
        if self.is_complete:
            return ""
        states = {run.state for run in self.runs}
        for state in (RunState.RUNNING, RunState.QUEUED, RunState.FAILED, RunState.CANCELLED):
            if state in states:
                return state.label
        return ""

    @property
    def error(self) -> str:
        return next((run.error for run in self.runs if run.error), "")

    @property
    def summary(self) -> Json | None:
        """The first seed's summary: for what does not vary, and for single replays."""
        return self.answers[0].summary if self.answers else None

    @property
    def cost(self) -> Json | None:
        return self.answers[0].cost if self.answers else None

    def values(self, metric: Metric, size: str, group: str) -> dict[int, float | None]:
        """The metric by seed."""
        return {answer.seed: _read(metric, answer, size, group) for answer in self.answers}

    def recorded(self, metric: Metric, size: str, group: str) -> float | None:
        """The metric in the trace's own past, where starts were recorded."""
        if not metric.recorded or self.summary is None:
            return None
        found = class_of(self.summary, size, group)
        past = found.get("recorded") if found else None
        return metric.read({"waits": past}) if past else None

    def classes(self, size: str, group: str) -> tuple[Json, ...]:
        """The class's metrics, seed by seed; seeds in which it does not occur are left out."""
        found = (class_of(answer.summary, size, group) for answer in self.answers)
        return tuple(metrics for metrics in found if metrics is not None)


def columns_of(scenarios: Iterable[Scenario], targets: Mapping[str, int]) -> list[Column]:
    """The columns of a round, with names that say only what differs."""
    scenarios = list(scenarios)
    names = names_of(scenarios)
    return [
        Column(
            scenario, name, detail, answers_of(scenario, runs := tuple(scenario.runs.all()), targets), runs
        )
        for scenario, (name, detail) in zip(scenarios, names, strict=True)
    ]


def names_of(scenarios: Sequence[Scenario]) -> list[tuple[str, str]]:
    """The cluster's name, the policy's, or both, whichever tells the scenarios apart."""
    clusters = [scenario.cluster_snapshot["name"] for scenario in scenarios]
    policies = [scenario.policy_snapshot["name"] for scenario in scenarios]
    if len(set(policies)) == 1:
        return [(cluster, "") for cluster in clusters]
    if len(set(clusters)) == 1:
        return [(policy, "") for policy in policies]
    return list(zip(clusters, policies, strict=True))


def letters(position: int) -> str:
    """0 is A, 25 is Z, 26 is AA."""
    first, last = divmod(position, 26)
    return (letters(first - 1) if first else "") + chr(ord("A") + last)


def class_of(summary: Json, size: str, group: str) -> Json | None:
    """The metrics of a job class; None where no job of the workload is in it."""
    if not size and not group:
        whole: Json = summary["all"]
        return whole
    table = "by_class" if size and group else "by_size" if size else "by_group"
    wanted = (size or None, group or None)
    return next((found for found in summary[table] if (found["size"], found["group"]) == wanted), None)


def answers_of(scenario: Scenario, runs: Iterable[Run], targets: Mapping[str, int]) -> tuple[Answered, ...]:
    """What the runs that have an outcome answered."""
    return tuple(
        Answered.of(run, run.outcome.summary, scenario.cluster_snapshot, targets)
        for run in runs
        if run.outcome is not None
    )


def _read(metric: Metric, answer: Answered, size: str, group: str) -> float | None:
    source: Any
    if metric.scope is Scope.CLASS:
        source = class_of(answer.summary, size, group)
    else:
        source = answer.summary if metric.scope is Scope.CLUSTER else answer.cost
    return metric.read(source) if source is not None else None
