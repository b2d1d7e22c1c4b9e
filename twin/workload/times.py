"""Columns of text read as times and lengths of time, whole columns at once.

One decision a column: epoch seconds (or finer, by magnitude), ISO 8601, slashed dates, or seconds from
the start of the trace. Fractions of a millisecond round half up, exactly: on the digits, not on a float.
"""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

import polars as pl

from twin.problems import InvalidInput

MISSING_WORDS = (
    "", "none", "unknown", "n/a", "na", "nan", "null", "nil", "-", "?", "(null)", "not_set", "invalid",
    "unlimited", "infinite", "partition_limit", "-1", "-1.0", "2147483647", "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
)  # fmt: skip
EPOCH_FLOORS_S = ((1e17, 1e-9, "nanoseconds"), (1e14, 1e-6, "microseconds"), (1e11, 1e-3, "milliseconds"))
EPOCH_FLOOR = 1e8  # seconds; March 1973. Smaller numbers count from the trace's start
NUMBER = r"^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$"
ISO = (
    r"^\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))?)?"
    r"\s*(Z|UTC|[+-]\d{2}:?\d{2}|[+-]\d{2})?\s*$"
)
SLASHED = r"^\s*\d{1,2}[/.]\d{1,2}[/.]\d{2,4}([ T]+\d{1,2}:\d{2}(:\d{2})?(\s*[AaPp][Mm])?)?\s*$"
MAX_MS = 2**62


@dataclass(frozen=True, slots=True)
class Times:
    """``ms`` (Int64, null = not given): of the epoch where ``calendar``, else from the trace's own zero.
    ``bad`` marks cells that are given but cannot be read."""

    ms: pl.Series
    bad: pl.Series
    calendar: bool
    format: str
    zone: (
        str  # "UTC" where cells state their offset or count from the epoch, else "not stated" or as declared
    )


def given(column: pl.Series) -> pl.Series:
    """The cells with blanks trimmed, and null where a word or sentinel says "not known"."""
    trimmed = column.str.strip_chars()
    known = ~trimmed.str.to_lowercase().is_in(MISSING_WORDS)
    return trimmed.to_frame("cell").select(pl.when(known).then(pl.col("cell"))).to_series()


def without_thousands(cells: pl.Series) -> pl.Series:
    """Numbers such as ``2,590`` without the commas that group their digits."""
    grouped = cells.str.contains(r"^\d{1,3}(,\d{3})+$")
    return cells.str.replace_all(",", "", literal=True) if grouped.any() else cells


def read_times(
    column: pl.Series,
    where: str,
    *,
    zone: str | None = None,
    pattern: str | None = None,
    unit_s: float | None = None,
) -> Times:
    """Read a column of times. ``zone`` names the zone of times that state none; ``pattern`` is a strptime
    format; ``unit_s`` the length of one unit of a plain number. ``where`` names the column in errors."""
    cells = given(column)
    known = cells.drop_nulls()
    if pattern:
        return _with_pattern(cells, pattern, zone, where)
    if known.is_empty():
        return Times(cells.cast(pl.Int64, strict=False), _none_bad(cells), False, "no times", "not stated")
    numeric = known.str.contains(NUMBER)
    if numeric.mean() >= 0.5:  # type: ignore[operator]
        return _numeric(cells, unit_s)
    if known.str.contains(SLASHED).mean() >= 0.5:  # type: ignore[operator]
        return _with_pattern(cells, _slashed_pattern(known, where), zone, where)
    return _iso(cells, zone, where)


def read_milliseconds(column: pl.Series, unit_s: float = 1.0) -> pl.Series:
    """Plain numbers times ``unit_s`` seconds as whole milliseconds, half up; null where not a number."""
    if unit_s == 1.0:
        whole = column.cast(pl.Int64, strict=False)
        if whole.null_count() == column.null_count():
            return _limited(whole) * 1000
        parts = column.str.extract_groups(r"^\+?(\d+)(?:\.(\d*))?$")
        exact = _exact_ms(parts.struct.field("1"), parts.struct.field("2"))
        if exact.null_count() == column.null_count():
            return exact
    else:
        exact = pl.Series(column.name, [None] * len(column), dtype=pl.Int64)
    scaled = column.cast(pl.Float64, strict=False) * (unit_s * 1000) + 0.5
    return exact.fill_null(scaled.floor().cast(pl.Int64, strict=False))


def _exact_ms(seconds: pl.Series, fraction: pl.Series) -> pl.Series:
    tenths = (fraction.fill_null("") + "0000").str.slice(0, 4).cast(pl.Int64)
    return _limited(seconds.cast(pl.Int64, strict=False)) * 1000 + (tenths + 5) // 10


def _limited(seconds: pl.Series) -> pl.Series:
    """Seconds, null where milliseconds would not fit."""
    return seconds.set(seconds.abs() > MAX_MS // 1000, None)


def read_durations(column: pl.Series, unit_s: float = 1.0) -> tuple[pl.Series, pl.Series]:
    """Lengths of time in ms (null = not given) and which cells could not be read.

    Reads plain numbers of ``unit_s`` seconds, ``[D-][HH:]MM:SS[.mmm]`` as Slurm prints, and ``1 day,
    6:03:09``.
    """
    cells = without_thousands(given(column))
    ms = read_milliseconds(cells, unit_s)
    if ms.null_count() > cells.null_count():
        ms = ms.fill_null(_clock_ms(cells))
    return ms, cells.is_not_null() & ms.is_null()


def _clock_ms(cells: pl.Series) -> pl.Series:
    frame = cells.str.extract_groups(
        r"^(?:(?<days>-?\d+)(?:-| days?,\s*))?(?:(?<first>\d+):)??(?:(?<second>\d+):)??"
        r"(?<last>\d+)(?:[.,](?<fraction>\d+))?$"
    ).struct.unnest()
    days, first, second, last = (pl.col(name).cast(pl.Int64, strict=False) for name in frame.columns[:4])
    clock = (pl.col("first").is_not_null()) | (pl.col("second").is_not_null())
    tenths = (pl.col("fraction").fill_null("") + "0000").str.slice(0, 4).cast(pl.Int64)
    # after "D-" the parts are hours first; without it the last part is always seconds
    parts = pl.col("first").is_not_null().cast(pl.Int8) + pl.col("second").is_not_null().cast(pl.Int8)
    seconds = (
        pl.when(pl.col("days").is_null() | (parts == 2))
        .then(first.fill_null(0) * 3600 + second.fill_null(0) * 60 + last)
        .when(parts == 1)
        .then(second.fill_null(first) * 3600 + last * 60)
        .otherwise(last * 3600)
    )
    valid = clock | pl.col("days").is_not_null()
    total = (days.fill_null(0) * 86400 + seconds) * 1000 + (tenths + 5) // 10
    return frame.select(pl.when(valid).then(total)).to_series()


def _none_bad(cells: pl.Series) -> pl.Series:
    return pl.Series("bad", [False], dtype=pl.Boolean).new_from_index(0, len(cells))


def _numeric(cells: pl.Series, unit_s: float | None) -> Times:
    numbers = cells.cast(pl.Float64, strict=False)
    size = numbers.filter(numbers != 0).abs().median()
    typical = float(size) if isinstance(size, (int, float)) else 0.0
    scale, name = _epoch_unit(typical)
    calendar = typical * (unit_s or scale) >= EPOCH_FLOOR if unit_s else typical >= EPOCH_FLOOR
    ms = read_milliseconds(cells, unit_s or (scale if calendar else 1.0))
    bad = cells.is_not_null() & ms.is_null()
    if calendar:
        ms = ms.set(ms == 0, None)  # epoch zero stands for "never"
        return Times(ms, bad, True, f"epoch {name}" if not unit_s else "epoch numbers", "UTC")
    told = "seconds from the start" if unit_s in (None, 1.0) else f"units of {unit_s:g} s from the start"
    return Times(ms, bad, False, told, "no calendar")


def _epoch_unit(typical: float) -> tuple[float, str]:
    for floor, scale, name in EPOCH_FLOORS_S:
        if typical >= floor:
            return scale, name
    return 1.0, "seconds"


def _iso(cells: pl.Series, zone: str | None, where: str) -> Times:
    lengths = cells.str.len_chars()
    if lengths.min() == 19 and lengths.max() == 19:  # the common case, four times as fast
        ms = _strptime(cells.str.replace("T", " ", literal=True), "%Y-%m-%d %H:%M:%S")
        if ms.null_count() == cells.null_count():
            return _placed(ms, _none_bad(cells), zone, "ISO 8601", where)
    frame = cells.str.extract_groups(ISO).struct.unnest()
    date, minute, second, fraction, offset = (frame.to_series(at) for at in range(5))
    text = date + " " + minute.fill_null("00:00") + second.fill_null(":00")
    tenths = (fraction.fill_null("") + "0000").str.slice(0, 4).cast(pl.Int64)
    ms = _strptime(text, "%Y-%m-%d %H:%M:%S") + (tenths + 5) // 10
    bad = cells.is_not_null() & ms.is_null()
    if offset.null_count() == len(offset):
        return _placed(ms, bad, zone, "ISO 8601", where)
    return _with_offsets(ms, bad, offset, zone, where)


def _with_offsets(ms: pl.Series, bad: pl.Series, offset: pl.Series, zone: str | None, where: str) -> Times:
    """Times that state their offset from UTC; those beside them that state none need a declared zone."""
    parts = offset.str.extract_groups(r"^([+-])(\d{2}):?(\d{2})?$").struct.unnest()
    sign, hours, minutes = (parts.to_series(at) for at in range(3))
    shift = hours.cast(pl.Int64).fill_null(0) * 60 + minutes.cast(pl.Int64).fill_null(0)
    signed = shift * (1 - 2 * (sign.fill_null("+") == "-").cast(pl.Int64))
    placed = ms - signed * 60_000
    naive = ms.is_not_null() & offset.is_null()
    if zone and naive.any():
        local = _placed(ms, bad, zone, "ISO 8601", where).ms
        placed = naive.to_frame("naive").select(pl.when("naive").then(local).otherwise(placed)).to_series()
        naive = naive & placed.is_null()
    placed = placed.set(naive, None)
    return Times(placed, bad | naive, True, "ISO 8601 with offsets", "UTC")


def _strptime(text: pl.Series, pattern: str) -> pl.Series:
    return text.str.to_datetime(pattern, strict=False, time_unit="ms").cast(pl.Int64)


def _placed(ms: pl.Series, bad: pl.Series, zone: str | None, told: str, where: str) -> Times:
    """Local times in a declared zone as epoch ms; without a zone they are taken as they stand."""
    if not zone:
        return Times(ms, bad, True, told, "not stated")
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise InvalidInput.single(
            where, f"there is no time zone '{zone}'", "a name such as Europe/Oslo"
        ) from None
    local = ms.cast(pl.Datetime("ms")).dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
    placed = local.dt.convert_time_zone("UTC").cast(pl.Int64)
    return Times(placed, bad | (ms.is_not_null() & placed.is_null()), True, told, zone)


def _with_pattern(cells: pl.Series, pattern: str, zone: str | None, where: str) -> Times:
    try:
        ms = _strptime(cells, pattern)
    except pl.exceptions.PolarsError:
        raise InvalidInput.single(
            where, f"'{pattern}' is no time format", "such as %d/%m/%Y %H:%M:%S"
        ) from None
    return _placed(ms, cells.is_not_null() & ms.is_null(), zone, pattern, where)


def _slashed_pattern(known: pl.Series, where: str) -> str:
    """Day or month first, decided by the column; InvalidInput where nothing decides it."""
    parts = known.str.extract_groups(
        r"^(\d{1,2})([/.])(\d{1,2})[/.](\d+)(?:[ T]+\d+:\d+(:\d+)?(\s*[AaPp][Mm])?)?"
    ).struct.unnest()
    first, mark, second, year, seconds, half = (parts.to_series(at) for at in range(6))
    day_first = (first.cast(pl.Int64) > 12).any() or mark.eq(".").any()
    month_first = (second.cast(pl.Int64) > 12).any()
    if day_first == month_first:
        what = f"'{known[0]}' can be read day first or month first"
        raise InvalidInput.single(where, what, "state the time format, such as %d/%m/%Y %H:%M:%S")
    separator = str(mark.drop_nulls()[0])
    date = separator.join(("%d", "%m") if day_first else ("%m", "%d"))
    date += separator + ("%Y" if year.str.len_chars().max() == 4 else "%y")
    if not known.str.contains(":", literal=True).any():
        return date
    hours = "%I" if half.is_not_null().any() else "%H"
    return (
        f"{date} {hours}:%M"
        + (":%S" if seconds.is_not_null().any() else "")
        + (" %p" if hours == "%I" else "")
    )
