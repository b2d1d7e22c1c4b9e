"""The comparison as one value: the page, its CSV and its JSON are all made from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fleet.planning.comparison.cells import Row, row_of, speeds_differ
from fleet.planning.comparison.columns import Column, columns_of
from fleet.planning.comparison.metrics import BY_CLASS, BY_KEY, METRICS, Json, Kind, Metric, Scope
from fleet.planning.comparison.query import CompareQuery
from fleet.planning.differences import Difference, cluster_differences, policy_differences
from fleet.planning.formats import as_duration
from fleet.planning.models import Scenario, Study


@dataclass(frozen=True, slots=True)
class SetAsideNote:
    """Jobs that can never run in some scenarios: said before anything else."""

    scenarios: tuple[str, ...]
    jobs: int
    gpu_hours: float
    reason: str
    examples: str


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under one heading."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that the compare page says in words and numbers."""

    study: Study
    query: CompareQuery
    every: tuple[Column, ...]
    columns: tuple[Column, ...]
    baseline: Column | None
    set_aside: tuple[SetAsideNote, ...]
    check: Json | None
    sections: tuple[Section, ...]
    by_class: tuple[Row, ...]
    by_metric: Metric
    sizes: tuple[tuple[str, str], ...]
    groups: tuple[str, ...]
    differences: tuple[tuple[Column, tuple[Difference, ...]], ...]

    @property
    def is_random(self) -> bool:
        """Whether the scenarios ran with several seeds."""
        return any(len(column.runs) > 1 for column in self.columns)

    @property
    def replications(self) -> str:
        """How sure the numbers are, in words."""
        if not self.is_random:
            return "Deterministic replay: one replay of each scenario, no interval."
        seeds = len(max((column.runs for column in self.columns), key=len, default=()))
        return (
            f"Mean ± half-width of the 95 % t-interval over {seeds} seeds, the same seeds in all scenarios."
        )

    @property
    def speeds_differ(self) -> bool:
        """Whether a GPU-hour of one scenario is not the same work as one of another."""
        return speeds_differ(self.columns)

    @property
    def waits_are_grey(self) -> bool:
        """The replay misses the recorded past, so waits are only good for comparing."""
        return bool(self.check and self.check["misses"])

    @property
    def has_recorded(self) -> bool:
        return any(row.recorded for section in self.sections for row in section.rows)

    @property
    def targets(self) -> str:
        """How soon a job of each GPU size should start: "1 GPU 15 min, 2–4 GPUs 30 min, …"."""
        summary = next((column.summary for column in self.columns if column.summary), None)
        if summary is None:
            return ""
        return ", ".join(f"{found['name']} {as_duration(found['target_s'])}" for found in summary["by_size"])

    @property
    def class_label(self) -> str:
        """The chosen job class in words."""
        size = next((label for key, label in self.sizes if key == self.query.size), "")
        return ", ".join(part for part in (size, self.query.group) if part) or "all jobs"


def comparison_of(study: Study, scenarios: Iterable[Scenario], query: CompareQuery) -> Comparison:
    """Compare the scenarios of a round as the query says."""
    return comparison_of_columns(study, columns_of(scenarios, study.targets), query)


def comparison_of_columns(study: Study, every: Sequence[Column], query: CompareQuery) -> Comparison:
    """Compare these columns as the query says."""
    shown = query.shown([column.position for column in every], _telling(every, query.baseline))
    columns = tuple(column for column in every if column.position in shown)
    baseline = next((column for column in columns if column.position == query.baseline), None)
    if baseline is None and columns:
        baseline = columns[0]
    summary = next((column.summary for column in columns if column.summary), None)
    metric = BY_KEY.get(query.metric)
    if metric not in BY_CLASS:
        metric = BY_KEY["share_within_target"]
    return Comparison(
        study=study,
        query=query,
        every=tuple(every),
        columns=columns,
        baseline=baseline,
        set_aside=_set_aside(columns),
        check=baseline.summary["replay_check"] if baseline and baseline.summary else None,
        sections=_sections(columns, baseline, query) if summary else (),
        by_class=_by_class(metric, columns, baseline, summary, query) if summary else (),
        by_metric=metric,
        sizes=tuple((found["size"], found["name"]) for found in summary["by_size"]) if summary else (),
        groups=tuple(found["group"] for found in summary["by_group"]) if summary else (),
        differences=_differences(columns, baseline),
    )


def _telling(every: Sequence[Column], baseline: int) -> list[int]:
    """Positions, those first that change one thing against the baseline: its cluster or its policy."""
    base = next((column for column in every if column.position == baseline), None)
    if base is None:
        return [column.position for column in every]

    def changes(column: Column) -> int:
        clusters = column.scenario.cluster_snapshot != base.scenario.cluster_snapshot
        return int(clusters) + int(column.scenario.policy_snapshot != base.scenario.policy_snapshot)

    return [column.position for column in sorted(every, key=changes)]


def _sections(columns: Sequence[Column], baseline: Column | None, query: CompareQuery) -> tuple[Section, ...]:
    rows: dict[str, list[Row]] = {}
    for metric in METRICS:
        if (metric.extra and not query.more) or (metric.all_jobs and (query.size or query.group)):
            continue
        row = row_of(
            metric, columns, baseline, size=query.size, group=query.group, unit=_money_unit(metric, columns)
        )
        if row.differs or not query.differences_only:
            rows.setdefault(metric.section, []).append(row)
    return tuple(Section(title, tuple(found)) for title, found in rows.items())


def _money_unit(metric: Metric, columns: Sequence[Column]) -> str:
    """Currencies are the cluster's own, so the unit of a price is known only now."""
    if metric.scope is not Scope.COST or metric.unit:
        return ""
    currencies = {column.cost["currency"] for column in columns if column.cost}
    return "/".join(sorted(currencies))


def _by_class(
    metric: Metric, columns: Sequence[Column], baseline: Column | None, summary: Json, query: CompareQuery
) -> tuple[Row, ...]:
    """The chosen metric, one row a job class: by GPU size, or by group; within the filter of the other."""
    rows = [row_of(metric, columns, baseline, size=query.size, group=query.group, label="all of these")]
    if query.by == "group":
        classes = [(query.size, found["group"], found["group"]) for found in summary["by_group"]]
    else:
        classes = [(found["size"], query.group, found["name"]) for found in summary["by_size"]]
    rows += [
        row_of(metric, columns, baseline, size=size, group=group, label=label)
        for size, group, label in classes
    ]
    return tuple(row for row in rows if row.differs or not query.differences_only)


def _set_aside(columns: Sequence[Column]) -> tuple[SetAsideNote, ...]:
    """Equal notes of several scenarios are told once."""
    told: dict[tuple[str, int], list[tuple[Column, Json]]] = {}
    for column in columns:
        for found in column.summary["set_aside"] if column.summary else ():
            told.setdefault((found["label"], found["jobs"]), []).append((column, found))
    return tuple(
        SetAsideNote(
            scenarios=tuple(column.label for column, _ in same),
            jobs=jobs,
            gpu_hours=same[0][1]["gpu_hours"],
            reason=label,
            examples=", ".join(
                f"{job} ({gpus} GPU{'s' if gpus > 1 else ''})"
                for job, gpus in zip(same[0][1]["examples"], same[0][1]["example_gpus"], strict=True)
            ),
        )
        for (label, jobs), same in told.items()
    )


def _differences(
    columns: Sequence[Column], baseline: Column | None
) -> tuple[tuple[Column, tuple[Difference, ...]], ...]:
    """What each scenario changes against the baseline."""
    if baseline is None:
        return ()
    base = baseline.scenario
    return tuple(
        (
            column,
            cluster_differences(base.cluster_snapshot, column.scenario.cluster_snapshot)
            + policy_differences(base.policy_snapshot, column.scenario.policy_snapshot),
        )
        for column in columns
        if column is not baseline
    )


def is_wait(row: Row) -> bool:
    """Whether a row tells absolute waits, which a replay that misses the past cannot vouch for."""
    return row.metric.scope is Scope.CLASS and (
        row.metric.kind is Kind.TIME or row.metric.key == "share_within_target"
    )
