"""The words that schedulers use for how a job stands, as one small vocabulary."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from twin.workload.jobs import EndState

WORDS: dict[EndState, tuple[str, ...]] = {
    EndState.COMPLETED: (
        "completed", "complete", "cd", "success", "successful", "succeeded", "succeed", "pass", "passed",
        "done", "finished", "terminated", "ok", "exited_ok",
    ),
    EndState.CANCELLED: (
        "cancelled", "canceled", "ca", "killed", "revoked", "rv", "aborted", "stopped", "deleted",
        "preempted", "pr",
    ),
    EndState.FAILED: (
        "failed", "failure", "fail", "f", "error", "node_fail", "nf", "out_of_memory", "oom", "boot_fail",
        "bf", "crashed", "exit", "launch_failed", "reconfig_fail",
    ),
    EndState.TIMED_OUT: ("timeout", "to", "timed_out", "deadline", "dl", "timelimit"),
    EndState.RUNNING: ("running", "r", "suspended", "s", "completing", "cg", "stopped_running", "processing"),
}  # fmt: skip
PENDING = ("pending", "pd", "queued", "waiting", "submitted", "requeue_hold", "configuring", "cf")
ATTEMPT = ("requeued", "rq", "resizing", "rs")  # the record is one try of a job that goes on
RETRIED = ("requeued", "rq", "resizing", "rs", "preempted", "pr", "node_fail", "nf")
"""States after which another record of the same id is a further attempt, not a reused id."""

_STATE_OF = {word: state for state, words in WORDS.items() for word in words}


@dataclass(frozen=True, slots=True)
class States:
    """Columns of equal length, and the words that are in no vocabulary with how often they occur."""

    state: pl.Series  # Int8, EndState; null = not known
    pending: pl.Series  # Boolean
    retried: pl.Series  # Boolean: a further record of the same id is another attempt
    unknown: dict[str, int]

    def note(self) -> tuple[str, ...]:
        """What to say about states that are not known, if there are any."""
        if not self.unknown:
            return ()
        told = ", ".join(f"'{word}' ({rows:,})" for word, rows in list(self.unknown.items())[:8])
        return (f"States not known, read as ended without saying how: {told}.",)


def read_states(column: pl.Series) -> States:
    """Read a column of state words; ``CANCELLED by 1000`` and the cut ``CANCELLED+`` are understood."""
    first = column.str.strip_chars().str.to_lowercase().str.extract(r"^([^\s,]+)")
    counts = first.value_counts().drop_nulls()
    words = {str(word): _full(str(word)) for word in counts.to_series(0)}
    state = {word: int(_STATE_OF[full]) for word, full in words.items() if full in _STATE_OF}
    known = {*_STATE_OF, *PENDING, *ATTEMPT}
    unknown = {word: n for word, n in counts.iter_rows() if words[str(word)] not in known}
    return States(
        state=first.replace_strict(state, default=None, return_dtype=pl.Int8),
        pending=first.is_in([word for word, full in words.items() if full in PENDING]).fill_null(False),
        retried=first.is_in([word for word, full in words.items() if full in RETRIED]).fill_null(False),
        unknown=dict(sorted(unknown.items(), key=lambda item: (-item[1], item[0]))),
    )


def _full(word: str) -> str:
    """The whole word for one cut short with a plus sign, if only one state begins so."""
    if not word.endswith("+"):
        return word
    stem = word[:-1]
    begins = {known for known in (*_STATE_OF, *PENDING, *ATTEMPT) if known.startswith(stem)}
    meanings = {_STATE_OF.get(known) for known in begins}
    return min(begins) if begins and len(meanings) == 1 else word
