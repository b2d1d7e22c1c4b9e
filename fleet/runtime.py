"""What a checkout keeps under its var/ folder: the secret key, the sockets, the running supervisor.

Read by the settings, so nothing here imports Django's models.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

SOCKET_PATH_LIMIT = 103
"""Bytes in a unix socket's path: 107 on Linux, 103 on macOS."""

LAUNCH_TOKEN = "FLEET_LAUNCH_TOKEN"


@dataclass(frozen=True)
class Launch:
    """A running ``manage.py up``: written by the supervisor, read by its children and by the next start."""

    pid: int
    address: str
    token: str
    children: dict[str, int]


def secret_key(var_dir: Path) -> str:
    """This checkout's own random key, made at first use and readable by its owner only."""
    path = var_dir / "secret_key"
    if not path.exists():
        var_dir.mkdir(parents=True, exist_ok=True)
        write_private(path, secrets.token_urlsafe(50), replace=False)
    return path.read_text().strip()


def socket_path(var_dir: Path, name: str) -> Path:
    """Where the socket ``name`` lies: under var/, or in a short private folder when that path is too long."""
    path = var_dir.resolve() / "run" / name
    if len(os.fsencode(path)) > SOCKET_PATH_LIMIT:
        path = Path(tempfile.gettempdir()) / f"fleet-twin-{os.getuid()}-{checkout_name(var_dir)}" / name
    private_folder(path.parent)
    return path


def checkout_name(var_dir: Path) -> str:
    """A short name that two checkouts on one machine do not share."""
    return hashlib.sha256(os.fsencode(var_dir.resolve())).hexdigest()[:12]


def private_folder(folder: Path) -> None:
    """Make the folder for its owner only; refuse one that somebody else made first."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user; remove it, or set TMPDIR.")


def write_private(path: Path, content: str, *, replace: bool = True) -> None:
    """Write a file in one step, mode 0600; without ``replace`` the first of several writers wins."""
    handle, temporary = tempfile.mkstemp(dir=path.parent)  # mkstemp makes it 0600
    with os.fdopen(handle, "w") as file:
        file.write(content)
    try:
        if replace:
            os.replace(temporary, path)
        else:
            os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        Path(temporary).unlink(missing_ok=True)


def read_launch(var_dir: Path) -> Launch | None:
    """The launch that was last written here, whether or not it still runs."""
    try:
        return Launch(**json.loads((var_dir / "run" / "up.json").read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def write_launch(var_dir: Path, launch: Launch) -> None:
    """Leave word of this launch, for its children and for a second ``up``."""
    write_private(var_dir / "run" / "up.json", json.dumps(launch.__dict__))


def launched_by_up(var_dir: Path) -> bool:
    """Whether this process is a child of the ``manage.py up`` that runs in this checkout."""
    token = os.environ.get(LAUNCH_TOKEN, "")
    launch = read_launch(var_dir) if token else None
    return launch is not None and secrets.compare_digest(launch.token, token)
