"""Any table with a header: CSV, TSV and the like, its columns guessed by name or mapped by a person."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from twin.problems import InvalidInput, Problem
from twin.workload.jobs import MovesAs
from twin.workload.mapping import NOT_USED_YET, ColumnMapping, chosen_columns, plain_name
from twin.workload.records import STARTS_ARE_SUBMITS, Records, complete, refuse, undecided
from twin.workload.report import counted
from twin.workload.source import Source
from twin.workload.states import read_states
from twin.workload.table import DELIMITERS, LINE, Table, read_table
from twin.workload.times import (
    Times,
    given,
    read_durations,
    read_milliseconds,
    read_times,
    without_thousands,
)

NAME = "csv"
TITLE = "CSV or TSV with a header"

TIMES = ("submit", "eligible", "start", "end")
WHOLE = ("nodes", "gpus_per_node", "cpus", "priority")
DECIMALS = ("duration", "time_limit", "wait", "gpus", "memory_gb")
TEXTS = {"user": "user", "group": "group", "queue": "queue", "class": "job_class", "gpu_model": "gpu_models"}
MEMORY_MB = {"gb": 1024.0, "gib": 1024.0, "mb": 1.0, "mib": 1.0}
SPREADSHEET_ID = r"^\d(\.\d+)?E\+\d+$"
QUEUE_NAMES_AT_MOST = 20  # more different numbers than this in "queue" are waits, not names


def recognise(sample: list[str]) -> float:
    """Always possible, never sure: a format that knows the file comes first."""
    return 0.1 if sample else 0.0


def read(source: Source, mapping: ColumnMapping) -> Records:
    """Read a table by its header and the mapping; InvalidInput where a needed column is missing."""
    table = read_table(source, mapping.delimiter, mapping.header)
    columns = chosen_columns(table.header, mapping, source.name)
    if "queue" not in mapping.columns:
        columns = _without_numeric_queue(table, columns)
    return read_columns(source, table, columns, mapping)


def read_columns(
    source: Source,
    table: Table,
    columns: Mapping[str, str],
    mapping: ColumnMapping,
    *,
    equal_rows_are_one: bool | None = None,
) -> Records:
    """Records of a table whose columns' meaning is settled. Equal rows are one job where rows have ids,
    unless ``equal_rows_are_one`` says otherwise."""
    require_columns(source.name, columns, table.header)
    times = _times(source.name, table, columns, mapping)
    ids, notes = _ids(table.cells, columns.get("job_id"))
    same = ids.null_count() < len(ids) if equal_rows_are_one is None else equal_rows_are_one
    frame = undecided(source, table.cells[LINE], equal_rows_are_one=same).with_columns(ids.alias("job_id"))
    for what, read in times.items():
        frame = refuse(frame, read.bad, f"{what} is not a time", table.cells[columns[what]])
        frame = frame.with_columns(read.ms.alias(f"{what}_ms"))
    cells, mended = _decimal_points(table, columns)
    frame, told = _durations(frame, cells, columns, mapping)
    frame, also_told = _meaning(_numbers(frame, cells, columns), table, columns)
    clock = times["submit" if "submit" in times else "start"]
    return Records(
        frame=pl.concat([complete(frame), table.apart]).sort("line"),
        calendar=clock.calendar,
        time_format=clock.format,
        time_zone=clock.zone,
        delimiter=DELIMITERS.get(table.delimiter, table.delimiter),
        columns=columns,
        notes=(*notes, *mended, *told, *also_told),
    )


def require_columns(name: str, columns: Mapping[str, str], header: tuple[str, ...]) -> None:
    """Raise InvalidInput, all at once, for what no column says."""
    missing = []
    if not {"submit", "start"} & columns.keys():
        missing.append("no column says when jobs were submitted")
    if "duration" not in columns and not {"start", "end"} <= columns.keys():
        missing.append("no column says how long jobs ran (duration, or start and end)")
    if not {"gpus", "cpus"} & columns.keys() and not {"nodes", "gpus_per_node"} <= columns.keys():
        missing.append("no column says how many GPUs jobs ask for")
    if missing:
        have = "map one of the columns " + ", ".join(header[:40])
        raise InvalidInput(tuple(Problem(name, what, have) for what in missing))


def _without_numeric_queue(table: Table, columns: Mapping[str, str]) -> dict[str, str]:
    """Some traces call the seconds waited "queue"; the guess is withdrawn where the column holds many
    numbers."""
    queue = columns.get("queue")
    if not queue:
        return dict(columns)
    numbers = table.cells[queue].cast(pl.Float64, strict=False).drop_nulls().n_unique()
    return {
        name: column for name, column in columns.items() if name != "queue" or numbers <= QUEUE_NAMES_AT_MOST
    }


def _times(name: str, table: Table, columns: Mapping[str, str], mapping: ColumnMapping) -> dict[str, Times]:
    times = {
        what: read_times(
            table.cells[columns[what]],
            f"{name}, column '{columns[what]}'",
            zone=mapping.time_zone,
            pattern=mapping.time_format,
            unit_s=mapping.unit_s(what, columns[what]),
        )
        for what in TIMES
        if what in columns
    }
    kinds = {what: read.calendar for what, read in times.items() if read.ms.null_count() < len(read.ms)}
    if len(set(kinds.values())) > 1:
        told = ", ".join(f"'{columns[what]}' has {times[what].format}" for what in kinds)
        what = f"the time columns do not agree: {told}"
        raise InvalidInput.single(name, what, "one kind of time in all of them")
    return times


def _ids(cells: pl.DataFrame, column: str | None) -> tuple[pl.Series, list[str]]:
    """Ids as text, or none where a spreadsheet has rounded them to the same few numbers."""
    none = pl.Series("job_id", [None] * cells.height, dtype=pl.String)
    if column is None:
        return none, []
    ids = given(cells[column])
    if ids.str.contains(SPREADSHEET_ID).any():
        return none, [
            f"The ids in '{column}' were rounded by a spreadsheet (3.91E+16); rows are numbered instead."
        ]
    return ids, []


def _decimal_points(table: Table, columns: Mapping[str, str]) -> tuple[pl.DataFrame, list[str]]:
    """The cells with ``600,5`` as ``600.5`` in lengths and counts, where commas do not part the fields.
    A column whose every comma could group thousands (``2,590``) is left as it is."""
    cells, notes = table.cells, []
    for what in DECIMALS if table.delimiter != "," else ():
        column = columns.get(what)
        if column is None:
            continue
        text = cells[column].str.strip_chars()
        commas = text.str.contains(r"^[+-]?\d+,\d+$").fill_null(False)
        if not (commas & ~text.str.contains(r"^\d{1,3},\d{3}$").fill_null(False)).any():
            continue
        cells = cells.with_columns(
            pl.when(commas).then(text.str.replace(",", ".", literal=True)).otherwise(text).alias(column)
        )
        rows = counted(int(commas.sum()), "row")
        notes.append(f"Repaired: decimal commas in '{column}' are read as decimal points, in {rows}.")
    return cells, notes


def _durations(
    frame: pl.DataFrame, cells: pl.DataFrame, columns: Mapping[str, str], mapping: ColumnMapping
) -> tuple[pl.DataFrame, list[str]]:
    """Run time, time limit and wait; where a duration and timestamps disagree the timestamps hold."""
    notes = []
    for what, to in (("duration", "run_ms"), ("time_limit", "limit_ms"), ("wait", "wait_ms")):
        if what in columns:
            ms, bad = read_durations(cells[columns[what]], mapping.unit_s(what, columns[what]) or 1.0)
            frame = refuse(
                frame,
                bad,
                f"{what} is not a length of time such as 600, 600.5 or 1-02:30:00",
                cells[columns[what]],
            )
            frame = frame.with_columns(ms.alias(to))
    if {"start_ms", "end_ms"} <= set(frame.columns):
        frame, told = _timestamps_hold(frame, columns)
        notes += told
    if "submit_ms" not in frame.columns:
        frame = frame.with_columns(submit_ms="start_ms", start_ms=pl.lit(None, dtype=pl.Int64))
        notes.append(STARTS_ARE_SUBMITS)
    elif "wait_ms" in frame.columns and "start_ms" not in frame.columns:
        frame = frame.with_columns(start_ms=pl.col("submit_ms") + pl.col("wait_ms"))
    return frame, notes


def _timestamps_hold(frame: pl.DataFrame, columns: Mapping[str, str]) -> tuple[pl.DataFrame, list[str]]:
    between = (pl.col("end_ms") - pl.col("start_ms")).alias("between")
    if "run_ms" not in frame.columns:
        return frame.with_columns(run_ms=between.clip(lower_bound=0)), []
    differ = ((between - pl.col("run_ms")).abs() > 1000) & (between >= 0)
    rows = int(frame.select(differ.sum()).item())
    if not rows:
        return frame, []
    told = (
        f"'{columns['duration']}' is not end − start in {rows:,} of {frame.height:,} rows: timestamps hold."
    )
    return frame.with_columns(run_ms=pl.when(differ.fill_null(False)).then(between).otherwise("run_ms")), [
        told
    ]


def _numbers(frame: pl.DataFrame, cells: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
    for what in WHOLE:
        if what in columns:
            numbers, bad = whole_numbers(cells[columns[what]])
            frame = refuse(frame, bad, f"{what} is not a whole number", cells[columns[what]])
            kept = numbers if what == "priority" else numbers.set(numbers < 1, None)
            frame = frame.with_columns(kept.alias(what))
    if "memory_gb" in columns:
        unit = plain_name(columns["memory_gb"]).rpartition("_")[2]
        memory = given(cells[columns["memory_gb"]]).cast(pl.Float64, strict=False) * MEMORY_MB.get(
            unit, 1024.0
        )
        frame = frame.with_columns(memory.ceil().cast(pl.Int64, strict=False).alias("memory_mb"))
    if "gpus" in columns:
        return _gpus(frame, cells[columns["gpus"]])
    if {"nodes", "gpus_per_node"} <= columns.keys():
        return frame.with_columns(gpu_milli=pl.col("nodes") * pl.col("gpus_per_node") * 1000)
    return frame.with_columns(gpu_milli=pl.lit(0, dtype=pl.Int64))


def _gpus(frame: pl.DataFrame, column: pl.Series) -> pl.DataFrame:
    """Thousandths of a GPU; a stated -1 is refused as negative rather than taken for "not known"."""
    text = given(column)
    milli = read_milliseconds(without_thousands(text))  # thousandths of one, as with seconds
    frame = refuse(frame, text.is_not_null() & milli.is_null(), "gpus is not a number", text)
    frame = refuse(frame, column.str.strip_chars() == "-1", "the GPU count is negative", column)
    return frame.with_columns(gpu_milli=milli)


def whole_numbers(column: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Whole numbers (Int64, null = not given) and which cells are given but are none; ``32.0`` is one."""
    cells = without_thousands(given(column))
    numbers = cells.cast(pl.Int64, strict=False)
    if numbers.null_count() > cells.null_count():
        reals = cells.cast(pl.Float64, strict=False)
        numbers = numbers.fill_null(reals.set(reals != reals.floor(), None).cast(pl.Int64, strict=False))
    return numbers, cells.is_not_null() & numbers.is_null()


def _meaning(
    frame: pl.DataFrame, table: Table, columns: Mapping[str, str]
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Texts, end states and what moving does to a job."""
    cells = table.cells
    notes: tuple[str, ...] = ()
    frame = frame.with_columns(
        given(cells[columns[what]]).alias(to) for what, to in TEXTS.items() if what in columns
    )
    if "state" in columns:
        states = read_states(cells[columns["state"]])
        waits = states.pending.alias("waits").to_frame()
        started = waits.select(pl.when("waits").then(pl.lit(False))).to_series()
        frame = frame.with_columns(states.state.alias("state"), started.alias("started"))
        notes = states.note()
    if "moves_as" in columns:
        frame = _moves(frame, cells[columns["moves_as"]])
    ignored = [header for header in table.header if plain_name(header) in NOT_USED_YET]
    return frame, (*notes, f"Not used yet: {', '.join(ignored)}.") if ignored else notes


def _moves(frame: pl.DataFrame, column: pl.Series) -> pl.DataFrame:
    words = {move.name.lower(): int(move) for move in MovesAs}
    text = given(column).str.to_lowercase()
    moves = text.replace_strict(words, default=None, return_dtype=pl.Int8)
    frame = refuse(
        frame, text.is_not_null() & moves.is_null(), f"moves_as is none of {', '.join(words)}", text
    )
    return frame.with_columns(moves_as=moves)
