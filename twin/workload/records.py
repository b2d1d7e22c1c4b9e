"""What a format hands over: one row a record of the file, in columns that mean the same for every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import polars as pl

from twin.workload.report import Fate
from twin.workload.source import Source

COLUMNS: dict[str, pl.DataType | type[pl.DataType]] = {
    "line": pl.Int64,  # in the file, from 1
    "fate": pl.Int8,  # Fate where the format decided it; null = still to be decided
    "reason": pl.String,  # why that fate, the same words for the same cause
    "detail": pl.String,  # what is particular to this row
    "job_id": pl.String,
    "submit_ms": pl.Int64,  # times in ms: of the epoch, or from the trace's own zero
    "eligible_ms": pl.Int64,
    "start_ms": pl.Int64,
    "end_ms": pl.Int64,
    "run_ms": pl.Int64,  # null: end - start
    "limit_ms": pl.Int64,
    "started": pl.Boolean,  # False: known never to have started
    "gpu_milli": pl.Int64,  # asked, in thousandths of a GPU; null = not known
    "nodes": pl.Int64,
    "gpus_per_node": pl.Int64,
    "node_count": pl.Int64,  # nodes that the job was given, where no shape is known to have been asked for
    "cpus": pl.Int64,
    "memory_mb": pl.Int64,
    "priority": pl.Int64,
    "user": pl.String,
    "group": pl.String,
    "queue": pl.String,
    "job_class": pl.String,
    "gpu_models": pl.String,
    "moves_as": pl.Int8,
    "state": pl.Int8,  # EndState; null = not known
    "tasks": pl.List(pl.String),  # ids of the array tasks this row stands for; null = one job
}


@dataclass(frozen=True, slots=True)
class Records:
    """All rows read, with ``COLUMNS``, and what the format found out about the whole file."""

    frame: pl.DataFrame
    calendar: bool
    time_format: str
    time_zone: str
    delimiter: str
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    repairs: Mapping[str, int] = field(default_factory=dict)


def complete(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with every column of ``COLUMNS``, absent ones as nulls, in their order and types."""
    return frame.select(
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(kind).alias(name)
        for name, kind in COLUMNS.items()
    )


Detail = pl.Series | Callable[[], pl.Series] | None
"""What is particular to each row, or how to work it out should any row need it."""


def refuse(frame: pl.DataFrame, rows: pl.Series, reason: str, detail: Detail = None) -> pl.DataFrame:
    """The frame with these rows (a Boolean column) refused, where they had no fate yet."""
    return decide(frame, rows, Fate.REFUSED, reason, detail)


def decide(
    frame: pl.DataFrame, rows: pl.Series, fate: Fate, reason: str, detail: Detail = None
) -> pl.DataFrame:
    """The frame with the fate of these rows decided, where it was still open."""
    chosen = rows.fill_null(False)
    if not chosen.any():
        return frame
    now = chosen & frame["fate"].is_null()
    words = detail() if callable(detail) else detail
    told = pl.lit(None, dtype=pl.String) if words is None else words.cast(pl.String)
    return (
        frame.with_columns(now.alias("_now"), told.alias("_told"))
        .with_columns(
            pl.when("_now").then(pl.lit(int(fate), dtype=pl.Int8)).otherwise("fate").alias("fate"),
            pl.when("_now").then(pl.lit(reason)).otherwise("reason").alias("reason"),
            pl.when("_now").then("_told").otherwise("detail").alias("detail"),
        )
        .drop("_now", "_told")
    )


DUPLICATE = "the same row came before"
STARTS_ARE_SUBMITS = (
    "No submit times: the recorded starts are taken for them, and are not kept as starts; waits are not "
    "known."
)


def undecided(source: Source, lines: pl.Series, *, equal_rows_are_one: bool) -> pl.DataFrame:
    """A frame of these line numbers with the columns that ``decide`` needs.

    With ``equal_rows_are_one`` a row alike letter by letter to an earlier one is a duplicate; not so in files
    without ids, where equal rows may be two real jobs.
    """
    frame = pl.DataFrame({"line": lines}).with_columns(
        pl.lit(None, dtype=pl.Int8).alias("fate"),
        pl.lit(None, dtype=pl.String).alias("reason"),
        pl.lit(None, dtype=pl.String).alias("detail"),
    )
    if not equal_rows_are_one:
        return frame
    return decide(frame, ~source.lines.gather(lines - 1).is_first_distinct(), Fate.DUPLICATE, DUPLICATE)
