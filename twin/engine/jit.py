"""How the compiled engine is compiled: one decorator, one cache folder that can never be stale.

Numba's ``cache=True`` notices an edit of the cached function's own file but not of a callee in another
file. So the cache folder's name is a hash of everything that the machine code depends on.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

MANY = 2**40  # a length that no index reaches: compiled code does not check bounds

Function = TypeVar("Function", bound=Callable[..., object])

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # Python never calls them
_STALE_AFTER_S = 21 * 24 * 3600.0


@cache
def engine_version() -> str:
    """Hash of all ``twin`` sources and the numba and NumPy versions: same version, same answers."""
    digest = hashlib.sha256()
    root = Path(__file__).resolve().parent.parent
    for source in sorted([*root.rglob("*.py"), *root.rglob("*.csv")]):  # the catalogue names GPUs
        digest.update(source.relative_to(root).as_posix().encode() + b"\0")
        digest.update(source.read_bytes() + b"\0")
    digest.update(f"{numba.__version__} {np.__version__}".encode())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """Where this very engine's machine code lies; made if missing, stale siblings removed."""
    cpu = (
        f"{platform.machine()} {llvmlite.binding.get_host_cpu_name()} "
        f"{llvmlite.binding.get_host_cpu_features().flatten()} {platform.python_version()}"
    )
    name = hashlib.sha256(f"{engine_version()} {cpu}".encode()).hexdigest()[:20]
    root = _cache_root() / "engine"
    folder = root / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a home that cannot be written: compiled once per boot instead of once
        root = Path(tempfile.gettempdir()) / f"fleet-twin-{os.getuid()}" / "engine"
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    _remove_stale(root)
    return folder


def compiled(function: Function) -> Function:
    """Compile ``function`` when it is first called from compiled code. No GIL, NumPy's division."""
    return cast("Function", numba.njit(**_OPTIONS, **_INNER)(function))


def inlined(function: Function) -> Function:
    """As ``compiled``, but copied into its caller: for functions that are called from one place.

    Each compiled function is optimised together with all that it calls, so a deep chain of them is
    optimised as many times as it is deep. Copying the links of the chain took a quarter off compiling.
    """
    return cast("Function", numba.njit(**_OPTIONS, **_INNER, inline="always")(function))


def compiled_entry(function: Function) -> Function:
    """As ``compiled``, for a function that Python calls: its machine code is kept on disk.

    Numba writes an entry under a temporary name and renames it, so processes that compile at once
    overwrite each other's files with equal ones.
    """
    numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]
    return cast("Function", numba.njit(**_OPTIONS, cache=True)(function))


def _pointer(_typing: Any, address: Any) -> Any:  # noqa: ARG001 (numba binds arguments by name)
    """The address of an array's memory as a pointer."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


pointer: Callable[[int], Any] = cast("Any", intrinsic(_pointer))


@compiled
def integers(address: int) -> Any:
    """The flat int64 array at an address; its users know how long it is."""
    return carray(pointer(address), MANY, np.int64)


def _cache_root() -> Path:
    if chosen := os.environ.get("TWIN_CACHE_DIR"):
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "fleet-twin"


def _remove_stale(root: Path) -> None:
    """Folders that no process has opened for three weeks belong to engines long edited."""
    oldest = time.time() - _STALE_AFTER_S
    for folder in root.iterdir():
        try:
            if folder.is_dir() and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
        except FileNotFoundError:  # another process removed it first
            continue
