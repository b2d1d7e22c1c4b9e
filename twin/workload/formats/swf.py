"""The Standard Workload Format of the Parallel Workloads Archive: 18 numbers a line, comments after
semicolons.

https://www.cs.huji.ac.il/labs/parallel/workload/swf.html (version 2.2). Semicolons as delimiters (CQSim,
Slurm simulator) are read too.
"""

from __future__ import annotations

import re

import polars as pl

from twin.problems import InvalidInput
from twin.workload.jobs import EndState
from twin.workload.mapping import ColumnMapping
from twin.workload.records import Records, complete, decide, refuse, undecided
from twin.workload.report import Fate
from twin.workload.source import Source
from twin.workload.table import LINE, field_counts, parse_lines
from twin.workload.times import EPOCH_FLOOR, given, read_milliseconds

NAME = "swf"
TITLE = "Standard Workload Format (SWF)"

FIELDS = (
    "job_id", "submit", "wait", "run", "processors", "cpu_time", "memory", "processors_asked",
    "time_asked", "memory_asked",
    "status", "user", "group", "application", "queue", "partition", "preceding", "think_time",
)  # fmt: skip
USED = (
    "job_id", "submit", "wait", "run", "processors", "processors_asked", "time_asked", "status", "user",
    "group",
    "application", "queue",
)  # fmt: skip
STATES = {"0": EndState.FAILED, "1": EndState.COMPLETED, "5": EndState.CANCELLED}
NUMBER = r"-?\d+(\.\d+)?"
HEADER_LINE = re.compile(r"^;\s*(?P<key>[A-Za-z]+):\s*(?P<value>.*)$")
GPUS_NOTE = (
    "SWF counts processors, not GPUs: each processor (a node, in logs of whole-node machines) is replayed "
    "as one GPU. Memory and processor time of the log are not used."
)


def recognise(sample: list[str]) -> float:
    """Sure where lines of 18 numbers follow comments; most lines must be such lines."""
    rows = [line.strip() for line in sample if not line.startswith(";")]
    numeric = [row for row in rows if _looks_like_row(row)]
    if not numeric or len(numeric) < 0.8 * len(rows):
        return 0.0
    return 0.95 if len(rows) < len(sample) else 0.8


def _looks_like_row(row: str) -> bool:
    fields = re.split(r"[;\s]+" if ";" not in row else ";", row.rstrip(";"))
    return len(fields) >= len(FIELDS) - 1 and all(re.fullmatch(NUMBER, field) for field in fields[:11])


def read(source: Source, mapping: ColumnMapping) -> Records:
    """Read a log. Times are absolute where the header has UnixStartTime or submits are of the epoch."""
    header = _header(source)
    rows = _rows(source)
    frame = _cells(source, rows)
    frame, calendar, shift_ms, notes = _times(frame, header)
    frame = _meaning(frame)
    frame = frame.with_columns((pl.col(name) + shift_ms) for name in ("submit_ms", "start_ms", "end_ms"))
    zone = header.get("TimeZoneString", "UTC") if calendar else "no calendar"
    return Records(
        frame=complete(frame),
        calendar=calendar,
        time_format="seconds" + (" of the epoch" if calendar else " from the start"),
        time_zone=mapping.time_zone or zone,
        delimiter="semicolon" if ";" in str(rows["text"][0]) else "blanks",
        columns={},
        notes=(GPUS_NOTE, *notes),
    )


def _header(source: Source) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in source.lines.filter(source.lines.str.starts_with(";")).head(2000).to_list():
        if match := HEADER_LINE.match(line):
            found.setdefault(match["key"], match["value"].strip())
    return found


def _rows(source: Source) -> pl.DataFrame:
    """Lines of jobs with their numbers, blanks made single."""
    lines = source.lines
    body = pl.DataFrame(
        {"line": pl.int_range(1, len(lines) + 1, dtype=pl.Int64, eager=True), "text": lines.str.strip_chars()}
    ).filter((pl.col("text") != "") & ~pl.col("text").str.starts_with(";"))
    if body.is_empty():
        raise InvalidInput.single(source.name, "there is no job line in the file", "18 numbers a line")
    return body


def _cells(source: Source, rows: pl.DataFrame) -> pl.DataFrame:
    """The fields that are used, as text, null where the log says -1; what follows the 18 fields is left
    out."""
    mark = ";" if ";" in str(rows["text"][0]) else " "
    text = rows["text"]
    if mark == " " and text.str.contains(r"\s\s|\t").any():
        text = text.str.replace_all(r"\s+", " ")
    if (field_counts(text, mark, quoted=False) == len(FIELDS)).all():
        fields = parse_lines(pl.DataFrame([rows["line"].alias(LINE), text]), mark, FIELDS)
    else:
        parts = text.str.splitn(mark, len(FIELDS) + 1).struct.unnest()
        fields = parts.select(pl.nth(range(len(FIELDS)))).rename(
            dict(zip(parts.columns, FIELDS, strict=False))
        )
    frame = undecided(source, rows["line"], equal_rows_are_one=True)
    frame = frame.with_columns(given(fields[name]).alias(name) for name in USED)
    titles = ~frame["job_id"].str.contains(r"^-?\d").fill_null(True)
    frame = decide(frame, titles, Fate.FOLDED, "a line of column titles")
    short = fields[FIELDS[-2]].is_null()  # the last field may be missing, others not
    return refuse(frame, short, f"fewer than {len(FIELDS)} fields")


def _times(frame: pl.DataFrame, header: dict[str, str]) -> tuple[pl.DataFrame, bool, int, list[str]]:
    """Submit, start, end, run and limit in ms; whether they are of the epoch, and what to add to make
    them so."""
    ms = {name: read_milliseconds(frame[name]) for name in ("submit", "wait", "run", "time_asked")}
    for name, read in ms.items():
        frame = refuse(
            frame, frame[name].is_not_null() & read.is_null(), f"{name} is not a number", frame[name]
        )
    notes: list[str] = []
    run = ms["run"].set(ms["run"] < 0, None)
    start = ms["submit"] + ms["wait"].set(ms["wait"] < 0, None)
    frame = frame.with_columns(
        submit_ms=ms["submit"], start_ms=start, end_ms=start + run, run_ms=run, limit_ms=ms["time_asked"]
    )
    typical = ms["submit"].median()
    absolute = isinstance(typical, (int, float)) and typical >= EPOCH_FLOOR * 1000
    begin = header.get("UnixStartTime", "").split(".")[0]
    if absolute:
        return frame, True, 0, notes
    if begin.isdigit() and int(begin) > 0:
        return frame, True, int(begin) * 1000, notes
    return frame, False, 0, notes


def _meaning(frame: pl.DataFrame) -> pl.DataFrame:
    """Processors, state and names. Status 2, 3 and 4 are parts of a job that has a line of its own."""
    processors = frame.select(
        pl.coalesce(
            pl.col("processors").cast(pl.Float64, strict=False).replace(0.0, None),
            pl.col("processors_asked").cast(pl.Float64, strict=False),
        ).cast(pl.Int64, strict=False)
    ).to_series()
    status = frame["status"].str.extract(r"^(-?\d+)")
    told = status.is_not_null().any() and not bool((status.drop_nulls() == "0").all())
    states = {word: int(state) for word, state in STATES.items()} if told else {}
    frame = decide(frame, status.is_in(["2", "3", "4"]), Fate.FOLDED, "a part of a job between checkpoints")
    state = status.replace_strict(states, default=None, return_dtype=pl.Int8)
    return frame.with_columns(
        gpu_milli=processors * 1000, state=state, job_class=frame["application"], limit_ms=pl.col("limit_ms")
    ).with_columns(
        started=pl.when((pl.col("state") == int(EndState.CANCELLED)) & pl.col("run_ms").is_null()).then(
            pl.lit(False)
        )
    )
