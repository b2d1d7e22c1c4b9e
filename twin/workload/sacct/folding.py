"""Which records are one job: steps, older snapshots, attempts after a requeue, components of a het job.

Every frame here has the columns of ``records.COLUMNS`` and the keys ``cluster``, ``base`` (the id without
step and component), ``step``, ``component``, ``pending`` and ``retried``.
"""

from __future__ import annotations

import polars as pl

from twin.workload.jobs import EndState
from twin.workload.records import decide
from twin.workload.report import Fate, counted

STEP = "a job step"
SNAPSHOT = "an older record of a job that went on"
SAME_RUN = "another record of the same run"
ATTEMPT = "an earlier attempt of a requeued job"
COMPONENT = "a component of a heterogeneous job"
JOB_ID = r"^(?<base>\d+(?:_(?:\d+|\[[^\]]*\]))?)(?:\+(?<component>\d+))?(?:\.(?<step>.+))?$"


def with_keys(frame: pl.DataFrame, ids: pl.Series) -> pl.DataFrame:
    """The frame with base, component and step of every id; what is no Slurm id stays whole."""
    parts = ids.str.extract_groups(JOB_ID).struct.unnest()
    return frame.with_columns(
        parts["base"].fill_null(ids).alias("base"),
        parts["component"].alias("component"),
        parts["step"].alias("step"),
    )


def fold(frame: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, int], tuple[str, ...]]:
    """The frame with records folded into the row of their job, repairs by name, and notes."""
    parents = set(frame.filter(pl.col("step").is_null())["base"].to_list())
    orphans = frame.filter(pl.col("step").is_not_null() & ~pl.col("base").is_in(list(parents))).height
    frame = decide(frame, frame["step"].is_not_null(), Fate.FOLDED, STEP)
    frame = _fold_components(frame)
    frame = _fold_snapshots(frame)
    frame, attempts = _fold_attempts(frame)
    frame, reused = _tell_apart(frame)
    notes = []
    if orphans:
        notes.append(f"No record of the job itself is in the file for {counted(orphans, 'step')}.")
    if attempts:
        notes.append(
            f"Several attempts were made by {counted(attempts, 'job')}: the run time is the sum of the "
            "attempts, the start is that of the first and the end that of the last."
        )
    repairs = {"job id used again, told apart by #2, #3, …": reused} if reused else {}
    return frame, repairs, tuple(notes)


OPEN = pl.col("fate").is_null() & pl.col("base").is_not_null()


def _fold_components(frame: pl.DataFrame) -> pl.DataFrame:
    """A het job is one gang: its GPUs, CPUs and memory are summed into its first component."""
    parts = frame.filter(OPEN & pl.col("component").is_not_null())
    if parts.is_empty():
        return frame
    keys = ["cluster", "base", "submit_ms", "start_ms"]
    summed = (
        parts.sort("line")
        .group_by(keys, maintain_order=True)
        .agg(
            pl.col("line").first(),
            pl.col("gpu_milli", "cpus", "memory_mb").sum(),
            pl.col("line").slice(1).alias("others"),
        )
    )
    others = summed["others"].explode().drop_nulls()
    frame = decide(frame, frame["line"].is_in(others.implode()), Fate.FOLDED, COMPONENT)
    return frame.update(summed.select("line", "gpu_milli", "cpus", "memory_mb"), on="line")


def _repeated(frame: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Open rows whose keys occur more than once."""
    rows = frame.filter(OPEN)
    return rows.filter(rows.select(keys).is_duplicated())


def _fold_snapshots(frame: pl.DataFrame) -> pl.DataFrame:
    """Exports of several months repeat a job: a record still pending or running gives way to a later one
    of the same submission, and a run recorded twice counts once."""
    rows = _repeated(frame, ["cluster", "base", "component", "submit_ms"])
    if rows.is_empty():
        return frame
    live = pl.col("pending") | (pl.col("state") == int(EndState.RUNNING)).fill_null(False)
    keys = ["cluster", "base", "submit_ms"]
    told = rows.with_columns(live=live).with_columns(
        settled=(~pl.col("live")).any().over(keys),
        newest=(pl.col("line") == pl.col("line").max().over(keys)),
    )
    older = told.filter(pl.col("live") & (pl.col("settled") | ~pl.col("newest")))["line"]
    frame = decide(frame, frame["line"].is_in(older.implode()), Fate.FOLDED, SNAPSHOT)
    same = _repeated(frame, ["cluster", "base", "submit_ms", "start_ms"]).filter(
        pl.col("start_ms").is_not_null()
    )
    earlier = same.filter(
        pl.col("line") < pl.col("line").max().over(["cluster", "base", "submit_ms", "start_ms"])
    )["line"]
    return decide(frame, frame["line"].is_in(earlier.implode()), Fate.FOLDED, SAME_RUN)


def _fold_attempts(frame: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Records of one id are attempts of one job as long as each but the last ended requeued, preempted or
    by a failed node; the sum of their run times is what the job took."""
    rows = _repeated(frame, ["cluster", "base"])
    if rows.is_empty():
        return frame, 0
    key = ["cluster", "base"]
    began = pl.col("start_ms").fill_null(pl.col("submit_ms"))
    rows = rows.with_columns(began.alias("began")).sort("cluster", "base", "began", "line", nulls_last=True)
    rows = rows.with_columns(
        segment=(~pl.col("retried").shift(1, fill_value=False)).cast(pl.Int64).cum_sum().over(key)
    )
    jobs = rows.group_by([*key, "segment"], maintain_order=True).agg(
        pl.col("line").last(),
        pl.col("line").slice(0, pl.len() - 1).alias("others"),
        pl.col("run_ms").sum(),
        pl.col("submit_ms").min(),
        pl.col("eligible_ms").min(),
        pl.col("start_ms").drop_nulls().first(),
        pl.when(pl.col("pending").last() & (pl.col("run_ms").sum() > 0))
        .then(pl.lit(int(EndState.RUNNING), dtype=pl.Int8))
        .otherwise(pl.col("state").last())
        .alias("state"),
        pl.when(pl.col("run_ms").sum() > 0).then(None).otherwise(pl.col("started").last()).alias("started"),
    )
    jobs = jobs.filter(pl.col("others").list.len() > 0)
    if jobs.is_empty():
        return frame, 0
    frame = decide(frame, frame["line"].is_in(jobs["others"].explode().implode()), Fate.FOLDED, ATTEMPT)
    changed = jobs.select("line", "run_ms", "submit_ms", "eligible_ms", "start_ms", "state", "started")
    return frame.update(changed, on="line", include_nulls=True), jobs.height


def _tell_apart(frame: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Ids of open rows made distinct: the cluster in front where there are several, a number behind
    reused ones."""
    several = frame["cluster"].drop_nulls().n_unique() > 1
    name = pl.concat_str("cluster", "base", separator="/", ignore_nulls=True) if several else pl.col("base")
    frame = frame.with_columns(job_id=name)
    open_rows = pl.col("fate").is_null() & pl.col("job_id").is_not_null()
    again = frame.filter(open_rows).select("line", nth=pl.col("line").cum_count().over("job_id"), id="job_id")
    again = again.filter(pl.col("nth") > 1)
    renamed = again.select("line", job_id=pl.col("id") + "#" + pl.col("nth").cast(pl.String))
    return frame.update(renamed, on="line"), again.height
