"""docs/interface.md names parts and classes that exist, and all parts."""

import re
from pathlib import Path

from twin.engine import Account

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "interface.md").read_text()
FRAME = {"header.html", "nav.html", "shortcuts.html"}  # used by base.html alone


def rows_of(heading: str) -> list[list[str]]:
    """The cells of a section's table, without its head."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_part_is_documented():
    told = {name for row in rows_of("Parts") for name in re.findall(r"`(\S+\.html)`", row[0])}
    assert told == {path.name for path in (ROOT / "templates" / "parts").glob("*.html")} - FRAME


def test_every_documented_class_is_styled():
    styles = "".join(path.read_text() for path in (ROOT / "frontend" / "css").glob("*.css"))
    told = {name for row in rows_of("Classes") for name in re.findall(r"`([\w-]+)`", row[0])}
    assert told
    assert {name for name in told if not re.search(rf"\.{name}\b", styles)} == set()


def test_every_documented_colour_has_a_light_and_a_dark_value():
    tokens = (ROOT / "frontend" / "css" / "tokens.css").read_text()
    for name in re.findall(r"`--([\w-]+)`", PAGE):
        assert re.search(rf"--{name}: light-dark\(#\w{{6}}, #\w{{6}}\);", tokens), name


def test_every_ledger_account_has_its_colour():
    tokens = (ROOT / "frontend" / "css" / "tokens.css").read_text()
    for account in Account:
        assert f"--account-{account.name.lower().replace('_', '-')}:" in tokens
