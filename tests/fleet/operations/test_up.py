"""``manage.py up`` as a person meets it: one address, one log, one Ctrl-C, no leftovers."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import urllib.request

import pytest

from fleet.operations.listener import PortTaken, open_listener
from tests.stack import READY, ROOT, Stack, group_is_alive, wait_until

SERVICES = {"broker", "web", "worker", "scheduler"}


def get(url: str) -> tuple[int, dict]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status, json.load(answer)


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    with Stack(tmp_path_factory.mktemp("up") / "var", "--no-demo") as running:
        yield running


def test_it_starts_every_service_and_all_parts_answer(stack):
    assert set(stack.children()) == SERVICES
    assert get(f"{stack.address}/readyz") == (200, {"status": "ok", "database": "ok", "broker": "ok"})


def test_a_second_start_in_the_same_checkout_says_where_the_first_one_is(stack):
    second = subprocess.run(stack.command, cwd=ROOT, env=stack.environ, capture_output=True, text=True)
    assert second.returncode == 1
    assert f"already runs from this checkout at {stack.address}" in second.stderr
    assert len(second.stderr.strip().splitlines()) == 1


def test_another_checkout_runs_beside_it(stack, tmp_path):
    with Stack(tmp_path / "var", "--no-demo") as other:
        assert other.address != stack.address
        assert get(f"{other.address}/readyz")[0] == 200
    assert get(f"{stack.address}/readyz")[0] == 200


@pytest.mark.parametrize("service", ["web", "worker", "scheduler", "broker"])
def test_a_service_that_is_killed_is_started_again(stack, service):
    wait_until(lambda: set(stack.children()) == SERVICES, 15, "all services run")
    killed = stack.children()[service]
    os.killpg(killed, signal.SIGKILL)
    wait_until(lambda: stack.children().get(service, killed) != killed, 15, f"{service} has a new process")
    assert f"{service} was killed by signal 9" in stack.output()
    wait_until(lambda: ready(stack), 15, "all parts answer again")


def ready(stack) -> bool:
    try:
        return get(f"{stack.address}/readyz")[0] == 200
    except OSError:
        return False


def test_a_port_that_is_taken_is_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        stack = Stack(tmp_path / "var", "--no-demo", FLEET_PORT=str(port))
        answer = subprocess.run(stack.command, cwd=ROOT, env=stack.environ, capture_output=True, text=True)
    assert answer.returncode == 1
    assert answer.stderr.strip() == (
        f"CommandError: Port {port} is taken by another program; set FLEET_PORT to a free one."
    )


def test_a_number_that_is_no_port_is_one_line():
    with pytest.raises(PortTaken, match="FLEET_PORT=99999 is no port; set it to a number from 1 to 65535"):
        open_listener(99_999)


def test_a_port_that_this_user_may_not_open_is_told_so(monkeypatch):
    def refused(*_address):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refused)
    with pytest.raises(PortTaken, match="Port 80 may not be opened by this user"):
        open_listener(80)


@pytest.mark.parametrize("variable", ["FLEET_PORT", "FLEET_DEBUG"])
def test_a_malformed_variable_is_one_line(tmp_path, variable):
    stack = Stack(tmp_path / "var", "--no-demo", **{variable: "maybe"})
    answer = subprocess.run(stack.command, cwd=ROOT, env=stack.environ, capture_output=True, text=True)
    assert answer.returncode == 1
    assert answer.stderr.startswith(f"Cannot start: {variable}='maybe' is ")
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_one_signal_stops_all_of_it(tmp_path, number):
    with Stack(tmp_path / "var", "--no-demo") as stack:
        stack.wait_for("worker@")
        stack.wait_for("Schedule changed")
        groups = stack.children()
        assert stack.stop(number) == 0
    assert not [name for name, group in groups.items() if group_is_alive(group)]
    assert not (stack.var_dir / "run" / "up.json").exists()
    assert "Traceback" not in stack.output()


def test_when_the_supervisor_is_killed_its_children_end_and_the_next_start_is_clean(tmp_path):
    with Stack(tmp_path / "var", "--no-demo") as stack:
        groups = stack.children()
        assert stack.stop(signal.SIGKILL) == -signal.SIGKILL
        again = Stack(tmp_path / "var", "--no-demo")
        with again:
            again.wait_for(READY, times=2)
            assert not [name for name, group in groups.items() if group_is_alive(group)]
            assert get(f"{again.address}/readyz")[0] == 200


def test_a_checkout_whose_path_is_too_long_for_a_socket_runs_too(tmp_path):
    deep = tmp_path / ("a-long-name-" * 9) / "var"
    deep.parent.mkdir()
    with Stack(deep, "--no-demo") as stack:
        assert get(f"{stack.address}/readyz")[0] == 200
