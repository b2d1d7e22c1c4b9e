"""Deciding the fate of every row that its format left open, and mending what can be mended."""

from __future__ import annotations

import polars as pl

from twin.workload.jobs import EndState
from twin.workload.records import decide, refuse
from twin.workload.report import Fate, KeepOptions

RUN_LIMIT_MS = 2**42  # so that run x parts per million stays within the engines' integers
GPU_LIMIT = 1_000_000

NO_GPU = "asks for no GPU"
GPUS_UNKNOWN = "the GPU count is not known"
CANCELLED_PENDING = "cancelled while pending: it never started"
STILL_PENDING = "still pending when the trace was written"
OUTSIDE_WINDOW = "submitted outside the chosen window"
OTHER_GROUP = "not of a chosen group"
OTHER_QUEUE = "not of a chosen queue"


def decide_fates(frame: pl.DataFrame, keep: KeepOptions) -> pl.DataFrame:
    """Give every row its fate. The first rule that holds decides; what a format decided stays."""
    frame = decide(frame, frame["gpu_milli"] == 0, Fate.DROPPED, NO_GPU)
    frame = _refuse_unusable(frame)
    frame = _drop_never_started(frame)
    frame = _refuse_repeated_ids(frame)
    frame = _drop_by_choice(frame, keep)
    return frame.with_columns(pl.col("fate").fill_null(int(Fate.JOB)))


def never_started(frame: pl.DataFrame) -> pl.Series:
    """Rows known never to have started: said so, or cancelled with neither a start nor a run time."""
    cancelled = (pl.col("state") == int(EndState.CANCELLED)) & pl.col("start_ms").is_null()
    return frame.select(
        (pl.col("started") == False)  # noqa: E712
        .fill_null(cancelled & (pl.col("run_ms").fill_null(0) == 0))
        .fill_null(False)
    ).to_series()


def with_run_time(frame: pl.DataFrame) -> pl.DataFrame:
    """Run time where the row does not state one: end - start, a negative difference counting as zero; of
    jobs still running, from their start to the last moment that the trace tells of."""
    recorded = (pl.col("end_ms") - pl.col("start_ms")).clip(lower_bound=0)
    last = pl.max_horizontal(pl.col("submit_ms", "start_ms", "end_ms").max())
    running = pl.when(pl.col("state") == int(EndState.RUNNING)).then(last - pl.col("start_ms"))
    return frame.with_columns(run_ms=pl.coalesce("run_ms", recorded, running))


def _refuse_unusable(frame: pl.DataFrame) -> pl.DataFrame:
    waiting = never_started(frame)
    submit, gpus, run = frame["submit_ms"], frame["gpu_milli"], frame["run_ms"]
    frame = refuse(frame, submit.is_null(), "the submit time is not given")
    frame = refuse(frame, submit < 0, "the submit time is negative", lambda: _seconds(submit))
    frame = refuse(frame, gpus.is_null() & ~waiting, GPUS_UNKNOWN)
    frame = refuse(frame, gpus < 0, "the GPU count is negative", lambda: gpus / 1000)
    frame = refuse(frame, gpus > GPU_LIMIT * 1000, f"more than {GPU_LIMIT:,} GPUs", lambda: gpus // 1000)
    frame = refuse(frame, run.is_null() & ~waiting, "the run time is not known")
    frame = refuse(frame, run < 0, "the run time is negative", lambda: _seconds(run))
    frame = refuse(frame, run >= RUN_LIMIT_MS, "the run time is over 139 years", lambda: _seconds(run))
    return _refuse_wrong_shape(frame)


def _refuse_wrong_shape(frame: pl.DataFrame) -> pl.DataFrame:
    """Nodes times GPUs per node must be the GPUs, where both are given."""
    nodes, per_node = frame["nodes"], frame["gpus_per_node"]
    if frame.height in (nodes.null_count(), per_node.null_count()):
        return frame
    gpus = whole_gpus(frame)

    def told() -> pl.Series:
        shape = pl.concat_str(
            "gpus", pl.lit(" GPUs, "), "nodes", pl.lit(" nodes, "), "each", pl.lit(" a node")
        )
        known = [gpus.alias("gpus"), nodes.alias("nodes"), per_node.alias("each")]
        return pl.DataFrame(known).select(shape).to_series()

    return refuse(frame, nodes * per_node != gpus, "GPUs are not nodes times GPUs per node", told)


def whole_gpus(frame: pl.DataFrame) -> pl.Series:
    """GPUs that the replay gives: what was asked, rounded up to whole ones."""
    return (frame["gpu_milli"] + 999) // 1000


def _seconds(ms: pl.Series) -> pl.Series:
    return (ms / 1000).cast(pl.String) + " s"


def _drop_never_started(frame: pl.DataFrame) -> pl.DataFrame:
    waiting = never_started(frame)
    cancelled = waiting & (frame["state"] == int(EndState.CANCELLED))
    frame = decide(frame, cancelled, Fate.DROPPED, CANCELLED_PENDING)
    return decide(frame, waiting, Fate.DROPPED, STILL_PENDING)


def _refuse_repeated_ids(frame: pl.DataFrame) -> pl.DataFrame:
    open_ids = frame.select(pl.when(pl.col("fate").is_null()).then("job_id")).to_series()
    repeated = open_ids.is_not_null() & ~open_ids.is_first_distinct()
    return refuse(frame, repeated, "the job id was used before", frame["job_id"])


def _drop_by_choice(frame: pl.DataFrame, keep: KeepOptions) -> pl.DataFrame:
    if keep.groups:
        frame = decide(frame, ~frame["group"].is_in(keep.groups).fill_null(False), Fate.DROPPED, OTHER_GROUP)
    if keep.queues:
        frame = decide(frame, ~frame["queue"].is_in(keep.queues).fill_null(False), Fate.DROPPED, OTHER_QUEUE)
    if keep.from_ms is None and keep.until_ms is None:
        return frame
    first = frame.filter(pl.col("fate").is_null())["submit_ms"].min()
    since = frame["submit_ms"] - (first if isinstance(first, int) else 0)
    outside = (since < (keep.from_ms or 0)) | (
        since >= (keep.until_ms if keep.until_ms is not None else 2**62)
    )
    return decide(frame, outside, Fate.DROPPED, OUTSIDE_WINDOW)
