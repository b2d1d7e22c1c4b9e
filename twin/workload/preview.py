"""A look at a trace before it is read: the format, how its text is written, its columns and first rows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from twin.problems import InvalidInput, Problem
from twin.workload.formats import chosen_format
from twin.workload.mapping import ColumnMapping
from twin.workload.source import Source, open_source
from twin.workload.table import DELIMITERS, read_table

ROWS = 20
HEAD_BYTES = 2 << 20  # above the longest line a trace may have
TABLES = ("csv", "philly", "openb")


@dataclass(frozen=True, slots=True)
class Preview:
    """``columns`` maps fields to the file's columns, as guessed or mapped; ``header`` is empty for
    formats that are no tables, whose ``rows`` are whole lines. ``problems`` are what would stop the
    import; only the file's beginning was looked at unless ``whole_file``."""

    file_name: str
    format: str
    format_title: str
    encoding: str
    compression: str
    delimiter: str
    whole_file: bool
    header: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    columns: dict[str, str]
    time_format: str
    time_zone: str
    problems: tuple[Problem, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def preview(
    path: Path | str,
    mapping: ColumnMapping | None = None,
    *,
    format: str = "auto",
    name: str | None = None,
) -> Preview:
    """Look at the first 2 MiB of a trace. Raises InvalidInput only for what is no text at all; what is
    wrong with a table is told in ``problems``."""
    chosen_mapping = mapping or ColumnMapping()
    source = open_source(Path(path), name=name, at_most=HEAD_BYTES)
    chosen = chosen_format(source, format)
    header, rows, delimiter = _first_rows(source, chosen.NAME, chosen_mapping)
    columns: dict[str, str] = {}
    time_format = time_zone = ""
    problems: tuple[Problem, ...] = ()
    try:
        records = chosen.read(source, chosen_mapping)
        columns, delimiter = dict(records.columns), records.delimiter
        time_format, time_zone = records.time_format, records.time_zone
    except InvalidInput as wrong:
        problems = wrong.problems
    return Preview(
        file_name=source.name,
        format=chosen.NAME,
        format_title=chosen.TITLE,
        encoding=source.encoding,
        compression=source.compression,
        delimiter=delimiter,
        whole_file=source.whole,
        header=header,
        rows=rows,
        columns=columns,
        time_format=time_format,
        time_zone=time_zone,
        problems=problems,
    )


def _first_rows(
    source: Source, format_name: str, mapping: ColumnMapping
) -> tuple[tuple[str, ...], tuple[tuple[str | None, ...], ...], str]:
    if format_name in TABLES:
        with suppress(InvalidInput):
            table = read_table(source, mapping.delimiter, mapping.header)
            rows = tuple(table.cells.select(table.header).head(ROWS).iter_rows())
            return table.header, rows, DELIMITERS.get(table.delimiter, table.delimiter)
    return (), tuple((line,) for line in source.lines.head(ROWS).to_list()), ""
