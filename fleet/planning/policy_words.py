"""What each choice of a policy means, in plain words: shown beside the choice, and in comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

FIELD_LABELS: Final[dict[str, str]] = {
    "name": "Name",
    "order": "Order of the queue",
    "backfill": "When a job does not fit",
    "backfill_depth": "Backfill depth, jobs",
    "placement": "Placement",
    "shape": "Shape of a job that names no nodes",
    "pass_mode": "When the scheduler looks",
    "enforce_limits": "Stop jobs at their time limit",
}

CHOICES: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "order": {
        "fifo": (
            "FIFO",
            "First submitted, first looked at. Fair by arrival; a large job holds up what is behind it.",
        ),
        "priority": (
            "Priority",
            "The larger the priority in the trace, the earlier; equal priorities by arrival.",
        ),
        "sjf": (
            "Shortest first",
            "By time limit, or by run time where a job has none (perfect knowledge: better than reality).",
        ),
    },
    "backfill": {
        "strict": ("Strict", "Stop at the first job that does not fit. Nobody overtakes; GPUs stand idle."),
        "first_fit": (
            "First fit",
            "Skip what does not fit and go on, without a reservation. Large jobs can starve.",
        ),
        "easy": (
            "EASY backfill",
            "The first job that does not fit gets a reservation; others overtake if they do not delay it.",
        ),
    },
    "placement": {
        "best_fit": (
            "Best fit",
            "Nodes with the fewest free GPUs first: packs jobs, keeps whole nodes free.",
        ),
        "first_fit": ("First fit", "Nodes in their order: simple and predictable."),
        "worst_fit": ("Worst fit", "Nodes with the most free GPUs first: spreads jobs, splits free space."),
        "count": (
            "Count",
            "A pool is one bag of GPUs without nodes: an upper bound that never fragments.",
        ),
    },
    "shape": {
        "packed": ("Packed", "Up to one node's GPUs on one node, larger jobs on whole nodes and one more."),
        "scatter": ("Scatter", "Any free GPUs of one pool, over as many nodes as it takes."),
    },
    "pass_mode": {
        "instant": ("Once an instant", "One look at the queue after everything that happens at one moment."),
        "event": ("After each event", "One look after every single event, as CQSim and AccaSim do."),
    },
}

DEPTH_HELP: Final = (
    "Jobs looked at past the first that does not fit. Empty: no limit. Only backfill and first fit use it."
)
LIMITS_HELP: Final = "A job that runs over its limit ends there as timed out. Off: it runs to its own end."


def choice_label(field: str, value: object) -> str:
    """What people call a choice."""
    named = CHOICES.get(field, {}).get(str(value))
    if named:
        return named[0]
    if field == "backfill_depth":
        return "no limit" if value is None else f"{value}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def policy_line(fields: Mapping[str, Any]) -> str:
    """A policy in one line: "FIFO, EASY backfill (depth 100), best fit"."""
    backfill = choice_label("backfill", fields["backfill"])
    if fields["backfill"] != "strict":
        backfill += f" (depth {choice_label('backfill_depth', fields['backfill_depth'])})"
    words = [
        choice_label("order", fields["order"]),
        backfill,
        choice_label("placement", fields["placement"]).lower(),
    ]
    if fields["shape"] != "packed":
        words.append(choice_label("shape", fields["shape"]).lower())
    if fields["pass_mode"] != "instant":
        words.append(choice_label("pass_mode", fields["pass_mode"]).lower())
    if not fields["enforce_limits"]:
        words.append("limits not enforced")
    return ", ".join(words)
