"""What a line of the log looks like, for people and for machines."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys

import pytest
import structlog

from fleet.logs import logging_settings, plain_line
from fleet.operations.lines import Log
from tests.stack import ROOT


def written(*, as_json: bool, record: logging.LogRecord) -> str:
    """The record as the console handler of these settings writes it."""
    settings = logging_settings(json=as_json)
    formatter = structlog.stdlib.ProcessorFormatter(
        **{k: v for k, v in settings["formatters"]["lines"].items() if k != "()"}
    )
    return formatter.format(record)


def a_record(message: str, level: int = logging.INFO, **extra: object) -> logging.LogRecord:
    record = logging.LogRecord("fleet.somewhere", level, __file__, 1, message, (), None)
    record.__dict__.update(extra)
    return record


def test_a_plain_line_begins_with_its_level_only_when_something_is_wrong():
    assert plain_line(None, "", {"level": "info", "event": "done", "run": 7}) == "done  run=7"
    assert plain_line(None, "", {"level": "warning", "event": "late"}) == "WARNING  late"


def test_a_json_line_carries_time_level_and_the_extra_fields():
    line = json.loads(written(as_json=True, record=a_record("late", logging.WARNING, run=7)))
    assert (line["event"], line["level"], line["run"]) == ("late", "warning", 7)
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize(("task", "told"), [("planning.run_replay", True), ("planning.runs_recover", False)])
def test_the_small_tasks_of_every_few_seconds_leave_no_line(task, told):
    from fleet.logs import TaskLines

    record = a_record("Task …", data={"name": task, "runtime": 1.234, "id": "x"})
    assert TaskLines().filter(record) is told
    assert record.getMessage() == f"{task} done in 1.23 s"


def test_the_supervisors_lines_name_the_service_and_are_plain_in_a_file():
    stream = io.StringIO()
    Log(stream).write("worker", "one\ntwo")
    lines = stream.getvalue().splitlines()
    assert [line[8:] for line in lines] == [" worker    | one", " worker    | two"]


def test_the_web_refuses_to_start_without_a_key_of_its_own(tmp_path):
    environ = {k: v for k, v in os.environ.items() if not k.startswith("FLEET_")}
    started = subprocess.run(
        [sys.executable, "-c", "import fleet.wsgi"],
        cwd=ROOT,
        env={**environ, "FLEET_VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert started.returncode != 0
    assert "Set FLEET_SECRET_KEY" in started.stderr
