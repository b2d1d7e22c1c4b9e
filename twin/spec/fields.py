"""The keys of one mapping: each read once with its type and range; what is left over is unknown."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable
from typing import Any, Final

from twin.problems import InvalidInput, Problem
from twin.spec.document import SpecNode

REQUIRED: Final[Any] = object()
"""As a default: the key must be there."""

_UNBOUNDED: Final = 1e12
_WHOLE = re.compile(r"[+-]?[0-9][0-9_]*$")
_OLD_FLAGS = {"yes": "true", "on": "true", "no": "false", "off": "false"}


def one_of(names: Iterable[str]) -> str:
    """``one of fifo, sjf, priority`` for a message."""
    return "one of " + ", ".join(names)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like ``word``, or None when none is close."""
    close = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.55)
    return close[0] if close else None


class Findings:
    """What was found wrong in one file so far."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._found: list[tuple[int, Problem]] = []

    def note(self, line: int, place: str, what: str, valid: str = "") -> None:
        """Note a problem at a line; ``place`` is the key's path, empty for the file itself."""
        where = f"{self.source}, line {line}" + (f": {place}" if place else "")
        self._found.append((line, Problem(where, what, valid)))

    def raise_if_any(self) -> None:
        """Raise ``InvalidInput`` with all problems in the order of the file, if there are any."""
        if self._found:
            ordered = sorted(self._found, key=lambda found: found[0])
            raise InvalidInput(tuple(problem for _, problem in ordered))


class Fields:
    """Reads the keys of a mapping. Problems are noted in ``findings`` and reading goes on with the default,
    so that a person learns of all of them at once; the caller raises at the end.

    ``path`` is the mapping's place in the file (``pools[0].``), empty for the file itself.
    """

    def __init__(self, node: SpecNode, findings: Findings, path: str = "") -> None:
        self.findings = findings
        self.path = path
        self.line = node.line
        self._entries = dict(node.entries)
        self._known: dict[str, None] = {}
        self._is_mapping = node.kind == "mapping"
        if not self._is_mapping:
            told = f"must be a mapping of keys, not {node.described}"
            findings.note(node.line, path.rstrip("."), told, "key: value")

    def note(self, key: str, what: str, valid: str = "") -> None:
        """Note a problem with a key."""
        line = self._entries[key].line if key in self._entries else self.line
        self.findings.note(line, f"{self.path}{key}", what, valid)

    def given(self, key: str) -> SpecNode | None:
        """The value of a key as written, or None; the key counts as known from here on."""
        self._known[key] = None
        return self._entries.get(key)

    def peek(self, key: str) -> str | None:
        """The text of a single value as written, or None; reads nothing and notes nothing."""
        node = self._entries.get(key)
        return node.text if node is not None and node.kind in ("text", "number", "flag") else None

    def text(self, key: str, default: Any = REQUIRED) -> Any:
        """A word or phrase. A number is taken as it was written."""
        node = self._scalar(key, default, "a text")
        if node is None:
            return _fallback(default, "")
        if not node.text.strip():
            self.note(key, "is empty", "a text")
            return _fallback(default, "")
        return node.text.strip()

    def choice(self, key: str, choices: Iterable[str], default: Any = REQUIRED) -> Any:
        """One of the words ``choices``."""
        allowed = list(choices)
        node = self._scalar(key, default, one_of(allowed))
        if node is None:
            return _fallback(default, allowed[0])
        if node.text in allowed:
            return node.text
        close = nearest(node.text, allowed)
        hint = f'; did you mean "{close}"?' if close else ""
        self.note(key, f'"{node.text}" is not known{hint}', one_of(allowed))
        return _fallback(default, allowed[0])

    def whole(self, key: str, default: Any = REQUIRED, *, least: int, most: int, also: str = "") -> Any:
        """A whole number in ``least..most``; ``also`` tells in messages what else the caller takes."""
        valid = f"a whole number from {least:,} to {most:,} {also}".rstrip()
        node = self._scalar(key, default, valid)
        if node is None:
            return _fallback(default, least)
        if node.quoted or not _WHOLE.match(node.text) or len(node.text) > 20:
            self.note(key, f"{node.described} is not a whole number", valid)
            return _fallback(default, least)
        value = int(node.text.replace("_", ""))
        if not least <= value <= most:
            self.note(key, f"{value:,} is out of range", valid)
            return _fallback(default, least)
        return value

    def number(
        self,
        key: str,
        default: Any = REQUIRED,
        *,
        least: float = 0.0,
        most: float = 1e12,
        above: bool = False,
    ) -> Any:
        """A finite number in ``least..most``; with ``above``, larger than ``least``."""
        valid = f"a number {'above' if above else 'from'} {least:g}" + (
            "" if most >= 1e12 else f" to {most:g}"
        )
        node = self._scalar(key, default, valid)
        if node is None:
            return _fallback(default, max(least, 1.0))
        try:
            value = math.nan if node.quoted else float(node.text.replace("_", ""))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.note(key, f"{node.described} is not a number", valid)
        elif value < least or value > most or (above and value == least):
            self.note(key, f"{node.text} is out of range", valid)
        else:
            return value
        return _fallback(default, max(least, 1.0))

    def flag(self, key: str, default: bool) -> bool:
        """``true`` or ``false``; the older YAML's yes and no are refused, with the word to write."""
        node = self._scalar(key, default, "true or false")
        if node is None:
            return default
        word = node.text.lower()
        if node.kind == "flag" or (not node.quoted and word in ("true", "false")):
            return word == "true"
        if word in _OLD_FLAGS:
            self.note(key, f'"{node.text}" is not a truth value in YAML 1.2', f"write {_OLD_FLAGS[word]}")
        else:
            self.note(key, f"{node.described} is not a truth value", "true or false")
        return default

    def mapping(self, key: str) -> Fields | None:
        """The keys of a mapping inside this one, or None where it is not given."""
        node = self.given(key)
        return None if node is None else Fields(node, self.findings, f"{self.path}{key}.")

    def mappings(self, key: str) -> list[Fields]:
        """The mappings of a list that must be there and have at least one."""
        node = self.given(key)
        if node is None:
            self.note(key, "is missing", "a list with at least one entry")
            return []
        if node.kind != "list" or not node.items:
            said = "is empty" if node.kind in ("list", "empty") else f"must be a list, not {node.described}"
            self.note(key, said, "a list with at least one entry (lines that begin with '-')")
            return []
        return [
            Fields(item, self.findings, f"{self.path}{key}[{index}].")
            for index, item in enumerate(node.items)
        ]

    def finish(self, later: Iterable[str] = ()) -> None:
        """Note every key that nobody read, with the nearest known one. ``later``: keys of a later release."""
        for key in self._entries:
            if key in self._known:
                continue
            if key in later:
                self.note(key, "comes with a later release", "leave it out")
                continue
            close = nearest(key, self._known)
            hint = f'; did you mean "{close}"?' if close else ""
            self.note(key, f"is not a known key{hint}", "known here: " + ", ".join(self._known))

    def _scalar(self, key: str, default: Any, valid: str) -> SpecNode | None:
        node = self.given(key)
        if node is None:
            if default is REQUIRED and self._is_mapping:
                self.note(key, "is missing", valid)
            return None
        if node.kind == "empty":
            self.note(key, "is empty", valid)
            return None
        if node.kind in ("mapping", "list"):
            self.note(key, f"must be a single value, not {node.described}", valid)
            return None
        return node


def _fallback(default: Any, stand_in: Any) -> Any:
    """A value to go on with after a problem was noted; it is never part of an answer."""
    return stand_in if default is REQUIRED else default
