"""Looking at a page: accessibility rules and screenshots, wide and narrow, light and dark."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import SCREENSHOTS

WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


def axe_problems(page: Page) -> list[str]:
    """Violations that axe calls serious or critical, each with the elements."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {[node['html'][:120] for node in rule['nodes'][:5]]}"
        for rule in violations
        if rule["impact"] in ("serious", "critical")
    ]


def scrolls_sideways(page: Page) -> bool:
    """Whether the page itself is wider than its window (a table inside may scroll)."""
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")


def look(page: Page, name: str) -> list[str]:
    """Take the four screenshots of a page; everything that is wrong with it in any of them."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    problems = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width, viewport in (("wide", WIDE), ("narrow", NARROW)):
            page.set_viewport_size(viewport)
            page.wait_for_timeout(150)  # charts follow the window's size and the theme
            page.screenshot(path=SCREENSHOTS / f"{name}-{scheme}-{width}.png", full_page=True)
            if scrolls_sideways(page):
                problems.append(f"{name}, {scheme}, {width}: scrolls sideways")
            problems += [f"{name}, {scheme}, {width}: {found}" for found in axe_problems(page)]
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(WIDE)
    return problems
