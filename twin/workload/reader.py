"""Reading a trace: open, recognise, read, assemble; and a look at a file before it is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from twin.problems import InvalidInput
from twin.workload.assemble import assemble
from twin.workload.formats import chosen_format
from twin.workload.mapping import ColumnMapping
from twin.workload.records import Records
from twin.workload.report import ImportCancelled, Imported, ImportProgress, KeepOptions, OnImportProgress
from twin.workload.source import open_source

COUNTED = ("gpus", "processors", "nodes")


def read_trace(
    path: Path | str,
    *,
    format: str = "auto",
    mapping: ColumnMapping | None = None,
    on_progress: OnImportProgress | None = None,
    keep: KeepOptions | None = None,
    name: str | None = None,
) -> Imported:
    """Read a trace file, recognised by its content unless ``format`` names one of ``format_names()``.

    ``name`` is what errors call the file (default: its own name). Raises InvalidInput with every problem
    found, or ImportCancelled when ``on_progress`` returned False. Memory: about ten times the
    uncompressed text.
    """
    options = keep or KeepOptions()
    if options.count_as_gpus not in COUNTED:
        raise InvalidInput.single(
            "keep.count_as_gpus", f"'{options.count_as_gpus}' is not known", "one of " + ", ".join(COUNTED)
        )

    def tell(step: str, done: float) -> None:
        if on_progress and not on_progress(ImportProgress(step, done)):
            raise ImportCancelled

    tell("opening", 0.0)
    source = open_source(
        Path(path), name=name, on_bytes=lambda read, size: tell("reading the file", 0.3 * read / size)
    )
    chosen = chosen_format(source, format)
    tell(f"reading as {chosen.TITLE}", 0.35)
    records = chosen.read(source, mapping or ColumnMapping())
    tell("checking rows", 0.75)
    imported = assemble(source, (chosen.NAME, chosen.TITLE), _chosen(records, options), options)
    tell("done", 1.0)
    return imported


def _chosen(records: Records, keep: KeepOptions) -> Records:
    """Records in which processors or nodes stand for GPUs and any model will do, if so chosen."""
    if keep.any_gpu_model:
        frame = records.frame.with_columns(gpu_models=pl.lit(None, dtype=pl.String))
        note = "By choice, the GPU models that jobs ask for are left out: any will do."
        records = replace(records, frame=frame, notes=(*records.notes, note))
    if keep.count_as_gpus == "gpus":
        return records
    counts = {
        "processors": pl.coalesce(pl.col("cpus") * 1000, "gpu_milli"),
        "nodes": pl.coalesce("nodes", "node_count") * 1000,
    }
    none = pl.lit(None, dtype=pl.Int64)
    frame = records.frame.with_columns(
        gpu_milli=counts[keep.count_as_gpus], nodes=none, gpus_per_node=none, cpus=none, memory_mb=none
    )
    note = f"By choice, {keep.count_as_gpus} are replayed as if they were GPUs."
    return replace(records, frame=frame, notes=(*records.notes, note))
