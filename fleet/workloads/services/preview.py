"""What would be understood of an upload: its beginning is read exactly as the whole would be."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from fleet.workloads.files import local_path, scratch_folder
from fleet.workloads.models import StagedUpload
from fleet.workloads.services.mappings import mapping_for
from fleet.workloads.services.reading import read_file
from twin.problems import InvalidInput, Problem
from twin.workload import MISSING, Category, EndState, Imported, Jobs, open_source, read_table

HEAD_BYTES = 2 << 20
LONGEST_LINE_BYTES = 1 << 20  # a longer rest is no line cut by us: the reader shall see it, and refuse it
ROWS_SHOWN = 20
TABLE_FORMATS = ("auto", "csv")
DAMAGED = (EOFError, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)


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
    raw_rows: tuple[tuple[str | None, ...], ...] = ()
    columns: dict[str, str] = field(default_factory=dict)
    job_rows: tuple[tuple[object, ...], ...] = ()

    @property
    def is_readable(self) -> bool:
        return bool(self.job_rows)

    @property
    def is_table(self) -> bool:
        """Whether a person maps its columns."""
        return bool(self.header)


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
        with local_path(upload.file) as path, _beginning(path) as (head, whole):
            return _preview(upload, head, asked, whole=whole, chosen=reading is not None)
    except InvalidInput as error:
        return Preview(problems=error.problems, reading=asked)


def _preview(
    upload: StagedUpload, head: Path, asked: dict[str, Any], *, whole: bool, chosen: bool
) -> Preview:
    header, raw_rows = _table(head, upload.original_name, asked)
    remembered = mapping_for(upload.workspace, header) if header and not chosen else None
    used = asked | {"mapping": remembered} if remembered else asked
    seen: dict[str, Any] = {
        "reading": used,
        "whole_file": whole,
        "remembered": bool(remembered),
        "header": header,
        "raw_rows": raw_rows,
    }
    try:
        imported = read_file(head, upload.original_name, used)
    except InvalidInput as error:
        columns = ((used["mapping"] or {}).get("columns")) or {}
        return Preview(problems=error.problems, columns=columns, **seen)
    report = imported.report.to_dict()
    if report["format"] != "csv":
        seen |= {"header": (), "raw_rows": ()}
    return Preview(report=report, columns=report["columns"], job_rows=_job_rows(imported), **seen)


def _table(
    head: Path, name: str, asked: dict[str, Any]
) -> tuple[tuple[str, ...], tuple[tuple[str | None, ...], ...]]:
    """The header and first rows of a table; empty where the format is not one, or no table is seen."""
    if asked["format"] not in TABLE_FORMATS:
        return (), ()
    source = open_source(head, name=name)
    with suppress(InvalidInput):
        table = read_table(source, (asked["mapping"] or {}).get("delimiter"))
        rows = table.cells.select(table.header).head(ROWS_SHOWN).iter_rows()
        return table.header, tuple(rows)
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


@contextmanager
def _beginning(path: Path) -> Iterator[tuple[Path, bool]]:
    """A file with the first 2 MiB of text, cut after a whole line, and whether that is all of it.

    What is damaged or not text is given as it is: the reader says what is wrong with it.
    """
    try:
        with _expanded(path) as stream:
            head = stream.read(HEAD_BYTES)
            whole = not stream.read(1)
    except DAMAGED:
        yield path, True
        return
    end = head.rfind(b"\n") + 1
    if not whole and len(head) - end <= LONGEST_LINE_BYTES:
        head = head[:end]
    with scratch_folder() as folder:
        beginning = folder / "beginning"
        beginning.write_bytes(head)
        yield beginning, whole


@contextmanager
def _expanded(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as raw:
        magic = raw.read(4)
        raw.seek(0)
        if magic.startswith(b"\x1f\x8b"):
            yield gzip.GzipFile(fileobj=raw)
        elif magic == b"PK\x03\x04":
            with zipfile.ZipFile(raw) as archive:
                members = [item for item in archive.infolist() if not item.is_dir()]
                text = [item for item in members if not item.filename.startswith("__MACOSX/")]
                if len(text) != 1:
                    raise zipfile.BadZipFile
                yield archive.open(text[0])
        else:
            yield raw
