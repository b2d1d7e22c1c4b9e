"""The words that pages and reports use for ledger accounts, wait reasons, end states and times."""

from __future__ import annotations

from typing import Final

from twin.engine.result import Account, SetAside, WaitReason
from twin.workload.jobs import EndState

ACCOUNT_LABELS: Final[dict[Account, str]] = {
    Account.PRODUCTIVE_COMPLETED: "productive, completed",
    Account.PRODUCTIVE_CANCELLED: "productive, cancelled",
    Account.PRODUCTIVE_FAILED: "productive, failed",
    Account.PRODUCTIVE_TIMED_OUT: "productive, timed out",
    Account.SLOWED: "slowed",
    Account.SAVE_AND_RESTORE: "checkpoint save and restore",
    Account.ROLLED_BACK_PREEMPTION: "rolled back, preemption",
    Account.ROLLED_BACK_FAILURE: "rolled back, failure",
    Account.IDLE_NO_DEMAND: "idle, no demand",
    Account.IDLE_NOT_ELIGIBLE: "idle, waiting jobs not eligible",
    Account.IDLE_WRONG_GPU_MODEL: "idle, wrong GPU model",
    Account.IDLE_HELD_FOR_WAITING_JOB: "idle, held for a waiting job",
    Account.IDLE_ADVANCE_RESERVATION: "idle, advance reservation",
    Account.IDLE_FRAGMENTED: "idle, fragmented",
    Account.IDLE_SCHEDULER_DELAY: "idle, scheduler delay",
    Account.IDLE_TOO_FEW_FREE: "idle, too few free",
    Account.DOWN: "down",
    Account.MAINTENANCE: "maintenance",
}

REASON_LABELS: Final[dict[WaitReason, str]] = {
    WaitReason.NOT_YET_ELIGIBLE: "not yet eligible",
    WaitReason.BEHIND_OTHERS: "behind others",
    WaitReason.TOO_FEW_FREE: "too few free",
    WaitReason.FRAGMENTED: "fragmented",
    WaitReason.HELD_FOR_ANOTHER: "held for another",
    WaitReason.QUOTA: "quota",
    WaitReason.WRONG_GPU_MODEL: "wrong GPU model",
    WaitReason.DOWN: "down",
    WaitReason.SCHEDULER_DELAY: "scheduler delay",
}

SET_ASIDE_LABELS: Final[dict[SetAside, str]] = {
    SetAside.UNKNOWN_GPU_MODEL: "no pool has a GPU model that the job accepts",
    SetAside.TOO_MANY_GPUS: "more GPUs than any pool it accepts has",
    SetAside.SHAPE_NEVER_FITS: "its nodes × GPUs per node never fit",
    SetAside.TOO_MUCH_CPU_OR_MEMORY: "more CPUs or memory than the nodes have",
}

STATE_LABELS: Final[dict[EndState, str]] = {
    EndState.UNKNOWN: "unknown",
    EndState.COMPLETED: "completed",
    EndState.CANCELLED: "cancelled",
    EndState.FAILED: "failed",
    EndState.TIMED_OUT: "timed_out",
    EndState.RUNNING: "running",
    EndState.SET_ASIDE: "set_aside",
}

PRODUCTIVE: Final = (
    Account.PRODUCTIVE_COMPLETED,
    Account.PRODUCTIVE_CANCELLED,
    Account.PRODUCTIVE_FAILED,
    Account.PRODUCTIVE_TIMED_OUT,
)
HELD: Final = (
    *PRODUCTIVE,
    Account.SLOWED,
    Account.SAVE_AND_RESTORE,
    Account.ROLLED_BACK_PREEMPTION,
    Account.ROLLED_BACK_FAILURE,
)

MISSING_TEXT: Final = "—"
"""What is shown where a figure cannot be given."""


def duration_text(seconds: float | None) -> str:
    """A time in the unit that reads best: ``45 s``, ``12.5 min``, ``3.2 h``, ``4.1 d``."""
    if seconds is None:
        return MISSING_TEXT
    for limit, unit, divisor in ((120, "s", 1), (3_600, "min", 60), (172_800, "h", 3_600)):
        if seconds < limit:
            shown = seconds / divisor
            return f"{shown:.0f} {unit}" if shown == int(shown) else f"{shown:.1f} {unit}"
    return f"{seconds / 86_400:,.1f} d"
