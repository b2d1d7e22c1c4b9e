"""From a format's records to the Jobs table and the report: fates, repairs, time zero, categories."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import polars as pl

from twin.problems import InvalidInput, Problem
from twin.workload.fates import (
    CANCELLED_PENDING,
    GPUS_UNKNOWN,
    NO_GPU,
    STILL_PENDING,
    decide_fates,
    whole_gpus,
    with_run_time,
)
from twin.workload.jobs import MISSING, Category, EndState, Int64Array, Jobs, MovesAs
from twin.workload.records import STARTS_ARE_SUBMITS, Records
from twin.workload.report import (
    REFUSALS_SHOWN,
    Fate,
    Imported,
    ImportReport,
    KeepOptions,
    Refusal,
    UnmetDemand,
    counted,
)
from twin.workload.source import Source

TEXT_SHOWN = 500  # characters of a refused row kept for people to read


def assemble(source: Source, title: tuple[str, str], records: Records, keep: KeepOptions) -> Imported:
    """Jobs, report and refused rows. ``title`` is the format's name and its name in words.

    Raises InvalidInput where no row becomes a job, with the reasons that rows were refused for.
    """
    frame = decide_fates(with_run_time(records.frame), keep)
    kept, repairs = _mended(frame.filter(pl.col("fate") == int(Fate.JOB)))
    refused = _refused(source, frame)
    if kept.is_empty():
        raise _nothing_kept(source, title[1], frame, refused)
    kept = _expanded(kept).sort("submit_ms", maintain_order=True)
    notes = records.notes + _notes(kept, records)
    jobs = _jobs(kept, records, notes)
    report = ImportReport(
        file_name=source.name,
        format=title[0],
        format_title=title[1],
        encoding=source.encoding,
        compression=source.compression,
        delimiter=records.delimiter,
        rows_read=frame.height,
        job_rows=_count(frame, Fate.JOB),
        folded=_by_reason(frame, Fate.FOLDED),
        duplicates=_count(frame, Fate.DUPLICATE),
        dropped=_by_reason(frame, Fate.DROPPED),
        refused=_by_reason(frame, Fate.REFUSED),
        jobs=len(jobs),
        repairs=dict(records.repairs) | repairs,
        censored=int((jobs.recorded_state == EndState.RUNNING).sum()),
        unmet=_unmet(frame),
        states=_states(jobs),
        gpus_asked_for=int(jobs.gpus.sum(dtype=np.int64)),
        time_format=records.time_format,
        time_zone=records.time_zone,
        first_submit=_told(jobs, int(jobs.submit_ms[0])),
        last_submit=_told(jobs, int(jobs.submit_ms[-1])),
        columns=dict(records.columns),
        notes=notes,
        first_refusals=tuple(Refusal(*row) for row in refused.head(REFUSALS_SHOWN).iter_rows()),
    )
    return Imported(jobs, report, refused)


def _count(frame: pl.DataFrame, fate: Fate) -> int:
    return int((frame["fate"] == int(fate)).sum())


def _by_reason(frame: pl.DataFrame, fate: Fate) -> dict[str, int]:
    """Rows of this fate by reason, most frequent first."""
    rows = frame.filter(pl.col("fate") == int(fate)).group_by("reason").len()
    return dict(rows.sort("len", "reason", descending=[True, False]).iter_rows())


def _refused(source: Source, frame: pl.DataFrame) -> pl.DataFrame:
    rows = frame.filter(pl.col("fate") == int(Fate.REFUSED)).sort("line")
    text = source.lines.gather(rows["line"] - 1).str.slice(0, TEXT_SHOWN)
    reason = rows.select(pl.concat_str("reason", "detail", separator=": ", ignore_nulls=True)).to_series()
    return pl.DataFrame({"line": rows["line"], "reason": reason, "text": text})


def _nothing_kept(source: Source, title: str, frame: pl.DataFrame, refused: pl.DataFrame) -> InvalidInput:
    """No job is left: say what the rows were instead."""
    fates = {
        "refused": _by_reason(frame, Fate.REFUSED),
        "dropped": _by_reason(frame, Fate.DROPPED),
        "folded": _by_reason(frame, Fate.FOLDED),
    }
    told = "; ".join(
        f"{rows:,} {fate}: {reason}" for fate, reasons in fates.items() for reason, rows in reasons.items()
    )
    what = f"none of the {frame.height:,} rows read as {title} makes a job ({told or 'there are no rows'})"
    first = Problem(source.name, what, _advice(fates))
    lines = refused.head(5).iter_rows()
    return InvalidInput((first, *(Problem(f"{source.name}, line {line:,}", why) for line, why, _ in lines)))


def _advice(fates: dict[str, dict[str, int]]) -> str:
    if NO_GPU in fates["dropped"]:
        return "a trace of GPU jobs; or choose to count processors or nodes as if they were GPUs"
    if GPUS_UNKNOWN in fates["refused"]:
        return "an export that tells GPUs, such as AllocTRES and ReqTRES of sacct"
    return "check the format and which column means what"


def _mended(kept: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, int]]:
    """The job rows with impossible times and shapes mended, and how many rows each repair touched."""
    gpus = (pl.col("gpu_milli") + 999) // 1000
    shape = pl.coalesce("nodes", "gpus_per_node")
    odd = (gpus % shape != 0).fill_null(False)
    flaws = kept.select(
        (pl.col("run_ms") == 0).alias("zero run time, made 1 ms"),
        (pl.col("end_ms") < pl.col("start_ms")).alias("end before start: the recorded end is not used"),
        (pl.col("start_ms") < pl.col("submit_ms")).alias(
            "start before submit: the recorded start is not used"
        ),
        (pl.col("eligible_ms") < pl.col("submit_ms")).alias("eligible before submit, set to submit"),
        (pl.col("eligible_ms") > pl.col("start_ms")).alias("eligible after start, set to submit"),
        (pl.col("limit_ms") <= 0).alias("time limit of zero or less, taken as no limit"),
        odd.alias("nodes or GPUs per node that do not divide the GPUs: the shape is not used"),
    )
    repairs = {name: int(flaws[name].sum()) for name in flaws.columns if flaws[name].any()}
    submit, start = pl.col("submit_ms"), pl.col("start_ms")
    late = (pl.col("eligible_ms") > start).fill_null(False)
    eligible = pl.max_horizontal(pl.col("eligible_ms").fill_null(submit), submit)
    cut = pl.when(pl.col("state") == int(EndState.TIMED_OUT)).then(int(MovesAs.CUT_AT_LIMIT))
    mended = kept.with_columns(
        run_ms=pl.col("run_ms").clip(lower_bound=1),
        end_ms=pl.when(pl.col("end_ms") >= start.fill_null(submit)).then("end_ms"),
        start_ms=pl.when(start >= submit).then("start_ms"),
        eligible_ms=pl.when(late).then(submit).otherwise(eligible),
        limit_ms=pl.when(pl.col("limit_ms") > 0).then("limit_ms"),
        nodes=pl.when(~odd).then(pl.coalesce("nodes", gpus // pl.col("gpus_per_node"))),
        gpus_per_node=pl.when(~odd).then(pl.coalesce("gpus_per_node", gpus // pl.col("nodes"))),
        moves_as=pl.coalesce("moves_as", cut),
    )
    return mended, repairs


def _expanded(kept: pl.DataFrame) -> pl.DataFrame:
    """One row a job: rows that stand for several array tasks are repeated, each with its id."""
    if kept["tasks"].null_count() == kept.height:
        return kept
    one = pl.concat_list(pl.col("job_id"))
    return kept.with_columns(pl.coalesce("tasks", one)).explode("tasks").with_columns(job_id="tasks")


def _notes(kept: pl.DataFrame, records: Records) -> tuple[str, ...]:
    notes = []
    fractions = int((kept["gpu_milli"] % 1000 != 0).sum())
    if fractions:
        notes.append(
            f"A part of a GPU is asked for by {counted(fractions, 'job')}; the replay gives whole ones "
            "and keeps what was asked."
        )
    over = int((kept["run_ms"] > kept["limit_ms"]).sum())
    if over:
        notes.append(
            f"Longer than the time limit ran {counted(over, 'job')}; a replay that enforces limits ends them "
            "there."
        )
    models = category(kept["gpu_models"])
    if models.names:
        jobs = counted(int((models.codes >= 0).sum()), "job")
        told = ", ".join(models.names[:6]) + (", …" if len(models.names) > 6 else "")
        notes.append(f"Certain GPU models are asked for by {jobs} ({told}): clusters must use these names.")
    if kept["limit_ms"].null_count() == kept.height:
        notes.append("No time limits in the trace: backfill assumes that run times are known.")
    if kept["start_ms"].null_count() == kept.height and STARTS_ARE_SUBMITS not in records.notes:
        notes.append("No recorded starts: the trace cannot say how long jobs waited.")
    if not records.calendar:
        notes.append(
            "No calendar in the trace: times count from its start, hours and weekdays are not known."
        )
    elif records.time_zone == "not stated":
        notes.append(
            "The time zone is not stated: hours of the day are those of the file, taken as they stand."
        )
    return tuple(notes)


def _jobs(kept: pl.DataFrame, records: Records, notes: tuple[str, ...]) -> Jobs:
    origin = int(kept["submit_ms"][0])
    rows = kept.height
    ids = kept["job_id"].fill_null("row-" + kept["line"].cast(pl.String))
    return Jobs(
        job_id=np.array(ids.to_list(), dtype=object),
        submit_ms=_int64(kept["submit_ms"] - origin),
        eligible_ms=_int64(kept["eligible_ms"] - origin),
        run_ms=_int64(kept["run_ms"]),
        limit_ms=_int64(kept["limit_ms"].fill_null(MISSING)),
        gpus=whole_gpus(kept).to_numpy().astype(np.int32),
        gpu_milli=_int64(kept["gpu_milli"]),
        nodes=_positive(kept["nodes"]).astype(np.int32),
        gpus_per_node=_positive(kept["gpus_per_node"]).astype(np.int32),
        cpus=np.minimum(_positive(kept["cpus"]), 2**31 - 1).astype(np.int32),
        memory_mb=_positive(kept["memory_mb"]),
        priority=_int64(kept["priority"].fill_null(0)),
        user=category(kept["user"]),
        group=category(kept["group"]),
        queue=category(kept["queue"]),
        job_class=category(kept["job_class"]),
        gpu_models=category(kept["gpu_models"]),
        moves_as=kept["moves_as"].fill_null(int(MovesAs.FIXED_WORK)).to_numpy().astype(np.int8),
        recorded_start_ms=_int64((kept["start_ms"] - origin).fill_null(MISSING)),
        recorded_end_ms=_int64((kept["end_ms"] - origin).fill_null(MISSING)),
        recorded_state=kept["state"]
        .fill_null(int(EndState.UNKNOWN))
        .to_numpy()
        .astype(np.int8)
        .reshape(rows),
        origin_epoch_ms=origin if records.calendar else None,
        time_zone=records.time_zone,
        notes=notes,
    )


def _int64(column: pl.Series) -> Int64Array:
    return column.to_numpy().astype(np.int64)


def _positive(column: pl.Series) -> Int64Array:
    """The column with "not given" and values below one as zero."""
    return np.maximum(_int64(column.fill_null(0)), 0)


def category(column: pl.Series) -> Category:
    """Text as codes into its distinct values in alphabetical order; null and blank become -1."""
    filled = column.to_frame("text").select(pl.when(pl.col("text") != "").then("text")).to_series()
    names = filled.drop_nulls().unique().sort()
    if names.is_empty():
        return Category.absent(len(column))
    codes = filled.cast(pl.Enum(names)).to_physical().cast(pl.Int32).fill_null(-1)
    return Category(codes.to_numpy().astype(np.int32), tuple(names.to_list()))


def _unmet(frame: pl.DataFrame) -> UnmetDemand:
    asked = frame.with_columns(asked=whole_gpus(frame), each=pl.col("tasks").list.len().fill_null(1))
    cancelled = asked.filter((pl.col("fate") == int(Fate.DROPPED)) & (pl.col("reason") == CANCELLED_PENDING))
    pending = asked.filter((pl.col("fate") == int(Fate.DROPPED)) & (pl.col("reason") == STILL_PENDING))
    return UnmetDemand(
        cancelled_while_pending=int(cancelled["each"].sum()),
        cancelled_gpus_asked=int((cancelled["asked"] * cancelled["each"]).sum()),
        still_pending=int(pending["each"].sum()),
        pending_gpus_asked=int((pending["asked"] * pending["each"]).sum()),
        gpus_not_known=int(
            sum(part.filter(pl.col("asked").is_null())["each"].sum() for part in (cancelled, pending))
        ),
    )


def _states(jobs: Jobs) -> dict[str, int]:
    counts = np.bincount(jobs.recorded_state, minlength=len(EndState))
    return {state.name.lower(): int(counts[state]) for state in EndState if counts[state]}


def _told(jobs: Jobs, ms: int) -> str:
    """A time of the Jobs table for people."""
    if jobs.origin_epoch_ms is None:
        return f"{ms / 1000:.3f} s"
    moment = datetime.fromtimestamp((jobs.origin_epoch_ms + ms) / 1000, tz=UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + ("" if jobs.time_zone == "not stated" else "Z")
