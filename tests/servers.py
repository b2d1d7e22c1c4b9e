"""Real PostgreSQL and Redis servers for the tests that need one: own folder, unix socket, gone afterwards."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
import redis

START_S = 30


def program(name: str) -> str | None:
    """The program's path; Debian keeps PostgreSQL's servers off PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(name, path=os.pathsep.join([os.environ["PATH"], *map(str, folders)]))


@contextlib.contextmanager
def short_folder(owner: str | None = None) -> Iterator[Path]:
    """A private folder whose path is short enough for a socket (pytest's own are not)."""
    folder = Path(tempfile.mkdtemp(prefix="twin-"))
    if owner:
        shutil.chown(folder, owner)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def postgresql_server() -> Iterator[str]:
    """A PostgreSQL server's DATABASE_URL; it refuses to run as root, so root lends it another user."""
    initdb, postgres, createdb = program("initdb"), program("postgres"), program("createdb")
    if not (initdb and postgres and createdb):
        pytest.skip("no PostgreSQL server on this machine (initdb, postgres)")
    owner = unprivileged_user() if os.getuid() == 0 else None
    as_owner = ["runuser", "-u", owner, "--"] if owner else []
    with short_folder(owner) as folder:
        data = folder / "data"
        run = [
            *as_owner,
            initdb,
            "--pgdata",
            data,
            "--auth=trust",
            "--username=fleet",
            "--no-sync",
            "--encoding=UTF8",
        ]
        subprocess.run(run, check=True, capture_output=True, cwd=folder)
        with (folder / "server.log").open("w") as log:
            server = subprocess.Popen(
                [*as_owner, postgres, "-D", data, "-k", folder, "-h", "", "-F"],
                stdout=log, stderr=log, cwd=folder, start_new_session=True,
            )  # fmt: skip
        try:
            create = [createdb, "--host", str(folder), "--username", "fleet", "fleet"]
            deadline = time.monotonic() + START_S
            while subprocess.run(create, capture_output=True).returncode:
                assert time.monotonic() < deadline, (folder / "server.log").read_text()
                time.sleep(0.1)
            yield f"postgresql://fleet@{quote(str(folder), safe='')}/fleet"
        finally:
            os.killpg(server.pid, signal.SIGQUIT)  # PostgreSQL's immediate shutdown
            server.wait(START_S)


def unprivileged_user() -> str:
    """A user that every system has and that owns nothing."""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


@dataclass
class RedisServer:
    """A Redis server that a test may stop and start again."""

    command: list[str]
    socket: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """As REDIS_URL."""
        return f"redis+socket://{self.socket}"

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        client = redis.Redis(unix_socket_path=str(self.socket))
        deadline = time.monotonic() + START_S
        while True:
            try:
                client.ping()
                return
            except redis.RedisError:
                assert time.monotonic() < deadline, f"redis-server did not start: {self.command}"
                time.sleep(0.05)

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(START_S)
            self.process = None


@contextlib.contextmanager
def redis_server() -> Iterator[RedisServer]:
    """A running Redis that keeps what it holds over a restart."""
    found = program("redis-server")
    if not found:
        pytest.skip("no redis-server on this machine")
    with short_folder() as folder:
        socket = folder / "redis.sock"
        options = {"port": "0", "unixsocket": str(socket), "dir": str(folder), "appendonly": "yes"}
        command = [found, *(word for name, value in options.items() for word in (f"--{name}", value))]
        server = RedisServer(command, socket)
        server.start()
        try:
            yield server
        finally:
            server.stop()
