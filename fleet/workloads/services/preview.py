"""What would be understood of an upload: its beginning is read exactly as the whole would be."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from fleet.workloads.files import local_path, scratch_folder
from fleet.workloads.models import StagedUpload
from fleet.workloads.services.mappings import mapping_for
from fleet.workloads.services.reading import read_file
from twin.problems import InvalidInput, Problem
from twin.workload import (
    MISSING,
    Category,
    EndState,
    Imported,
    Jobs,
    Source,
    guess_columns,
    open_source,
    read_table,
)

RawRows = tuple[tuple[str | None, ...], ...]

HEAD_BYTES = 2 << 20
ROWS_SHOWN = 20
TABLE_FORMATS = ("auto", "csv")


@dataclass(frozen=True, slots=True)
class Preview:
    """``header`` and ``raw_rows`` are the file's own columns, for a table; ``job_rows`` the first jobs as
    understood, under ``JOB_COLUMNS``. ``reading`` is what was used."""

    problems: tuple[Problem, ...] = ()
    reading: dict[str, Any] | None = None
    report: dict[str, Any] = field(default_factory=dict)
    whole_file: bool = False
    remembered: bool = False
    header: tuple[str, ...] = ()
    raw_rows: RawRows = ()
    columns: dict[str, str] = field(default_factory=dict)
    job_rows: tuple[tuple[object, ...], ...] = ()
    opened: bool = True  # False: no text at all (an image, a cut archive, nothing), which no mapping helps

    @property
    def is_readable(self) -> bool:
        return bool(self.job_rows)


@dataclass(frozen=True, slots=True)
class JobColumn:
    """A column of the table of first jobs."""

    title: str
    numeric: bool = False


JOB_COLUMNS = (
    JobColumn("Job"),
    JobColumn("Submitted"),
    JobColumn("Run time (s)", numeric=True),
    JobColumn("GPUs", numeric=True),
    JobColumn("User"),
    JobColumn("Group"),
    JobColumn("Queue"),
    JobColumn("Time limit (s)", numeric=True),
    JobColumn("Ended"),
)


def upload_preview(upload: StagedUpload, reading: dict[str, Any] | None) -> Preview:
    """Read the beginning of an upload. Without a ``reading`` it is recognised, and a mapping remembered for
    its header is used. Problems are part of the answer."""
    asked = reading or {"format": "auto", "mapping": None, "keep": {}}
    try:
        with local_path(upload.file) as path:
            source = open_source(path, name=upload.original_name, at_most=HEAD_BYTES)
    except InvalidInput as error:
        return Preview(problems=error.problems, reading=asked, opened=False)
    header, raw_rows = _table(source, asked)
    remembered = mapping_for(upload.workspace, header) if header and reading is None else None
    used = asked | {"mapping": remembered} if remembered else asked
    seen: dict[str, Any] = {
        "reading": used,
        "whole_file": source.whole,
        "remembered": bool(remembered),
        "header": header,
        "raw_rows": raw_rows,
    }
    try:
        imported = _read(source, used)
    except InvalidInput as error:
        mapped = (used["mapping"] or {}).get("columns") or {}
        return Preview(problems=error.problems, columns=guess_columns(header) | mapped, **seen)
    report = imported.report.to_dict() | {"encoding": source.encoding, "compression": source.compression}
    if report["format"] != "csv":
        seen |= {"header": (), "raw_rows": ()}
    return Preview(report=report, columns=report["columns"], job_rows=_job_rows(imported), **seen)


def _read(source: Source, reading: dict[str, Any]) -> Imported:
    """The beginning, read exactly as the whole would be."""
    with scratch_folder() as folder:
        beginning = folder / "beginning"
        beginning.write_text("\n".join(source.lines.to_list()), encoding="utf-8")
        return read_file(beginning, source.name, reading)


def _table(source: Source, asked: dict[str, Any]) -> tuple[tuple[str, ...], RawRows]:
    """The header and first rows of a table; empty where the format is not one, or no table is seen."""
    if asked["format"] in TABLE_FORMATS:
        with suppress(InvalidInput):
            table = read_table(source, (asked["mapping"] or {}).get("delimiter"))
            return table.header, tuple(table.cells.select(table.header).head(ROWS_SHOWN).iter_rows())
    return (), ()


def _job_rows(imported: Imported) -> tuple[tuple[object, ...], ...]:
    jobs = imported.jobs
    return tuple(_job_row(jobs, row) for row in range(min(ROWS_SHOWN, len(jobs))))


def _job_row(jobs: Jobs, row: int) -> tuple[object, ...]:
    """One job under ``JOB_COLUMNS``; None where the trace does not say."""
    limit_ms = int(jobs.limit_ms[row])
    return (
        jobs.job_id[row],
        told_time(jobs, int(jobs.submit_ms[row])),
        int(jobs.run_ms[row]) / 1000,
        int(jobs.gpu_milli[row]) / 1000,
        *(_word(column, row) for column in (jobs.user, jobs.group, jobs.queue)),
        None if limit_ms == MISSING else limit_ms / 1000,
        EndState(jobs.recorded_state[row]).name.lower().replace("_", " "),
    )


def _word(column: Category, row: int) -> str | None:
    code = int(column.codes[row])
    return column.names[code] if code >= 0 else None


def told_time(jobs: Jobs, at_ms: int) -> str:
    """A time of the table as a date, or as seconds from the trace's start where it has no calendar."""
    if jobs.origin_epoch_ms is None:
        return f"{at_ms / 1000:,.0f} s"
    moment = datetime.fromtimestamp((jobs.origin_epoch_ms + at_ms) / 1000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}"
