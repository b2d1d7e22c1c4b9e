"""A real Chromium before a whole running Fleet Twin with its demo (``manage.py up``)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, Response

from tests.stack import ROOT, Stack

# Playwright keeps an event loop in this thread, which Django would take for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
SCREENSHOTS = ROOT / "var" / "screenshots"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium on this machine")
    return {"executable_path": chromium, "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(base_url: str) -> dict[str, object]:
    return {"base_url": base_url, "viewport": {"width": 1440, "height": 900}, "accept_downloads": True}


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The site that all browser tests look at; each test makes what it changes."""
    with Stack(tmp_path_factory.mktemp("site") / "var") as running:
        yield running


@pytest.fixture(scope="session")
def base_url(stack: Stack) -> str:
    return stack.address


@pytest.fixture
def site(page: Page) -> Iterator[Page]:
    """A page that must not write an error to the console nor get one from the server."""
    problems: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(f"console: {message.text}")

    def answered(response: Response) -> None:
        if response.status >= 500:
            problems.append(f"{response.status} {response.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: problems.append(f"script: {error}"))
    page.on("response", answered)
    yield page
    assert not problems
