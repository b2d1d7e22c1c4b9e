"""A trace file as lines of text: compression, encoding and line ends dealt with, size and line length
bounded.

Nothing here trusts the file's name; every limit is checked while reading, so a hostile file costs little
memory.
"""

from __future__ import annotations

import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import polars as pl

from twin.problems import InvalidInput

MAX_LINE_BYTES = 1 << 20
MAX_TEXT_BYTES = 2 << 30
MAX_EXPANSION = 250  # uncompressed bytes a compressed byte; real logs reach about 50, bombs 1,000
EXPANSION_FREE_BYTES = 64 << 20  # below this size nothing is called a bomb
CHUNK_BYTES = 1 << 20
SAMPLE_LINES = 400
TAR_MARK_AT = 257

SIGNATURES = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF document",
    b"PAR1": "a Parquet file",
    b"\x7fELF": "a program",
    b"SQLite format 3": "an SQLite database",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"(\xb5/\xfd": "a zstd file",
}
TEXT_EXPECTED = (
    "a text file with one job a line: CSV, sacct -P output, SWF; plain, .gz, or .zip with one file in it"
)

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)
"""What the standard library raises for compressed files that are broken or locked."""

OnBytes = Callable[[int, int], None]
"""Told (bytes of the file consumed, bytes of the file in all) while reading."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one trace file. ``lines`` has a row a physical line, without line ends; line numbers
    are positions plus one. ``quoted``: there are quotation marks somewhere."""

    name: str
    lines: pl.Series
    quoted: bool
    encoding: str
    compression: str  # "", "gzip" or "zip"
    whole: bool = True  # False: only the beginning was read

    @property
    def sample(self) -> list[str]:
        """The first lines, for recognising a format; blank ones left out."""
        return [line for line in self.lines.head(SAMPLE_LINES).to_list() if line.strip()]


def open_source(
    path: Path, *, name: str | None = None, on_bytes: OnBytes | None = None, at_most: int | None = None
) -> Source:
    """Read a trace file; with ``at_most`` bytes of text, only its beginning, to the last whole line.

    Raises InvalidInput for what is no text, too big, or cut short.
    """
    shown = name or path.name
    if not path.is_file():
        raise InvalidInput.single(shown, "there is no such file", "the path of a trace file")
    size = path.stat().st_size
    if size == 0:
        raise InvalidInput.single(shown, "the file is empty (0 bytes)", TEXT_EXPECTED)
    with path.open("rb") as raw:
        head = raw.read(512)
        raw.seek(0)
        compression = _compression(head)
        with _expanded(raw, compression, shown) as stream:
            limits = _Limits(shown, size, compression, at_most or MAX_TEXT_BYTES + 1)
            data, whole = _bounded(stream, raw, limits, on_bytes)
    if not data.strip():
        raise InvalidInput.single(shown, "there is nothing but blanks in the file", TEXT_EXPECTED)
    text, encoding = _decoded(data, shown)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = pl.Series("line", [text.rstrip("\n")], dtype=pl.String).str.split("\n").explode()
    return Source(shown, lines, '"' in text, encoding, compression, whole)


def _compression(head: bytes) -> str:
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    return "zip" if head.startswith(b"PK\x03\x04") else ""


@contextmanager
def _expanded(raw: IO[bytes], compression: str, shown: str) -> Iterator[IO[bytes]]:
    """The file's bytes after decompression; what is broken in it is told as InvalidInput."""
    try:
        if compression == "gzip":
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
        elif compression == "zip":
            with zipfile.ZipFile(raw) as archive:
                yield archive.open(_only_member(archive, shown))
        else:
            yield raw
    except EOFError:
        raise InvalidInput.single(
            shown,
            "the gzip file is cut short: its end is missing",
            "the whole file; upload or copy it again",
        ) from None
    except InvalidInput:
        raise
    except DAMAGED as broken:
        raise InvalidInput.single(
            shown, f"the {compression} file cannot be read: {broken}", "an undamaged .gz or .zip"
        ) from None


def _only_member(archive: zipfile.ZipFile, shown: str) -> zipfile.ZipInfo:
    members = [
        member
        for member in archive.infolist()
        if not member.is_dir() and not member.filename.startswith("__MACOSX/")
    ]
    if len(members) != 1:
        names = ", ".join(member.filename for member in members[:5])
        what = f"the zip holds {len(members)} files ({names}{', …' if len(members) > 5 else ''})"
        raise InvalidInput.single(shown, what, "a zip with exactly one trace file in it")
    if members[0].flag_bits & 1:
        raise InvalidInput.single(shown, "the zip is locked with a password", "a zip without a password")
    return members[0]


@dataclass(frozen=True, slots=True)
class _Limits:
    shown: str
    file_bytes: int
    compression: str
    at_most: int

    def check(self, total: int) -> None:
        """Raise for text that is too much, in itself or for the file that it came from."""
        if total > MAX_TEXT_BYTES:
            what = f"the text is larger than {MAX_TEXT_BYTES >> 30} GiB"
            raise InvalidInput.single(self.shown, what, "split the trace into smaller files")
        if self.compression and total > max(EXPANSION_FREE_BYTES, MAX_EXPANSION * self.file_bytes):
            what = f"the {self.compression} file of {self.file_bytes:,} bytes expands to over {total:,} bytes"
            raise InvalidInput.single(self.shown, what, f"at most {MAX_EXPANSION} times its size")


def _bounded(
    stream: IO[bytes], raw: IO[bytes], limits: _Limits, on_bytes: OnBytes | None
) -> tuple[bytes, bool]:
    """The stream's bytes and whether they are all of it; refused as soon as it is no text, a bomb, or has
    a line without end."""
    parts: list[bytes] = []
    total = since_line_end = lines = 0
    while chunk := stream.read(CHUNK_BYTES):
        if not parts:
            _refuse_binary(chunk, limits.shown)
        total += len(chunk)
        limits.check(total)
        since_line_end = _check_line_length(chunk, since_line_end, lines, limits.shown)
        lines += chunk.count(b"\n")
        parts.append(chunk)
        if on_bytes:
            on_bytes(min(raw.tell(), limits.file_bytes), limits.file_bytes)
        if total >= limits.at_most:
            break
    whole = not chunk or not stream.read(1)
    data = b"".join(parts)
    return (data, True) if whole or b"\n" not in data else (data[: data.rindex(b"\n") + 1], False)


def _check_line_length(chunk: bytes, since_line_end: int, lines: int, shown: str) -> int:
    """Bytes since the last line end after this chunk; raises for a line over the limit. A chunk is no
    longer than the longest line allowed, so only its first and last lines can be too long."""
    first = min((at for at in (chunk.find(b"\n"), chunk.find(b"\r")) if at >= 0), default=len(chunk))
    if since_line_end + first > MAX_LINE_BYTES:
        where = f"{shown}, line {lines + 1:,}"
        raise InvalidInput.single(
            where,
            f"a line is longer than {MAX_LINE_BYTES >> 20} MiB",
            "one job a line, ended by a line feed",
        )
    if first == len(chunk):
        return since_line_end + first
    return len(chunk) - 1 - max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))


def _refuse_binary(chunk: bytes, shown: str) -> None:
    for signature, what in SIGNATURES.items():
        if chunk.startswith(signature):
            raise InvalidInput.single(shown, f"this is {what}, whatever its name says", TEXT_EXPECTED)
    if chunk[TAR_MARK_AT : TAR_MARK_AT + 5] == b"ustar":
        raise InvalidInput.single(shown, "this is a tar archive", "the trace file that is in it, by itself")
    head = chunk[:4096]
    if b"\x00" in head and _utf16(head) is None:
        raise InvalidInput.single(shown, "this is no text: there are zero bytes in it", TEXT_EXPECTED)


def _utf16(head: bytes) -> str | None:
    """The UTF-16 flavour by byte-order mark, or by zero bytes in every other place; None = not UTF-16."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    pairs = len(head) // 2
    if pairs < 8:
        return None
    zeros = head[0 : 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if zeros[0] == 0 and zeros[1] > 0.7 * pairs:
        return "utf-16-le"
    return "utf-16-be" if zeros[1] == 0 and zeros[0] > 0.7 * pairs else None


def _decoded(data: bytes, shown: str) -> tuple[str, str]:
    """The text and the encoding's name."""
    if (wide := _utf16(data[:4096])) is not None:
        try:
            return data.decode(wide).lstrip("\ufeff"), "UTF-16"
        except UnicodeDecodeError:
            raise InvalidInput.single(
                shown, "the UTF-16 text is damaged", "UTF-8, UTF-16 or Latin-1"
            ) from None
    try:
        if data.startswith(b"\xef\xbb\xbf"):
            return data[3:].decode("utf-8"), "UTF-8 with a byte-order mark"
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "Latin-1"
