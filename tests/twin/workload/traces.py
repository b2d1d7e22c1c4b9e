"""Small traces written by a test and read back through the public reader."""

from __future__ import annotations

from pathlib import Path

from twin.workload import ColumnMapping, Imported, KeepOptions, read_trace


def read_text(
    folder: Path,
    text: str | bytes,
    *,
    name: str = "trace.txt",
    mapping: ColumnMapping | None = None,
    keep: KeepOptions | None = None,
    format: str = "auto",
) -> Imported:
    """Write the text to a file and read it as a trace."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_trace(path, mapping=mapping, keep=keep, format=format)


def fates(imported: Imported) -> dict[str, int]:
    """Rows by fate; the sum must be the rows read."""
    report = imported.report
    return {
        "jobs": report.job_rows,
        "folded": sum(report.folded.values()),
        "duplicates": report.duplicates,
        "dropped": sum(report.dropped.values()),
        "refused": report.rows_refused,
    }
