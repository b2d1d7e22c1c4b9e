"""Slurm accounting as ``sacct -P`` (or -p) prints it, with a header in any choice and order of columns.

Without a header the layouts of Open XDMoD and of sonar are recognised; any other is named in the mapping.
Fields: https://slurm.schedmd.com/sacct.html.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from twin.workload.jobs import EndState
from twin.workload.mapping import ColumnMapping
from twin.workload.records import STARTS_ARE_SUBMITS, Records, complete, refuse, undecided
from twin.workload.report import counted
from twin.workload.sacct.fields import array_tasks, each_once, parse_gres, parse_tres, requested_memory_mb
from twin.workload.sacct.folding import fold, with_keys
from twin.workload.sacct.layouts import DISTINCTIVE, header_of, headerless_layout
from twin.workload.sacct.lines import read_lines
from twin.workload.source import Source
from twin.workload.states import read_states
from twin.workload.table import DELIMITERS, LINE
from twin.workload.times import given, read_durations, read_times

NAME = "slurm"
TITLE = "Slurm accounting (sacct -P)"

TIMES = ("submit", "eligible", "start", "end")
TEXTS = {"user": "user", "account": "group", "partition": "queue", "qos": "job_class"}
TRES = {"gpu_milli": pl.Int64, "models": pl.String, "cpus": pl.Int64, "memory_mb": pl.Int64}
SHAPE_NOTE = (
    "sacct tells the nodes that jobs were given, not the shape they asked for; "
    "the replay packs their GPUs by its own rules."
)


def recognise(sample: list[str]) -> float:
    """Sure of a header of sacct's column names, or of lines that fit one of the known layouts without a
    header."""
    for line in sample[:20]:
        if (found := header_of(line)) is not None:
            names, delimiter = found
            return 0.95 if "|" in delimiter or DISTINCTIVE & set(names) else 0.0
    return 0.9 if sample and "|" in sample[0] and headerless_layout(sample) else 0.0


def read(source: Source, mapping: ColumnMapping) -> Records:
    """Read an export: cells, their meaning, then which records are one job."""
    lines = read_lines(source, mapping)
    export = _Export(lines.cells)
    frame, clock = _times(export, source, mapping)
    frame = _sizes(frame, export)
    frame, told = _states(frame, export)
    frame = _run_times(frame, export)
    frame = frame.with_columns(given(export.text(column)).alias(to) for column, to in TEXTS.items())
    notes = (SHAPE_NOTE, *told)
    repairs: dict[str, int] = {}
    if export.has("jobid", "jobidraw"):
        ids = export.first_of("jobid", "jobidraw")
        frame = refuse(frame, ids.is_null(), "the job id is not given")
        frame = with_keys(frame.with_columns(export.text("cluster").alias("cluster")), ids)
        frame, repairs, folded = fold(frame)
        frame, notes = _arrays(frame), (*notes, *folded)
    else:
        notes = (*notes, "No job ids in the export: every row is taken for a job of its own.")
    if not export.has("submit"):
        frame = frame.with_columns(submit_ms="start_ms")
        notes = (
            *notes,
            STARTS_ARE_SUBMITS,
        )
    if lines.rejoined:
        rows = counted(lines.rejoined, "row")
        notes = (*notes, f"A text field holds the delimiter in {rows}; it was put back together.")
    if lines.joined:
        notes = (
            *notes,
            f"Several lines make one record in {counted(lines.joined, 'case')}; they were joined.",
        )
    return Records(
        frame=pl.concat([complete(frame), lines.apart]).sort("line"),
        calendar=clock[0],
        time_format=clock[1],
        time_zone=clock[2],
        delimiter=DELIMITERS.get(lines.delimiter, lines.delimiter),
        columns={},
        notes=notes,
        repairs=repairs,
    )


class _Export:
    """The cells of an export by field; a field that was not exported is a column of nulls."""

    def __init__(self, cells: pl.DataFrame) -> None:
        self.cells = cells
        self._none = pl.Series("none", [None], dtype=pl.String).new_from_index(0, cells.height)

    def has(self, *columns: str) -> bool:
        return any(column in self.cells.columns for column in columns)

    def text(self, column: str) -> pl.Series:
        return given(self.cells[column]) if self.has(column) else self._none

    def first_of(self, *columns: str) -> pl.Series:
        """The first of these fields that is given, row by row."""
        texts = [self.text(column).alias(column) for column in columns]
        return pl.DataFrame(texts).select(pl.coalesce(columns)).to_series()

    def number(self, *columns: str) -> pl.Series:
        return self.first_of(*columns).cast(pl.Int64, strict=False)


def _times(
    export: _Export, source: Source, mapping: ColumnMapping
) -> tuple[pl.DataFrame, tuple[bool, str, str]]:
    frame = undecided(source, export.cells[LINE], equal_rows_are_one=True)
    clock = (True, "ISO 8601", mapping.time_zone or "not stated")
    for column in TIMES:
        where = f"{source.name}, field {column.title()}"
        read = read_times(export.text(column), where, zone=mapping.time_zone)
        frame = refuse(frame, read.bad, f"{column.title()} is not a time", export.text(column))
        frame = frame.with_columns(read.ms.alias(f"{column}_ms"))
        if (
            column in ("submit", "start")
            and read.ms.null_count() < len(read.ms)
            and frame["submit_ms"].is_not_null().any()
        ):
            clock = (read.calendar, read.format, read.zone)
    return frame, clock


def _sizes(frame: pl.DataFrame, export: _Export) -> pl.DataFrame:
    """GPUs, CPUs and memory: of the allocation where there is one, else of the request."""
    allocated = each_once(export.text("alloctres"), parse_tres, TRES)
    asked = each_once(export.text("reqtres"), parse_tres, TRES)
    nodes = export.number("nnodes", "allocnodes", "reqnodes")
    cpus = export.number("ncpus", "alloccpus", "reqcpus")
    frame = frame.with_columns(
        _first(allocated["gpu_milli"], asked["gpu_milli"], _gres_milli(export, nodes)).alias("gpu_milli"),
        _first(cpus, allocated["cpus"], asked["cpus"]).alias("cpus"),
        asked["models"].replace("", None).alias("gpu_models"),
        nodes.alias("node_count"),
    )
    memory = _first(allocated["memory_mb"], asked["memory_mb"], _requested_memory(export, frame))
    return frame.with_columns(memory.alias("memory_mb"), export.number("priority").alias("priority"))


def _first(*columns: pl.Series) -> pl.Series:
    names = [str(at) for at in range(len(columns))]
    table = pl.DataFrame([column.alias(name) for column, name in zip(columns, names, strict=True)])
    return table.select(pl.coalesce(names)).to_series()


def _gres_milli(export: _Export, nodes: pl.Series) -> pl.Series:
    """GPUs per node times nodes, for exports from before TRES."""
    column = next((name for name in ("allocgres", "reqgres") if export.has(name)), None)
    if column is None or export.has("alloctres", "reqtres"):
        return pl.Series([None], dtype=pl.Int64).new_from_index(0, len(nodes))
    texts = export.cells[column].str.strip_chars()
    found = {text: parse_gres(text) for text in texts.unique().to_list() if text is not None}
    per_node = texts.fill_null("").replace_strict(found | {"": 0}, default=None, return_dtype=pl.Int64)
    return per_node * nodes.fill_null(1).clip(lower_bound=1) * 1000


def _requested_memory(export: _Export, frame: pl.DataFrame) -> pl.Series:
    rows = pl.DataFrame({"text": export.text("reqmem"), "cpus": frame["cpus"], "nodes": frame["node_count"]})
    known = {
        row: requested_memory_mb(row[0], row[1] or 1, row[2] or 1)
        for row in rows.unique().iter_rows()
        if row[0] is not None
    }
    found = [(*row, memory) for row, memory in known.items()]
    table = pl.DataFrame(found, schema=[*rows.schema.items(), ("memory", pl.Int64)], orient="row")
    return rows.join(table, on=rows.columns, how="left", nulls_equal=True, maintain_order="left")["memory"]


def _states(frame: pl.DataFrame, export: _Export) -> tuple[pl.DataFrame, tuple[str, ...]]:
    states = read_states(export.text("state"))
    frame = frame.with_columns(
        states.state.alias("state"), states.pending.alias("pending"), states.retried.alias("retried")
    )
    return frame, states.note()


def _run_times(frame: pl.DataFrame, export: _Export) -> pl.DataFrame:
    """Run time from Elapsed, which is right even where End is not; and which jobs never started."""
    seconds, bad_seconds = read_durations(export.text("elapsedraw"))
    clock, bad_clock = read_durations(export.text("elapsed"))
    frame = refuse(
        frame,
        bad_seconds | bad_clock,
        "Elapsed is not a length of time",
        export.first_of("elapsedraw", "elapsed"),
    )
    limit, bad = read_durations(export.text("timelimit"), unit_s=60.0)
    raw_limit, _ = read_durations(export.text("timelimitraw"), unit_s=60.0)
    frame = refuse(frame, bad, "Timelimit is not a length of time", export.text("timelimit"))
    live = pl.col("pending") | (pl.col("state") == int(EndState.RUNNING)).fill_null(False)
    frame = frame.with_columns(
        _first(seconds, clock).alias("run_ms"),
        _first(limit, raw_limit).alias("limit_ms"),
        end_ms=pl.when(~live).then("end_ms"),
    )
    return frame.with_columns(_started(frame, export))


def _started(frame: pl.DataFrame, export: _Export) -> pl.Series:
    """False for jobs known never to have started. Slurm gives a job cancelled in the queue a start equal
    to its end."""
    nowhere = export.text("nodelist").str.to_lowercase().is_in(["none assigned", "none"])
    if export.has("alloctres"):
        nowhere = nowhere.fill_null(False) | export.text("alloctres").is_null()
    elif not export.has("nodelist"):
        nowhere = frame["start_ms"] == frame["end_ms"]
    unbegun = pl.DataFrame(
        {"nowhere": nowhere.fill_null(False), "state": frame["state"], "pending": frame["pending"]}
    )
    return (
        unbegun.with_columns(frame["run_ms"], frame["start_ms"])
        .select(
            started=pl.when(
                pl.col("pending")
                | (
                    (pl.col("state") == int(EndState.CANCELLED))
                    & (pl.col("run_ms").fill_null(0) == 0)
                    & (pl.col("start_ms").is_null() | pl.col("nowhere"))
                )
            ).then(pl.lit(False))
        )
        .to_series()
    )


def _arrays(frame: pl.DataFrame) -> pl.DataFrame:
    """The tasks that records of pending array ranges stand for; a range too long to expand is refused."""
    ranged = frame["base"].str.contains("[", literal=True) & frame["fate"].is_null()
    if not ranged.any():
        return frame
    tasks: dict[str, Sequence[str] | None] = {
        text: array_tasks(text) for text in frame.filter(ranged)["base"].unique().to_list()
    }
    table = pl.DataFrame(
        {"base": list(tasks), "tasks": list(tasks.values())},
        schema={"base": pl.String, "tasks": pl.List(pl.String)},
    )
    frame = frame.join(table, on="base", how="left", maintain_order="left")
    broken = ranged & frame["tasks"].is_null()
    return refuse(frame, broken, "the array range cannot be expanded", frame["base"])
