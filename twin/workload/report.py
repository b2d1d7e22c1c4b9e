"""What an import tells: the fate of every row, what was repaired or assumed, and the rows refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import polars as pl

from twin.spreadsheet import safe_frame
from twin.workload.jobs import Jobs

REFUSALS_SHOWN = 20


def counted(number: int, noun: str) -> str:
    """``1 job``, ``1,234 jobs``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Fate(IntEnum):
    """What became of a row of the file. Every row has exactly one."""

    JOB = 0
    FOLDED = 1  # a step, an earlier attempt or a component of a job in another row
    DUPLICATE = 2  # the same row, letter by letter, came before
    DROPPED = 3  # left out by choice
    REFUSED = 4  # cannot be used


@dataclass(frozen=True, slots=True)
class KeepOptions:
    """Which rows become jobs. The others are *dropped by choice*, counted and named.

    ``count_as_gpus``: "gpus" keeps jobs that ask for GPUs; "processors" or "nodes" replays that count as
    if it were GPUs (for logs of machines without any). The window is in milliseconds after the earliest
    submit of the file.
    """

    count_as_gpus: str = "gpus"
    from_ms: int | None = None
    until_ms: int | None = None
    groups: tuple[str, ...] = ()  # empty: all
    queues: tuple[str, ...] = ()
    any_gpu_model: bool = False  # True: what the trace says of acceptable models is left out


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refused row: its line in the file, why, and its text."""

    line: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class UnmetDemand:
    """Jobs that never started: cancelled while they waited, or still waiting when the trace was written."""

    cancelled_while_pending: int = 0
    cancelled_gpus_asked: int = 0
    still_pending: int = 0
    pending_gpus_asked: int = 0
    gpus_not_known: int = 0  # of these, jobs whose GPU count the trace does not say


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The account of one import. ``rows_read == job_rows + folded + duplicates + dropped + refused``, each a
    count of rows; ``jobs`` is counted apart, since an array's row makes many jobs."""

    file_name: str
    format: str
    format_title: str
    encoding: str
    compression: str
    delimiter: str
    rows_read: int
    job_rows: int
    folded: dict[str, int]  # rows by what they were
    duplicates: int
    dropped: dict[str, int]  # rows by the choice that dropped them
    refused: dict[str, int]  # rows by reason, numbers of the row left out
    jobs: int
    repairs: dict[str, int]  # jobs by what was mended in them
    censored: int  # jobs still running when the trace was written: their run time is a lower bound
    unmet: UnmetDemand
    states: dict[str, int]
    gpus_asked_for: int  # sum over jobs
    time_format: str
    time_zone: str
    first_submit: str  # ISO 8601, or seconds from the trace's own start where it has no calendar
    last_submit: str
    columns: dict[str, str]  # field -> the file's column
    notes: tuple[str, ...]
    first_refusals: tuple[Refusal, ...]

    @property
    def rows_refused(self) -> int:
        return sum(self.refused.values())

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON-able values."""
        return asdict(self) | {"rows_refused": self.rows_refused}


@dataclass(frozen=True, slots=True)
class Imported:
    """``refused`` has the columns line, reason and text, one row a refused row of the file."""

    jobs: Jobs
    report: ImportReport
    refused: pl.DataFrame

    def write_refused_csv(self, path: Path | str) -> None:
        """All refused rows with their line numbers and reasons, as CSV. A cell that a spreadsheet would
        take for a formula begins with an apostrophe."""
        safe_frame(self.refused).write_csv(path)


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """``done`` is the share of the whole import, 0 to 1."""

    step: str
    done: float


OnImportProgress = Callable[[ImportProgress], bool]
"""Returns False to stop the import, which then raises ``ImportCancelled``."""


class ImportCancelled(Exception):
    """The caller asked the import to stop."""
