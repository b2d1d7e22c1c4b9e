"""Reads a replay's result: metrics, curves over time, waits, outcomes, and how the past compares."""

from twin.analysis.job_classes import Cells, cells_of
from twin.analysis.labels import (
    ACCOUNT_LABELS,
    HELD,
    MISSING_TEXT,
    PRODUCTIVE,
    REASON_LABELS,
    SET_ASIDE_LABELS,
    STATE_LABELS,
    duration_text,
)
from twin.analysis.outcomes import outcomes_frame, write_outcomes_csv
from twin.analysis.percentiles import NEVER_MS, enough_jobs, nearest_ranks, share_interval
from twin.analysis.recorded import replay_against_recorded
from twin.analysis.summarise import summarise
from twin.analysis.summary import (
    SUMMARY_VERSION,
    ClassMetrics,
    Ledger,
    LedgerLine,
    ReplayCheck,
    SetAsideJobs,
    Summary,
    Waits,
    Work,
)
from twin.analysis.targets import DEFAULT_TARGETS, SIZE_BUCKETS, SizeBucket, Targets, size_codes
from twin.analysis.timeline import Timeline, timeline
from twin.analysis.wait_curves import WaitCurve, wait_curves

__all__ = [
    "ACCOUNT_LABELS",
    "DEFAULT_TARGETS",
    "HELD",
    "MISSING_TEXT",
    "NEVER_MS",
    "PRODUCTIVE",
    "REASON_LABELS",
    "SET_ASIDE_LABELS",
    "SIZE_BUCKETS",
    "STATE_LABELS",
    "SUMMARY_VERSION",
    "Cells",
    "ClassMetrics",
    "Ledger",
    "LedgerLine",
    "ReplayCheck",
    "SetAsideJobs",
    "SizeBucket",
    "Summary",
    "Targets",
    "Timeline",
    "WaitCurve",
    "Waits",
    "Work",
    "cells_of",
    "duration_text",
    "enough_jobs",
    "nearest_ranks",
    "outcomes_frame",
    "replay_against_recorded",
    "share_interval",
    "size_codes",
    "summarise",
    "timeline",
    "wait_curves",
    "write_outcomes_csv",
]
