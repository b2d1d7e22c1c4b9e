"""Files of workloads in Django storage.

A file gets a name that was never used and is complete before a row names it; the loser of a race removes
its own.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from django.core.files import File
from django.core.files.storage import default_storage

CHUNK_BYTES = 1 << 20


def new_name(workspace_id: int, ending: str) -> str:
    """A storage name nobody has used; the server makes it, never the person who uploads."""
    return f"workloads/{workspace_id}/{uuid4().hex}{ending}"


def sha256_of(file: File[bytes]) -> str:
    """The SHA-256 of a file's bytes; the file is left at its beginning."""
    digest = hashlib.sha256()
    for chunk in file.chunks(CHUNK_BYTES):
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def keep_file(path: Path, name: str) -> str:
    """Put a local file into storage; returns the name that the storage gave it."""
    with path.open("rb") as stream:
        return str(default_storage.save(name, File(stream)))


def remove_files(*names: str) -> None:
    """Remove files; those that are gone already are no error."""
    for name in names:
        if name:
            default_storage.delete(name)


@contextmanager
def local_path(name: str) -> Iterator[Path]:
    """The file on the local disk: itself where storage is local, else a copy for the time of the block."""
    try:
        yield Path(default_storage.path(name))
        return
    except NotImplementedError:
        pass
    with scratch_folder() as folder, default_storage.open(name) as stored:
        copy = folder / "file"
        with copy.open("wb") as target:
            shutil.copyfileobj(stored, target, CHUNK_BYTES)
        yield copy


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A private folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="fleet-workload-") as folder:
        yield Path(folder)
