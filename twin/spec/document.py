"""YAML text as a tree that remembers lines.

Values keep the text as it was written, so that ``yes``, ``010`` or ``1e3`` are judged by the field that
reads them and not by one of YAML's two versions. JSON is YAML, so it is read as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from twin.problems import InvalidInput, Problem

MAX_CHARACTERS = 500_000
MAX_NESTED_BRACKETS = 100  # far more than any file of ours; deeper ones take the reader minutes
_STRING_TAG = "tag:yaml.org,2002:str"
_NULL_TAG = "tag:yaml.org,2002:null"


@dataclass(frozen=True, slots=True)
class SpecNode:
    """One value of a file: where it is, what it is, and what is inside."""

    line: int
    kind: str  # "text", "number", "flag", "empty", "mapping", "list"
    text: str = ""  # of a scalar, as written
    quoted: bool = False
    items: tuple[SpecNode, ...] = ()
    entries: tuple[tuple[str, SpecNode], ...] = ()

    @property
    def described(self) -> str:
        """What this is, in a message: ``the text "8x"``, ``a list``."""
        if self.kind in ("mapping", "list"):
            return f"a {self.kind}"
        return "nothing" if self.kind == "empty" else f'"{self.text}"'


def read_document(text: str, source: str) -> SpecNode:
    """The tree of ``text``; ``source`` names the file in problems.

    Raises ``InvalidInput`` for text that is not YAML, has two documents, repeats a key or is huge.
    """
    if len(text) > MAX_CHARACTERS:
        raise InvalidInput.single(
            source, f"has {len(text):,} characters", f"at most {MAX_CHARACTERS:,} are read"
        )
    if _nested_brackets(text) > MAX_NESTED_BRACKETS:
        raise InvalidInput.single(source, "is nested too deeply", "{ and [ inside each other a few times")
    problems: list[Problem] = []
    try:
        root = YAML(typ="safe", pure=True).compose(text)
        tree = _Tree(source, problems).of(root) if root is not None else SpecNode(1, "empty")
    except MarkedYAMLError as error:
        raise InvalidInput((_syntax_problem(error, source),)) from None
    except (YAMLError, ValueError) as error:
        raise InvalidInput.single(source, f"is not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise InvalidInput.single(source, "is nested too deeply") from None
    if problems:
        raise InvalidInput(tuple(problems))
    return tree


def _nested_brackets(text: str) -> int:
    """How deep braces and brackets nest, those inside quotes counted as well."""
    depth = deepest = 0
    for bracket in re.findall(r"[\[{\]}]", text):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _syntax_problem(error: MarkedYAMLError, source: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    where = source if mark is None else f"{source}, line {mark.line + 1}, column {mark.column + 1}"
    told = " ".join(str(part) for part in (error.context, error.problem) if part)
    return Problem(where, f"is not YAML here: {told}")


class _Tree:
    """Turns ruamel's nodes into ours. A node met again was named by an alias: refused, since nested aliases
    make a short file enormous."""

    def __init__(self, source: str, problems: list[Problem]) -> None:
        self.source = source
        self.problems = problems
        self.seen: set[int] = set()

    def of(self, node: Node) -> SpecNode:
        line = node.start_mark.line + 1
        if id(node) in self.seen:
            self._note(f"line {line}", "is used again by an alias (*)", "write it out where it is meant")
            return SpecNode(line, "empty")
        self.seen.add(id(node))
        return self._turned(node, line)

    def _turned(self, node: Node, line: int) -> SpecNode:
        if isinstance(node, MappingNode):
            return SpecNode(line, "mapping", entries=self._entries(node))
        if isinstance(node, SequenceNode):
            return SpecNode(line, "list", items=tuple(self.of(item) for item in node.value))
        assert isinstance(node, ScalarNode)
        return _scalar(node, line)

    def _entries(self, node: MappingNode) -> tuple[tuple[str, SpecNode], ...]:
        entries: dict[str, SpecNode] = {}
        lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                self._note(f"line {line}", "has a key that is not a plain word")
                continue
            key = str(key_node.value)
            if key in entries:
                self._note(f"line {line}: {key}", f"is given twice (first on line {lines[key]})", "keep one")
                continue
            lines[key] = line
            entries[key] = self.of(value_node)
        return tuple(entries.items())

    def _note(self, place: str, what: str, valid: str = "") -> None:
        self.problems.append(Problem(f"{self.source}, {place}", what, valid))


def _scalar(node: ScalarNode, line: int) -> SpecNode:
    text = str(node.value)
    if node.style is not None:  # quoted or block text is text
        return SpecNode(line, "text", text, quoted=True)
    kinds = {
        _STRING_TAG: "text",
        _NULL_TAG: "empty",
        "tag:yaml.org,2002:bool": "flag",
        "tag:yaml.org,2002:int": "number",
        "tag:yaml.org,2002:float": "number",
    }
    return SpecNode(line, kinds.get(str(node.tag), "text"), text)
