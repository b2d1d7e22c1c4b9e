"""Delimited text as a table of strings. A row with the wrong number of fields is set apart, never shifted."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from twin.problems import InvalidInput
from twin.workload.records import complete
from twin.workload.report import Fate
from twin.workload.source import MAX_LINE_BYTES, Source

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", "^|^": "^|^", " ": "blanks"}
LINE = " line"  # the column of line numbers; the blank keeps it apart from headers
JOINT = "\x1f"  # stands for delimiters of several characters
QUOTED = '"(?:[^"]|"")*"'
NUMBER = r"^[+-]?[\d.]+([eE][+-]?\d+)?$"


@dataclass(frozen=True, slots=True)
class Table:
    """``cells`` has a String column a header, and ``LINE``; ``apart`` are the records of rows with a fate
    already."""

    header: tuple[str, ...]
    cells: pl.DataFrame
    apart: pl.DataFrame
    delimiter: str
    header_line: int | None


def field_counts(lines: pl.Series, delimiter: str, quoted: bool) -> pl.Series:
    """Fields in each line, delimiters inside quotation marks not counted."""
    bare = lines.str.replace_all(QUOTED, "") if quoted else lines
    if delimiter == " ":
        return bare.str.strip_chars().str.count_matches(r"\s+") + 1
    return bare.str.count_matches(delimiter, literal=True) + 1


def sniff_delimiter(sample: Sequence[str], name: str) -> str:
    """The delimiter that cuts the sample's lines into the same number of fields, more than one."""
    lines = pl.Series("line", [line for line in sample if not _is_comment(line)], dtype=pl.String)
    best, score = "", 0.0
    for delimiter in DELIMITERS:
        counts = field_counts(lines, delimiter, quoted=True).to_list()
        width, alike = Counter(counts).most_common(1)[0] if counts else (1, 0)
        if width < 2:
            continue
        mark = alike / len(counts) + (0.0 if delimiter == " " else 0.2) + min(width, 20) / 1000
        if delimiter == "|" and "^|^" in sample[0]:
            continue
        if mark > score:
            best, score = delimiter, mark
    if not best:
        what = "no delimiter found: every line is a single field"
        raise InvalidInput.single(name, what, "fields parted by comma, semicolon, tab or |")
    return best


def read_table(source: Source, delimiter: str | None = None, header: Sequence[str] | None = None) -> Table:
    """Read the source as a table. ``header`` names the columns where the file has no header line.

    Comment lines before the header and blank lines are no rows. Raises InvalidInput where there is no table.
    """
    first = _first_line(source)
    if str(source.lines[first]).lstrip().startswith(("{", "[")):
        raise InvalidInput.single(
            source.name, "this is JSON, which is not read yet", "CSV, sacct -P output or SWF"
        )
    mark = delimiter or sniff_delimiter(source.sample, source.name)
    if header is None:
        names = _header_names(source, str(source.lines[first]), mark)
        body_from = first + 1
    else:
        names, body_from = tuple(header), first
    quoted = source.quoted
    body = _body(source, body_from, mark)
    repeated = body["text"] == (source.lines[first] if header is None else "")
    folded = _apart(body.filter(repeated), Fate.FOLDED, "a header line repeated", None)
    body = body.filter(~repeated)
    if quoted and not _well_quoted(body["text"], mark):
        cells, ragged = _by_record(body, mark, names, source.name)
    else:
        cells, ragged = _by_line(body, mark, names, quoted)
    return Table(names, cells, pl.concat([folded, ragged]), mark, first + 1 if header is None else None)


def _well_quoted(lines: pl.Series, delimiter: str) -> bool:
    """Whether quotation marks only ever enclose whole fields, each closed on its line."""
    mark = "\x1e"
    bare = lines.str.replace_all(QUOTED, mark)
    edge = re.escape(delimiter)
    misplaced = bare.str.contains(f'"|[^{edge}]{mark}|{mark}[^{edge}]')
    return not misplaced.any()


def _is_comment(line: str) -> bool:
    return line.startswith("#") or line.lower().startswith("sep=")


def _first_line(source: Source) -> int:
    for at, line in enumerate(source.lines.head(1000).to_list()):
        if line.strip() and not _is_comment(line):
            return at
    raise InvalidInput.single(
        source.name, "there are only comments in the first 1,000 lines", "a header line"
    )


def _header_names(source: Source, line: str, delimiter: str) -> tuple[str, ...]:
    names = [name.strip() for name in split_line(line, delimiter)]
    if len(names) < 2:
        what = f"the header is a single field: '{line[:80]}'"
        raise InvalidInput.single(
            source.name, what, f"columns parted by {DELIMITERS.get(delimiter, delimiter)}"
        )
    if delimiter == " " and any(name.endswith("+") for name in names):
        what = "this is a table that a scheduler prints for people: values that end in + were cut short"
        raise InvalidInput.single(source.name, what, "export again with sacct -P")
    if sum("=" in name for name in names) > len(names) / 2:
        raise InvalidInput.single(
            source.name, "lines of key=value are not read yet", "CSV, sacct -P output or SWF"
        )
    numbers = pl.Series(names, dtype=pl.String).str.contains(NUMBER).sum()
    if numbers > len(names) / 3:
        what = f"there is no header line: the first line is '{line[:80]}'"
        raise InvalidInput.single(source.name, what, "name the columns in the mapping (header)")
    seen: Counter[str] = Counter()
    told = []
    for at, name in enumerate(names, start=1):
        plain = name or f"column {at}"
        seen[plain] += 1
        told.append(plain if seen[plain] == 1 else f"{plain} ({seen[plain]})")
    return tuple(told)


def split_line(line: str, delimiter: str) -> list[str]:
    """The fields of one line."""
    if delimiter == " ":
        return line.split()
    if len(delimiter) > 1:
        return line.split(delimiter)
    return next(csv.reader([line], delimiter=delimiter), [])


def _body(source: Source, body_from: int, delimiter: str) -> pl.DataFrame:
    """Line numbers and texts of the rows, blank ones and those of delimiters only left out."""
    text = source.lines.slice(body_from).alias("text")
    line = pl.int_range(body_from + 1, body_from + 1 + len(text), dtype=pl.Int64, eager=True).alias(LINE)
    blank = text.str.strip_chars(" \t,;|^" + delimiter).str.len_bytes() == 0
    return pl.DataFrame([line, text]).filter(~blank)


def _by_line(
    body: pl.DataFrame, delimiter: str, names: tuple[str, ...], quoted: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The usual case: every record is one line."""
    counts = field_counts(body["text"], delimiter, quoted)
    width = len(names)
    trailing = (counts == width + 1) & body["text"].str.ends_with(delimiter)
    extra = bool(len(counts)) and bool(trailing.all())
    good = counts == (width + 1 if extra else width)
    cells = parse_lines(body.filter(good), delimiter, (*names, " extra") if extra else names, quoted=quoted)
    detail = counts.filter(~good).cast(pl.String) + f" fields, not {width}"
    return cells, _apart(body.filter(~good), Fate.REFUSED, "the wrong number of fields", detail)


def parse_lines(
    good: pl.DataFrame, delimiter: str, names: Sequence[str], *, quoted: bool = False
) -> pl.DataFrame:
    """Lines that have exactly these fields (columns ``LINE`` and text) as String columns, with ``LINE``."""
    text, mark = good["text"], delimiter
    if delimiter == " ":
        text = text.str.strip_chars().str.replace_all(r"\s+", " ")
    elif len(delimiter) > 1 or text.str.contains("\n", literal=True).any():
        mark = JOINT
        text = text.str.replace_all("\n", " ", literal=True).str.replace_all(delimiter, JOINT, literal=True)
    schema = dict.fromkeys(names, pl.String)
    if good.is_empty():
        return pl.DataFrame(schema=schema).with_columns(good[LINE])
    frame = pl.read_csv(
        io.BytesIO(text.str.join("\n").item().encode()),
        has_header=False,
        separator=mark,
        quote_char='"' if quoted else None,
        schema=schema,
    )
    return frame.with_columns(good[LINE])


def _by_record(
    body: pl.DataFrame, delimiter: str, names: tuple[str, ...], name: str
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Quoted fields that hold line ends: read record by record."""
    csv.field_size_limit(MAX_LINE_BYTES)
    numbers = body[LINE].to_list()
    reader = csv.reader((text + "\n" for text in body["text"].to_list()), delimiter=delimiter)
    good: list[list[str]] = []
    lines: list[int] = []
    ragged: list[tuple[int, str]] = []
    at = 0
    try:
        for row in reader:
            if len(row) == len(names):
                good.append(row)
                lines.append(numbers[at])
            else:
                ragged.append((numbers[at], f"{len(row)} fields, not {len(names)}"))
            at = reader.line_num
    except csv.Error:
        where = f"{name}, line {numbers[at]:,}"
        raise InvalidInput.single(
            where, "a quotation mark that is never closed", 'quotes in pairs: "…"'
        ) from None
    cells = pl.DataFrame(good, schema=dict.fromkeys(names, pl.String), orient="row").with_columns(
        pl.Series(LINE, lines, dtype=pl.Int64)
    )
    wrong = pl.DataFrame(ragged, schema={LINE: pl.Int64, "detail": pl.String}, orient="row")
    return cells, _apart(wrong, Fate.REFUSED, "the wrong number of fields", wrong["detail"])


def _apart(rows: pl.DataFrame, fate: Fate, reason: str, detail: pl.Series | None) -> pl.DataFrame:
    told = detail if detail is not None else pl.Series([None] * rows.height, dtype=pl.String)
    return complete(
        pl.DataFrame({"line": rows[LINE], "detail": told}).with_columns(
            pl.lit(int(fate)).alias("fate"), pl.lit(reason).alias("reason")
        )
    )
