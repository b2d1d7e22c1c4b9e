"""Jobs drawn from a mix: seeded, vectorised, the same bytes for the same mix and seed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping

import numpy as np
import polars as pl

from twin.problems import InvalidInput
from twin.workload.assemble import category
from twin.workload.jobs import MISSING, EndState, Int64Array, Jobs, MovesAs, TextArray, make_jobs
from twin.workload.mix import END_STATES, JobClass, WorkloadMix
from twin.workload.rhythm import DAY_MS, FloatArray, draw_arrivals, hour_of_week

STATE_OF = {
    "completed": EndState.COMPLETED,
    "cancelled": EndState.CANCELLED,
    "failed": EndState.FAILED,
}


def generate(mix: WorkloadMix, seed: int) -> Jobs:
    """Draw the jobs of a mix. Each class has a stream of its own (Philox, keyed by seed and class name),
    so that changing one class leaves the others as they were. Rows are in submit order. Raises
    InvalidInput where no job comes of it."""
    span_ms = round(mix.days * DAY_MS)
    start_hour = hour_of_week(mix.start_epoch_ms) if mix.start_epoch_ms is not None else 0
    parts = [_draw_class(each, seed, span_ms, start_hour) for each in mix.classes]
    drawn = pl.concat(parts).sort("submit_ms", maintain_order=True)
    if drawn.is_empty():
        raise InvalidInput.single(mix.name, "the mix makes no job", "more jobs an hour, or more days")
    first = int(drawn["submit_ms"][0])
    names = {
        "user": "user",
        "group": "group",
        "queue": "queue",
        "job_class": "job_class",
        "gpu_models": "gpu_models",
    }
    return make_jobs(
        submit_ms=drawn["submit_ms"].to_numpy() - first,
        run_ms=drawn["run_ms"].to_numpy().copy(),
        gpus=drawn["gpus"].to_numpy().astype(np.int32),
        job_id=np.array([str(row) for row in range(1, drawn.height + 1)], dtype=object),
        limit_ms=drawn["limit_ms"].to_numpy().copy(),
        cpus=drawn["cpus"].to_numpy().astype(np.int32),
        memory_mb=drawn["memory_mb"].to_numpy().copy(),
        priority=drawn["priority"].to_numpy().copy(),
        moves_as=drawn["moves_as"].to_numpy().astype(np.int8),
        recorded_state=drawn["state"].to_numpy().astype(np.int8),
        origin_epoch_ms=None if mix.start_epoch_ms is None else mix.start_epoch_ms + first,
        time_zone=mix.time_zone if mix.start_epoch_ms is not None else "no calendar",
        notes=(f"Generated from the mix '{mix.name}' with seed {seed}; not a recorded trace.",),
        **{to: category(drawn[column]) for to, column in names.items()},
    )


def _draw_class(each: JobClass, seed: int, span_ms: int, start_hour: int) -> pl.DataFrame:
    draw = np.random.Generator(np.random.Philox(key=[seed, zlib.crc32(each.name.encode())]))
    submit = draw_arrivals(draw, each.rhythm, each.jobs_per_hour, span_ms, start_hour, each.burst_mean)
    rows = len(submit)
    gpus = _choose(draw, each.gpus, rows).astype(np.int64)
    run = _run_times(draw, each, gpus)
    state = np.array([int(STATE_OF[name]) for name in END_STATES])[_pick(draw, _ends(each.ends), rows)]
    limit, state = _limits(draw, each, run, state)
    cut = state == int(EndState.TIMED_OUT)
    user, group = _people(draw, each, submit)
    return pl.DataFrame(
        {
            "submit_ms": submit,
            "run_ms": run,
            "gpus": gpus,
            "limit_ms": limit,
            "cpus": np.ceil(gpus * each.cpus_per_gpu).astype(np.int64),
            "memory_mb": np.ceil(gpus * each.memory_gb_per_gpu * 1024).astype(np.int64),
            "state": state.astype(np.int64),
            "moves_as": np.where(cut, int(MovesAs.CUT_AT_LIMIT), int(each.moves_as)).astype(np.int64),
            "user": pl.Series(user, dtype=pl.String),
            "group": pl.Series(group, dtype=pl.String),
        }
    ).with_columns(
        priority=pl.lit(each.priority, dtype=pl.Int64),
        queue=pl.lit(each.queue),
        job_class=pl.lit(each.name),
        gpu_models=pl.lit(each.gpu_models),
    )


def _pick(draw: np.random.Generator, weights: Iterable[float], rows: int) -> Int64Array:
    """Indices drawn with these weights."""
    edges = np.cumsum(np.asarray(list(weights), dtype=np.float64))
    return np.searchsorted(edges / edges[-1], draw.random(rows), side="right").astype(np.int64)


def _choose(draw: np.random.Generator, weights: Mapping[int, float], rows: int) -> Int64Array:
    values = np.array(sorted(weights), dtype=np.int64)
    return values[_pick(draw, (weights[int(value)] for value in values), rows)]


def _ends(ends: Mapping[str, float]) -> list[float]:
    return [ends.get(name, 0.0) for name in END_STATES]


def _run_times(draw: np.random.Generator, each: JobClass, gpus: Int64Array) -> Int64Array:
    """Run times in ms: a mixture of lognormals, cut to [min, max]."""
    part = _pick(draw, (component.share for component in each.run_time), len(gpus))
    median = np.array([component.median_s for component in each.run_time])[part]
    sigma = np.array([component.sigma for component in each.run_time])[part]
    longer = gpus.astype(np.float64) ** each.size_exponent
    seconds = median * longer * np.exp(sigma * draw.standard_normal(len(gpus)))
    return np.maximum(1, np.floor(np.clip(seconds, each.min_run_s, each.max_run_s) * 1000 + 0.5)).astype(
        np.int64
    )


def _limits(
    draw: np.random.Generator, each: JobClass, run: Int64Array, state: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Time limits in ms, and the end states with those that run into their limit as timed out."""
    if each.limit is None:
        return np.full(len(run), MISSING, dtype=np.int64), state
    looseness = each.limit.looseness_median * np.exp(each.limit.sigma * draw.standard_normal(len(run)))
    step = max(1, round(each.limit.rounded_to_s * 1000))
    asked = np.ceil(run * np.maximum(looseness, 1.0) / step).astype(np.int64) * step
    fate = draw.random(len(run))
    cut = fate < each.limit.cut_share
    missing = fate >= 1 - each.limit.missing_share
    limit = np.where(cut, run, np.where(missing, MISSING, np.maximum(asked, run)))
    return limit, np.where(cut, int(EndState.TIMED_OUT), state)


def _people(draw: np.random.Generator, each: JobClass, submit: Int64Array) -> tuple[TextArray, TextArray]:
    """User and group of each job; a burst has one user, a user one group."""
    _, burst = np.unique(submit, return_inverse=True)
    bursts = int(burst.max()) + 1 if len(burst) else 0
    weights: FloatArray = 1.0 / np.arange(1, each.users + 1, dtype=np.float64) ** each.user_skew
    who = _pick(draw, weights.tolist(), bursts)[burst]
    names = sorted(each.groups)
    member_of = _pick(draw, (each.groups[name] for name in names), each.users)
    people = np.array([f"{names[member_of[k]]}-{k + 1:03d}" for k in range(each.users)], dtype=object)
    return people[who], np.array(names, dtype=object)[member_of[who]]
