"""How a file is read: the choices kept as JSON with the workload, and the call that follows them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twin.workload import ColumnMapping, Imported, KeepOptions, OnImportProgress, read_trace


def read_file(
    path: Path, shown_name: str, reading: Mapping[str, Any], *, on_progress: OnImportProgress | None = None
) -> Imported:
    """Read a trace as ``reading`` says: {"format", "mapping", "keep"}; problems name the file ``shown_name``.

    Raises InvalidInput, and ImportCancelled when ``on_progress`` answers False.
    """
    mapping = reading.get("mapping")
    keep = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in reading.get("keep", {}).items()
    }
    return read_trace(
        path,
        name=shown_name,
        format=reading.get("format", "auto"),
        mapping=ColumnMapping.from_dict(mapping) if mapping else None,
        keep=KeepOptions(**keep),
        on_progress=on_progress,
    )
