"""Which column of a table means what: what a person chose, and guesses from the headers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from typing import Any

from twin.problems import InvalidInput, Problem

FIELDS: dict[str, tuple[str, ...]] = {
    "job_id": (
        "job_id", "jobid", "id", "job", "job_name", "jobname", "name", "job_number", "sim_job_id", "uuid",
    ),
    "submit": (
        "submit", "submit_time", "submitted", "submission_time", "submitted_time", "submitted_at",
        "submit_ts",
        "time_submitted", "submission", "timestamp", "arrival", "arrival_time", "creation_time", "created",
        "created_at", "queued_at", "sim_submit_ts", "sim_submit", "time", "dt",
    ),
    "eligible": ("eligible", "eligible_time", "eligible_at"),
    "start": (
        "start", "start_time", "started", "started_at", "begin", "begin_time", "scheduled_time",
        "time_started",
        "start_ts",
    ),
    "end": (
        "end", "end_time", "ended", "finish", "finish_time", "finished", "finished_at", "completed_at",
        "completion_time", "deletion_time", "time_done", "end_ts",
    ),
    "duration": (
        "duration", "run_time", "runtime", "run", "elapsed", "elapsedraw", "elapsed_raw", "wall_time",
        "walltime",
        "elapsed_time", "execution_time", "exec_time", "real_duration", "time_running", "sim_duration",
    ),
    "wait": ("wait", "wait_time", "queue_time", "queueing_time", "pending_time"),
    "gpus": (
        "gpus", "num_gpus", "num_gpu", "gpu_num", "ngpus", "n_gpus", "gpu_count", "gpu", "gpus_requested",
        "requested_gpus", "req_gpus", "alloc_gpus", "gpus_allocated", "allocated_gpus",
    ),
    "nodes": ("nodes", "num_nodes", "node_num", "nnodes", "n_nodes", "node_count"),
    "gpus_per_node": ("gpus_per_node", "gpu_per_node", "ngpus_per_node"),
    "cpus": ("cpus", "num_cpus", "cpu_num", "ncpus", "n_cpus", "cores", "cpu_count", "req_cpus", "reqcpus"),
    "memory_gb": ("memory_gb", "mem_gb", "memory_mb", "mem_mb", "memory_mib", "memory_gib", "memory"),
    "user": ("user", "user_id", "username", "user_name", "owner", "sim_username"),
    "group": (
        "group", "group_id", "account", "project", "team", "vc", "virtual_cluster", "department",
        "sim_account",
    ),
    "queue": ("queue", "partition", "queue_name", "sim_partition"),
    "class": ("class", "job_class", "job_type", "workload", "type", "kind"),
    "time_limit": (
        "time_limit", "timelimit", "limit", "wall_limit", "walltime_limit", "requested_time", "req_time",
        "sim_wclimit",
    ),
    "priority": ("priority", "prio"),
    "gpu_model": ("gpu_model", "gpu_type", "gpu_models", "gpu_types", "gpu_spec"),
    "state": ("state", "status", "job_state", "pod_phase"),
    "moves_as": ("moves_as",),
}  # fmt: skip
NOT_USED_YET = ("min_gpus", "max_gpus", "depends_on")
UNIT_SECONDS = {
    "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "secs": 1.0, "seconds": 1.0, "min": 60.0,
    "mins": 60.0, "minutes": 60.0, "h": 3600.0, "hr": 3600.0, "hours": 3600.0, "days": 86400.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """How to read a table. Everything left out is guessed.

    ``columns`` maps fields (the keys of ``FIELDS``) to the file's column names; a field mapped to "" is
    not read. ``header`` names the columns of a file that has no header line. ``time_format`` is a
    strptime pattern, ``time_zone`` the zone of times that state none, ``units`` the unit of a field's
    plain numbers ("ms", "s", "min", "h").
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    header: tuple[str, ...] | None = None
    time_format: str | None = None
    time_zone: str | None = None
    units: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for saving."""
        return asdict(self)

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> ColumnMapping:
        """The mapping that ``to_dict`` wrote; InvalidInput for keys and fields that do not exist."""
        problems = _unknown("mapping", saved, list(cls.__dataclass_fields__))
        problems += _unknown("mapping, columns", saved.get("columns", {}), list(FIELDS))
        problems += _unknown("mapping, units", saved.get("units", {}), list(FIELDS))
        problems += [
            Problem(
                f"mapping, units, {name}", f"unit '{unit}' is not known", "one of " + ", ".join(UNIT_SECONDS)
            )
            for name, unit in dict(saved.get("units", {})).items()
            if unit not in UNIT_SECONDS
        ]
        if problems:
            raise InvalidInput(tuple(problems))
        header = saved.get("header")
        return cls(**{**saved, "header": tuple(header) if header else None})

    def unit_s(self, name: str, column: str) -> float | None:
        """Seconds of one unit of a field's numbers: as chosen, else as the column's name says, else None."""
        if name in self.units:
            return UNIT_SECONDS[self.units[name]]
        last = re.split(r"[^a-z]+", column.lower().rstrip(")"))[-1]
        return UNIT_SECONDS.get(last) if "_" in column or "(" in column or " " in column else None


def _unknown(where: str, given: Mapping[str, Any], valid: Sequence[str]) -> list[Problem]:
    problems = []
    for key in given:
        if key not in valid:
            near = get_close_matches(key, valid, 1)
            told = f"did you mean '{near[0]}'?" if near else "one of " + ", ".join(valid)
            problems.append(Problem(where, f"'{key}' is not known", told))
    return problems


def plain_name(header: str) -> str:
    """A header in one spelling: lower case, words joined by an underscore, no unit in brackets."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", re.sub(r"[(\[].*[)\]]", "", header).strip())
    return re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")


def guess_columns(header: Sequence[str]) -> dict[str, str]:
    """Field -> column, by the headers alone; each column is used once, the more usual name first."""
    names: dict[str, str] = {}
    for column in header:
        names.setdefault(plain_name(column), column)
        names.setdefault(_without_unit(plain_name(column)), column)
    found: dict[str, str] = {}
    for name, spellings in FIELDS.items():
        match = next((s for s in spellings if s in names and names[s] not in found.values()), None)
        if match is not None:
            found[name] = names[match]
    return found


def _without_unit(name: str) -> str:
    stem, _, unit = name.rpartition("_")
    return stem if stem and unit in UNIT_SECONDS else name


def chosen_columns(header: Sequence[str], mapping: ColumnMapping, where: str) -> dict[str, str]:
    """Guesses overridden by what the mapping says; InvalidInput where it names what is not there."""
    problems = _unknown(where, mapping.columns, list(FIELDS))
    for name, column in mapping.columns.items():
        if column and column not in header:
            near = get_close_matches(column, header, 1)
            told = f"did you mean '{near[0]}'? " if near else ""
            problems.append(
                Problem(
                    where,
                    f"there is no column '{column}' (for {name})",
                    told + "the columns are " + ", ".join(header),
                )
            )
    if problems:
        raise InvalidInput(tuple(problems))
    taken = {column for column in mapping.columns.values() if column}
    guesses = {
        name: column
        for name, column in guess_columns(header).items()
        if name not in mapping.columns and column not in taken
    }
    _refuse_twins(header, guesses, taken, where)
    return guesses | {name: column for name, column in mapping.columns.items() if column}


def _refuse_twins(header: Sequence[str], guesses: Mapping[str, str], taken: set[str], where: str) -> None:
    """A guess is no guess where two columns have the same name."""
    for name, column in guesses.items():
        twin = f"{column} (2)"
        if twin in header and twin not in taken:
            what = f"two columns are called '{column}'; which one is {name}?"
            raise InvalidInput.single(where, what, f"map {name} to '{column}' or '{twin}'")
