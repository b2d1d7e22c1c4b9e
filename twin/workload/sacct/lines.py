"""Lines of a sacct export as cells: records over several lines joined, delimiters in free text put back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from twin.problems import InvalidInput
from twin.workload.mapping import ColumnMapping
from twin.workload.records import complete
from twin.workload.report import Fate
from twin.workload.sacct.layouts import FREE_TEXT, HEADERLESS, header_of, headerless_layout, plausible, words
from twin.workload.source import Source
from twin.workload.table import LINE, field_counts, parse_lines

LINES_A_RECORD = 1000
USED = frozenset(
    words(
        """
        jobid jobidraw cluster partition qos account user submit eligible start end elapsed
        elapsedraw state nnodes ncpus reqcpus alloccpus reqmem reqtres alloctres reqgres allocgres
        timelimit timelimitraw nodelist priority
        """
    )
)
WRONG_WIDTH = "the wrong number of fields"


@dataclass(frozen=True, slots=True)
class SacctLines:
    """``cells``: a String column a field of the export, in small letters, and ``LINE``. ``apart``: records of
    rows whose fate is known from their lines alone."""

    cells: pl.DataFrame
    apart: pl.DataFrame
    delimiter: str
    layout: str  # "header", "declared", or the name of a layout without header
    rejoined: int  # rows whose free text held the delimiter
    joined: int  # records that went over several lines


def read_lines(source: Source, mapping: ColumnMapping) -> SacctLines:
    """Cut the export into cells. Raises InvalidInput where its columns cannot be told."""
    names, delimiter, layout, header_line = _columns(source, mapping)
    lines = source.lines
    body = pl.DataFrame(
        [pl.int_range(1, len(lines) + 1, dtype=pl.Int64, eager=True).alias(LINE), lines.alias("text")]
    )
    body = body.filter(pl.col("text").str.strip_chars(" \t|,;").str.len_bytes() > 0)
    titles = body["text"] == header_line if header_line else pl.Series([False]).new_from_index(0, body.height)
    repeated = body.filter(titles).slice(1)
    body = body.filter(~titles)
    body, joined, short = _join_lines(body, delimiter, len(names))
    counts = field_counts(body["text"], delimiter, quoted=False)
    good = parse_lines(body.filter(counts == len(names)), delimiter, names)
    rejoined, refused = _rejoin(body.filter(counts > len(names)), delimiter, names)
    wide = pl.DataFrame(rejoined, schema={**dict.fromkeys(names, pl.String), LINE: pl.Int64}, orient="row")
    apart = [
        _apart(repeated[LINE].to_list(), Fate.FOLDED, "a header line repeated", None),
        _apart(
            [line for line, _ in (*short, *refused)],
            Fate.REFUSED,
            WRONG_WIDTH,
            [why for _, why in (*short, *refused)],
        ),
    ]
    cells = pl.concat([good, wide.select(good.columns)]).sort(LINE)
    return SacctLines(cells, pl.concat(apart), delimiter, layout, len(rejoined), joined)


def _columns(source: Source, mapping: ColumnMapping) -> tuple[tuple[str, ...], str, str, str | None]:
    sample = source.sample
    if mapping.header:
        declared = (
            HEADERLESS.get(mapping.header[0], mapping.header) if len(mapping.header) == 1 else mapping.header
        )
        return _distinct([name.lower() for name in declared]), mapping.delimiter or "|", "declared", None
    for line in sample[:20]:
        if (found := header_of(line)) is not None:
            names, delimiter = found
            return _distinct(names), delimiter, "header", line
    if (layout := headerless_layout(sample)) is not None:
        return HEADERLESS[layout], "|", layout, None
    what = "there is no sacct header line, and the columns cannot be told without one"
    advice = "export with sacct -P (no -n), or name the columns in the mapping (header)"
    if sample and "|" not in sample[0]:
        what = "this looks like sacct's table for people: it cuts long values short (+)"
    raise InvalidInput.single(source.name, what, advice)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, a blank one (from the delimiter that sacct -p puts at line ends) or one used before
    called after its place."""
    return tuple(
        f"{name} (column {at})" if not name or name in names[: at - 1] else name
        for at, name in enumerate(names, start=1)
    )


def _join_lines(
    body: pl.DataFrame, delimiter: str, width: int
) -> tuple[pl.DataFrame, int, list[tuple[int, str]]]:
    """Join a line with too few fields to the lines after it, until together they make a record."""
    counts = field_counts(body["text"], delimiter, quoted=False)
    if not (counts < width).any():
        return body, 0, []
    numbers, texts, fields = body[LINE].to_list(), body["text"].to_list(), counts.to_list()
    whole: list[tuple[int, str]] = []
    short: list[tuple[int, str]] = []
    joined, at = 0, 0
    while at < len(texts):
        upto, sum_of_fields = at + 1, fields[at]
        while sum_of_fields < width and upto < min(len(texts), at + LINES_A_RECORD) and fields[upto] < width:
            sum_of_fields += fields[upto] - 1
            upto += 1
        if sum_of_fields >= width:
            whole.append((numbers[at], "\n".join(texts[at:upto])))
            joined += upto > at + 1
        else:
            short += [(numbers[row], f"{fields[row]} fields, not {width}") for row in range(at, upto)]
        at = upto
    return pl.DataFrame(whole, schema=body.schema, orient="row"), joined, short


def _rejoin(
    wide: pl.DataFrame, delimiter: str, names: tuple[str, ...]
) -> tuple[list[tuple[str | int, ...]], list[tuple[int, str]]]:
    """Rows with too many fields: put the delimiters back into the one free-text column that makes sense
    of the rest."""
    good: list[tuple[str | int, ...]] = []
    refused: list[tuple[int, str]] = []
    for line, text in wide.iter_rows():
        parts = text.split(delimiter)
        readings = _readings(parts, delimiter, names)
        different = {
            tuple(f for n, f in zip(names, reading, strict=True) if n in USED) for reading in readings
        }
        if len(different) == 1:
            good.append((*readings[0], line))
        else:
            why = "and more than one way to read them" if different else "and no way to read them"
            refused.append((line, f"{len(parts)} fields, not {len(names)}, {why}"))
    return good, refused


def _readings(parts: list[str], delimiter: str, names: tuple[str, ...]) -> list[list[str]]:
    extra = len(parts) - len(names)
    readings = []
    for at, name in enumerate(names):
        if name in FREE_TEXT:
            text = delimiter.join(parts[at : at + extra + 1])
            reading = [*parts[:at], text, *parts[at + extra + 1 :]]
            if plausible(names, reading):
                readings.append(reading)
    return readings


def _apart(lines: list[int], fate: Fate, reason: str, details: list[str] | None) -> pl.DataFrame:
    told = pl.Series("detail", details or [None] * len(lines), dtype=pl.String)
    frame = pl.DataFrame([pl.Series("line", lines, dtype=pl.Int64), told])
    return complete(frame.with_columns(fate=pl.lit(int(fate)), reason=pl.lit(reason)))
