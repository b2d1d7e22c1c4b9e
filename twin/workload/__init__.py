"""Workloads: the Jobs table, readers of traces, and generated mixes."""

from twin.workload.demo import demo_mix
from twin.workload.fit import fit_mix
from twin.workload.formats import format_names
from twin.workload.generate import generate
from twin.workload.jobs import MISSING, Category, EndState, Jobs, MovesAs, make_jobs
from twin.workload.mapping import FIELDS, ColumnMapping, guess_columns
from twin.workload.mix import JobClass, RunTime, TimeLimit, WorkloadMix
from twin.workload.mix_file import dump_mix, load_mix, mix_mapping
from twin.workload.preview import Preview, preview
from twin.workload.profile import Profile, local_submit_ms, profile, size_buckets
from twin.workload.reader import read_trace
from twin.workload.report import (
    Fate,
    ImportCancelled,
    Imported,
    ImportProgress,
    ImportReport,
    KeepOptions,
    OnImportProgress,
    Refusal,
    UnmetDemand,
)
from twin.workload.rhythm import FLAT, OFFICE, Rhythm
from twin.workload.source import Source, open_source
from twin.workload.storage import load_jobs, save_jobs
from twin.workload.table import read_table

__all__ = [
    "FIELDS",
    "FLAT",
    "MISSING",
    "OFFICE",
    "Category",
    "ColumnMapping",
    "EndState",
    "Fate",
    "ImportCancelled",
    "ImportProgress",
    "ImportReport",
    "Imported",
    "JobClass",
    "Jobs",
    "KeepOptions",
    "MovesAs",
    "OnImportProgress",
    "Preview",
    "Profile",
    "Refusal",
    "Rhythm",
    "RunTime",
    "Source",
    "TimeLimit",
    "UnmetDemand",
    "WorkloadMix",
    "demo_mix",
    "dump_mix",
    "fit_mix",
    "format_names",
    "generate",
    "guess_columns",
    "load_jobs",
    "load_mix",
    "local_submit_ms",
    "make_jobs",
    "mix_mapping",
    "open_source",
    "preview",
    "profile",
    "read_table",
    "read_trace",
    "save_jobs",
    "size_buckets",
]
