"""What the API takes and gives. Times are UTC; every quantity's unit is in its name."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import Field

from fleet.planning.services.studies import MAX_RUNS, MAX_SCENARIOS


class ProblemOut(Schema):
    """One thing wrong: where, what, and what would be valid."""

    where: str
    what: str
    valid: str = ""


class ErrorOut(Schema):
    """Any answer that is not a success."""

    detail: str
    problems: list[ProblemOut] = []


class WorkloadOut(Schema):
    """A workload. ``sha256`` names the content that a replay sees."""

    id: int
    name: str
    version: int
    kind: str
    state: str
    sha256: str
    created_at: datetime
    original_name: str
    job_count: int
    gpu_hours: float
    span_ms: int
    progress: float = Field(description="of a reading, 0 to 1")
    step: str
    problems: list[ProblemOut] = Field(description="why it failed")


class WorkloadReportOut(Schema):
    """The fate of every row of the file."""

    id: int
    report: dict[str, Any]
    profile: dict[str, Any]


class GpuPoolOut(Schema):
    """Equal nodes."""

    name: str
    nodes: int
    gpu: str
    gpus_per_node: int


class ClusterOut(Schema):
    """A cluster, real or candidate."""

    id: int
    name: str
    is_candidate: bool
    derived_from_id: int | None
    gpus: int
    pools: list[GpuPoolOut]


class ClusterYamlIn(Schema):
    """A cluster as ``cluster.yaml``."""

    yaml: str = Field(max_length=4_000_000)
    is_candidate: bool = False


class PolicyOut(Schema):
    """A scheduling policy."""

    id: int
    name: str
    order: str
    backfill: str
    backfill_depth: int | None
    placement: str
    shape: str
    pass_mode: str
    enforce_limits: bool


class StudyIn(Schema):
    """A question: the scenarios are (baseline and candidates) × policies."""

    name: str = Field(min_length=1, max_length=120)
    workload_id: int
    baseline_id: int
    candidate_ids: list[int] = Field([], max_length=MAX_SCENARIOS)
    policy_ids: list[int] = Field(min_length=1, max_length=MAX_SCENARIOS)
    seeds: list[Annotated[int, Field(ge=0, lt=2**31)]] = Field([0], max_length=MAX_RUNS)
    note: str = ""


class StudyOut(Schema):
    """A study and how far its runs are."""

    id: int
    name: str
    note: str
    created_at: datetime
    workload_id: int | None
    baseline_id: int | None
    seeds: list[int]
    round: int


class RunOut(Schema):
    """One scenario replayed with one seed."""

    id: int
    scenario_id: int
    scenario: str
    seed: int
    spec_hash: str
    state: str
    progress: float
    step: str
    error: str
    outcome_id: int | None


class OutcomeOut(Schema):
    """What one specification leads to."""

    id: int
    spec_hash: str
    engine_version: str
    computed_s: float
    created_at: datetime
    summary: dict[str, Any]
