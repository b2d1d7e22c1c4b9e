"""``policy.yaml``: reading one with every problem at once, and writing one that reads back equal."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, TypeVar

from twin.sched.policy import Backfill, Order, PassMode, Placement, Policy, Shape
from twin.spec import Fields, Findings, one_of, read_document, write_document

PRESETS: Final[dict[str, Policy]] = {
    # CQSim has no nodes and schedules after each event: github.com/SPEAR-UIC/CQSim
    "cqsim": Policy(
        name="cqsim",
        order=Order.FIFO,
        backfill=Backfill.EASY,
        backfill_depth=None,
        placement=Placement.COUNT,
        pass_mode=PassMode.EVENT,
    ),
}
"""Named sets of the public options; what follows ``preset`` in a file overrides."""

LATER: Final[dict[str, tuple[str, ...]]] = {
    "order": ("srtf", "smallest", "largest", "las", "multifactor", "drf", "edf", "formula"),
    "backfill": ("conservative",),
    "placement": ("fewest_racks", "fgd", "fastest", "cheapest", "variability_aware"),
    "preemption": ("priority", "qos", "quantum", "quota_reclaim"),
    "preset": ("slurm_backfill", "tiresias", "gavel", "kueue", "volcano"),
}
"""Choices that are described but not built yet: refused by name, so that nobody mistakes them for a typo."""

_LATER_KEYS = ("recalculate", "quotas", "quota_blocks", "formula", "weights", "quantum", "elastic")
_MOST_DEPTH = 1_000_000_000
_Choice = TypeVar("_Choice", bound=StrEnum)


def load_policy(text: str, source: str = "policy.yaml") -> Policy:
    """The policy that ``text`` (YAML or JSON) describes; ``source`` is what problems call the file.

    Raises ``InvalidInput`` with all problems: unknown keys (with the nearest known one), wrong values, and
    choices that come with a later release, each with its line.
    """
    findings = Findings(source)
    document = read_document(text, source)
    if document.kind == "empty":
        return Policy()
    file = Fields(document, findings)
    base = _preset(file)
    order = _choice(file, "order", Order, base.order)
    backfill = _choice(file, "backfill", Backfill, base.backfill)
    placement = _choice(file, "placement", Placement, base.placement)
    default_name = f"{order}, {backfill}, {placement}" if base == Policy() else base.name
    policy = Policy(
        name=file.text("name", default_name),
        order=order,
        backfill=backfill,
        backfill_depth=_depth(file, base.backfill_depth),
        placement=placement,
        shape=_choice(file, "shape", Shape, base.shape),
        pass_mode=_pass_mode(file, base.pass_mode),
        enforce_limits=file.flag("enforce_limits", base.enforce_limits),
    )
    _only(file, "preemption", "none")
    _only(file, "assume_limit", "run_time")
    file.finish(later=_LATER_KEYS)
    findings.raise_if_any()
    return policy


def dump_policy(policy: Policy) -> str:
    """The policy as ``policy.yaml``, every key written; ``load_policy(dump_policy(p)) == p``."""
    document: dict[str, Any] = {
        "name": policy.name,
        "order": policy.order.value,
        "backfill": policy.backfill.value,
        "backfill_depth": "all" if policy.backfill_depth is None else policy.backfill_depth,
        "placement": policy.placement.value,
        "preemption": "none",
        "pass": policy.pass_mode.value,
        "shape": policy.shape.value,
        "enforce_limits": policy.enforce_limits,
    }
    return write_document(document)


def _preset(file: Fields) -> Policy:
    if file.peek("preset") in LATER["preset"]:
        file.given("preset")
        file.note("preset", f'"{file.peek("preset")}" comes with a later release', one_of(PRESETS))
        return Policy()
    if file.peek("preset") is None:
        file.given("preset")
        return Policy()
    return PRESETS[file.choice("preset", PRESETS)]


def _choice(file: Fields, key: str, choices: type[_Choice], default: _Choice) -> _Choice:
    words = [choice.value for choice in choices]
    if file.peek(key) in LATER.get(key, ()):
        file.given(key)
        file.note(key, f'"{file.peek(key)}" comes with a later release', one_of(words))
        return default
    return choices(file.choice(key, words, default.value))


def _only(file: Fields, key: str, word: str) -> None:
    """A key with one value so far."""
    if file.peek(key) in LATER.get(key, ()):
        file.given(key)
        file.note(key, f'"{file.peek(key)}" comes with a later release', word)
    else:
        file.choice(key, [word], word)


def _depth(file: Fields, default: int | None) -> int | None:
    if file.peek("backfill_depth") == "all":
        file.given("backfill_depth")
        return None
    depth: int | None = file.whole("backfill_depth", default, least=0, most=_MOST_DEPTH, also='or "all"')
    return depth


def _pass_mode(file: Fields, default: PassMode) -> PassMode:
    written = file.peek("pass")
    if written is not None and written.split()[:1] == ["every"]:
        file.given("pass")
        file.note("pass", f'"{written}" comes with a later release', one_of(PassMode))
        return default
    return _choice(file, "pass", PassMode, default)
