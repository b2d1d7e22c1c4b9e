"""Microsoft Philly 2017 as published with Sia: timestamp, duration, num_gpus, gpu_time, cluster.

82,247 completed attempts of 15 virtual clusters, without ids, users, recorded starts or a stated time zone.
Jeon et al., USENIX ATC 2019; the table is from the artifacts of Sia, SOSP 2023.
"""

from __future__ import annotations

from dataclasses import replace

from twin.workload.formats import plain
from twin.workload.mapping import ColumnMapping
from twin.workload.records import Records
from twin.workload.source import Source
from twin.workload.table import read_table

NAME = "philly"
TITLE = "Microsoft Philly (timestamp, duration, num_gpus, gpu_time, cluster)"

HEADER = ("timestamp", "duration", "num_gpus", "gpu_time", "cluster")
COLUMNS = {"submit": "timestamp", "duration": "duration", "gpus": "num_gpus", "group": "cluster"}
NOTES = (
    "Groups are Philly's virtual clusters.",
    "Equal rows are one job written twice: the published table repeats 65 rows.",
    "Published as completed attempts only, without jobs that failed or were killed after long runs; the "
    "file itself does not say how jobs ended.",
)


def recognise(sample: list[str]) -> float:
    """Sure where the header has exactly Philly's columns, in any order."""
    return 1.0 if sample and tuple(sorted(sample[0].strip().split(","))) == tuple(sorted(HEADER)) else 0.0


def read(source: Source, mapping: ColumnMapping) -> Records:
    """Read the table; the mapping may give the time zone."""
    table = read_table(source, mapping.delimiter or ",")
    records = plain.read_columns(source, table, COLUMNS, mapping, equal_rows_are_one=True)
    return replace(records, notes=NOTES + records.notes)
