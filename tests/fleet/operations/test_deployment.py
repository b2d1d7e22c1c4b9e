"""docker-compose.yml and the Dockerfile say what production runs; no Docker engine is needed to read them."""

from __future__ import annotations

import http.client
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.servers import postgresql_server, redis_server
from tests.stack import ROOT, wait_until

COMPOSE = YAML(typ="safe").load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
OURS = ("setup", "web", "worker", "scheduler")


def test_production_has_its_six_services():
    assert set(SERVICES) == {"postgres", "redis", *OURS}


@pytest.mark.parametrize("name", OURS)
def test_our_services_share_image_files_and_variables(name):
    service = SERVICES[name]
    assert service["image"] == "fleet-twin"
    assert service["volumes"] == ["data:/data"]
    assert {"FLEET_SECRET_KEY", "DATABASE_URL", "REDIS_URL"} <= set(service["environment"])


@pytest.mark.parametrize("name", ["web", "worker", "scheduler"])
def test_what_serves_waits_until_tables_and_broker_are_there(name):
    waits = SERVICES[name]["depends_on"]
    assert waits["setup"]["condition"] == "service_completed_successfully"
    assert waits["postgres"]["condition"] == waits["redis"]["condition"] == "service_healthy"


@pytest.mark.parametrize("name", ["postgres", "redis", "web", "worker"])
def test_a_service_that_can_be_asked_has_a_health_check(name):
    assert SERVICES[name]["healthcheck"]["test"]


def test_secrets_have_no_default():
    text = (ROOT / "docker-compose.yml").read_text()
    assert re.search(r"FLEET_SECRET_KEY: \$\{FLEET_SECRET_KEY:\?", text)
    assert not re.search(r"POSTGRES_PASSWORD:-", text)


def test_the_web_is_published_on_loopback_only():
    assert SERVICES["web"]["ports"] == ["127.0.0.1:8000:8000"]


def test_every_folder_that_the_image_copies_exists():
    for line in re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE):
        for source in line.split():
            assert (ROOT / source).exists(), source


def test_the_image_does_not_run_as_root():
    assert re.search(r"^USER fleet$", DOCKERFILE, re.MULTILINE)


def test_every_variable_of_the_settings_is_documented():
    page = (ROOT / "docs" / "deployment.md").read_text()
    sources = [*(ROOT / "fleet").rglob("*.py")]
    used = {name for path in sources for name in re.findall(r'environment\.\w+\("(\w+)"', path.read_text())}
    assert sorted(name for name in used if f"`{name}`" not in page) == []


def production_command(name: str) -> list[str]:
    """The service's command, with this test's Python."""
    found = re.search(r"^CMD (\[.+\])$", DOCKERFILE.replace("\\\n", ""), re.MULTILINE)
    assert found
    words = SERVICES[name].get("command") or YAML(typ="safe").load(found.group(1))
    return [
        sys.executable if word == "python" else re.sub(r"\$\{\w+:-(\w*)\}", r"\1", word) for word in words
    ]


def status(path_of_socket: Path, host: str, path: str) -> int:
    """The status of one GET through a unix socket."""
    connection = http.client.HTTPConnection(host)
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(str(path_of_socket))
    connection.request("GET", path)
    return connection.getresponse().status


@pytest.mark.postgresql
def test_the_commands_of_the_compose_file_serve_from_postgresql_and_redis(tmp_path: Path):
    with postgresql_server() as database, redis_server() as redis:
        environ = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(Path.home()),
            "FLEET_VAR_DIR": str(tmp_path),
            "FLEET_SECRET_KEY": "a long random text for this test only",
            "FLEET_ALLOWED_HOSTS": "twin.example.org",
            "DATABASE_URL": database,
            "REDIS_URL": redis.url,
        }
        subprocess.run(production_command("setup"), cwd=ROOT, env=environ, check=True, timeout=280)
        web = [
            word.replace("0.0.0.0:8000", f"unix:{redis.socket.parent}/web.sock")
            for word in production_command("web")
        ]
        running = [
            subprocess.Popen(command, cwd=ROOT, env=environ, stderr=subprocess.STDOUT, stdout=log)
            for command, log in (
                (web, (tmp_path / "web.log").open("w")),
                (production_command("worker"), (tmp_path / "worker.log").open("w")),
                (production_command("scheduler"), (tmp_path / "scheduler.log").open("w")),
            )
        ]
        try:
            web_socket = redis.socket.parent / "web.sock"
            wait_until(web_socket.exists, 60, "the web listens")
            for host, path, wanted in (
                ("127.0.0.1:8000", "/readyz", 200),
                ("twin.example.org", "/accounts/login/", 200),
                ("twin.example.org", "/static/css/base.css", 200),
                ("twin.example.org", "/", 302),  # nobody is signed in without a form here
                ("elsewhere.example.org", "/", 400),
            ):
                got = status(web_socket, host, path)
                assert got == wanted, f"{host}{path}: {got}\n{(tmp_path / 'web.log').read_text()}"
            ping = [sys.executable, "-m", "celery", "--app", "fleet", "inspect", "ping", "--timeout", "5"]
            wait_until(
                lambda: not subprocess.run(ping, cwd=ROOT, env=environ, capture_output=True).returncode,
                90,
                "the worker answers a ping",
            )
        finally:
            for process in running:
                process.terminate()
            for process in running:
                process.wait(60)
