"""Pods of Alibaba's GPU cluster trace v2023 ("OpenB"): shares of a GPU, accepted models, QoS; times from
the trace's start.

Weng et al., USENIX ATC 2023; github.com/alibaba/clusterdata, cluster-trace-gpu-v2023.
"""

from __future__ import annotations

import polars as pl

from twin.problems import InvalidInput
from twin.workload.formats.plain import whole_numbers
from twin.workload.jobs import EndState, MovesAs
from twin.workload.mapping import ColumnMapping
from twin.workload.records import Records, complete, refuse, undecided
from twin.workload.source import Source
from twin.workload.table import LINE, read_table
from twin.workload.times import given, read_times

NAME = "openb"
TITLE = "Alibaba GPU trace v2023, pods (OpenB)"

NEEDED = ("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli")
ALSO = ("gpu_spec", "qos", "pod_phase")
TIMES = {"submit_ms": "creation_time", "start_ms": "scheduled_time", "end_ms": "deletion_time"}
COUNTS = ("num_gpu", "gpu_milli", "cpu_milli", "memory_mib")
NOTES = (
    "A pod that asks for a part of one GPU gets a whole one in the replay; its share is kept in gpu_milli.",
    "Pods of the latency-sensitive class (LS) hold their GPUs for a fixed time; the others are fixed work.",
    "The trace says Running for pods that were deleted later: how those ended is not known.",
    "Job classes are the trace's QoS classes.",
)


def recognise(sample: list[str]) -> float:
    """Sure where the header has OpenB's columns."""
    return 1.0 if sample and set(NEEDED) <= set(sample[0].strip().split(",")) else 0.0


def read(source: Source, mapping: ColumnMapping) -> Records:
    """Read a pod list; of the mapping only the delimiter counts. InvalidInput for variants without times."""
    table = read_table(source, mapping.delimiter or ",")
    cells = table.cells
    missing = [column for column in (*TIMES.values(), *NEEDED, *ALSO) if column not in table.header]
    if missing:
        what = f"the columns {', '.join(missing)} are missing; without times there is nothing to replay"
        raise InvalidInput.single(source.name, what, "openb_pod_list_default.csv or gpushare100, gpuspec33")
    frame = undecided(source, cells[LINE], equal_rows_are_one=True).with_columns(
        given(cells["name"]).alias("job_id")
    )
    for to, column in TIMES.items():
        read = read_times(cells[column], f"{source.name}, column '{column}'", unit_s=1.0)
        frame = refuse(frame, read.bad, f"{column} is not a time", cells[column]).with_columns(
            read.ms.alias(to)
        )
    for column in COUNTS:
        numbers, bad = whole_numbers(cells[column])
        frame = refuse(frame, bad, f"{column} is not a whole number", cells[column]).with_columns(
            numbers.alias(column)
        )
    return Records(
        frame=pl.concat([complete(_meaning(frame, cells)), table.apart]).sort("line"),
        calendar=False,
        time_format="seconds from the start",
        time_zone="no calendar",
        delimiter="comma",
        columns=TIMES
        | {"gpus": "num_gpu", "gpu_models": "gpu_spec", "job_class": "qos", "state": "pod_phase"},
        notes=NOTES,
    )


def _meaning(frame: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
    phase, qos = given(cells["pod_phase"]), given(cells["qos"])
    states = {
        "Succeeded": int(EndState.COMPLETED),
        "Failed": int(EndState.FAILED),
        "Pending": int(EndState.CANCELLED),
    }
    shared = pl.col("num_gpu") <= 1
    return frame.with_columns(
        state=phase.replace_strict(states, default=None, return_dtype=pl.Int8),
        job_class=qos,
        moves_as=(qos != "LS").cast(pl.Int8) * int(MovesAs.FIXED_WORK)
        + (qos == "LS").cast(pl.Int8) * int(MovesAs.FIXED_HOLD),
        gpu_models=given(cells["gpu_spec"]),
    ).with_columns(
        started=pl.when(pl.col("start_ms").is_null()).then(pl.lit(False)),
        gpu_milli=pl.when(shared)
        .then(pl.col("num_gpu") * pl.col("gpu_milli"))
        .otherwise(pl.col("num_gpu") * 1000),
        cpus=(pl.col("cpu_milli") + 999) // 1000,
        memory_mb=pl.col("memory_mib"),
    )
