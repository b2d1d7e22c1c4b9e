"""Processes are killed in the middle of the demo's study: it finishes anyway, nothing counts twice."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
from collections import Counter

import psycopg
import pytest

from tests.servers import postgresql_server, redis_server
from tests.stack import Stack, wait_until

FINISHED_S = 400
RUNS = "SELECT id, state, losses, attempt, spec_hash, outcome_id FROM planning_run ORDER BY id"
FILES = "SELECT charts_file, jobs_file FROM planning_outcome"


def rows_of(stack: Stack, query: str = RUNS) -> list[tuple]:
    """Rows read past Django: the test must not lean on the code it tests."""
    url = stack.environ.get("DATABASE_URL")
    if url:
        with psycopg.connect(url) as connection:
            return connection.execute(query).fetchall()
    connection = sqlite3.connect(stack.var_dir / "fleet.sqlite3", timeout=20)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def states(stack: Stack) -> Counter:
    return Counter(state for _, state, *_ in rows_of(stack))


def pool_processes(stack: Stack) -> list[int]:
    """The worker's children."""
    worker = stack.children()["worker"]
    found = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=True)
    rows = [line.split() for line in found.stdout.splitlines()]
    return [int(pid) for pid, parent in rows if int(parent) == worker]


def assert_finished_once(stack: Stack, *, most_losses: int) -> None:
    rows = rows_of(stack)
    assert Counter(state for _, state, *_ in rows) == {"succeeded": len(rows)}
    assert max(losses for _, _, losses, *_ in rows) <= 1
    assert 1 <= sum(losses for _, _, losses, *_ in rows) <= most_losses
    outcomes = {(spec, outcome) for *_, spec, outcome in rows}
    assert len(outcomes) == len({spec for *_, spec, _ in rows})  # one outcome a specification
    files = [name for pair in rows_of(stack, FILES) for name in pair]
    assert len(files) == len(set(files)) == 2 * len(outcomes)
    assert [name for name in files if not (stack.var_dir / "files" / name).exists()] == []


def test_a_study_survives_its_workers_being_killed(tmp_path):
    with Stack(tmp_path / "var") as stack:
        wait_until(lambda: states(stack)["running"] == 2, 120, "two runs are running")
        worker = stack.children()["worker"]
        os.killpg(worker, signal.SIGKILL)
        wait_until(lambda: stack.children().get("worker", worker) != worker, 30, "a new worker")
        wait_until(lambda: len(pool_processes(stack)) == 2, 60, "the new worker's pool is up")
        os.kill(pool_processes(stack)[0], signal.SIGKILL)
        wait_until(lambda: not states(stack).keys() & {"queued", "running"}, FINISHED_S, "the study ended")
        assert_finished_once(stack, most_losses=3)


@pytest.mark.postgresql
def test_on_postgresql_and_redis_a_study_survives_a_restart_of_redis(tmp_path):
    with (
        postgresql_server() as database,
        redis_server() as redis,
        Stack(tmp_path / "var", DATABASE_URL=database, REDIS_URL=redis.url) as stack,
    ):
        assert set(stack.children()) == {"web", "worker", "scheduler"}
        wait_until(lambda: states(stack)["running"] >= 1, 120, "a run is running")
        redis.stop()
        redis.start()
        wait_until(lambda: not states(stack).keys() & {"queued", "running"}, FINISHED_S, "the study ended")
        assert states(stack).keys() == {"succeeded"}
