"""What is in a workload: rhythm, sizes, run times, people, ends, and the load that it offers. Plain
JSON-able values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl

from twin.workload.jobs import MISSING, Category, EndState, Int64Array, Jobs
from twin.workload.rhythm import DAY_MS, EPOCH_WEEKDAY, HOUR_MS, FloatArray

TOP = 20
POINTS = 400  # at most so many points in a series over time
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Portion:
    """Some of the jobs: how many, and the GPU-hours that they ran."""

    name: str
    jobs: int
    gpu_hours: float


@dataclass(frozen=True, slots=True)
class RunTimes:
    """Run times in seconds of the jobs of one GPU size (nearest rank)."""

    size: str
    jobs: int
    p10_s: float
    p50_s: float
    p90_s: float
    p99_s: float
    mean_s: float
    max_s: float


@dataclass(frozen=True, slots=True)
class RecordedWaits:
    """Waits in seconds that the trace recorded, of jobs with a recorded start (nearest rank)."""

    size: str
    jobs: int
    p50_s: float
    p95_s: float
    mean_s: float


@dataclass(frozen=True, slots=True)
class LoadPoint:
    """One bin of time. ``gpu_hours_per_hour``: work submitted in it, a hour of the bin; ``gpus_wanted``:
    GPUs in use, in the mean over the bin, had every job started when it was eligible."""

    hours_from_start: float
    time: str | None  # ISO 8601, None without a calendar
    jobs: int
    gpu_hours_per_hour: float
    gpus_wanted: float


@dataclass(frozen=True, slots=True)
class Profile:
    """``by_hour`` and ``by_weekday`` are empty where the trace has no calendar."""

    jobs: int
    gpu_hours: float
    span_hours: float
    first_submit: str | None
    last_submit: str | None
    time_zone: str
    mean_offered_gpus: float  # GPU-hours over the span's hours
    mean_run_s: float
    median_run_s: float
    mean_gpus: float
    median_gpus: float
    max_gpus: int
    peak_hour_ratio: float | None  # busiest hour of the day over the mean hour, by submissions
    weekend_share: float | None  # of the submissions
    share_with_limit: float
    by_hour: tuple[Portion, ...]
    by_weekday: tuple[Portion, ...]
    gpu_sizes: tuple[Portion, ...]
    run_times: tuple[RunTimes, ...]
    recorded_waits: tuple[RecordedWaits, ...]
    users: tuple[Portion, ...]
    groups: tuple[Portion, ...]
    queues: tuple[Portion, ...]
    job_classes: tuple[Portion, ...]
    users_in_all: int
    groups_in_all: int
    states: tuple[Portion, ...]
    arrivals_per_day: tuple[Portion, ...]
    days_per_arrival_point: int
    load: tuple[LoadPoint, ...]
    load_bin_hours: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def profile(jobs: Jobs) -> Profile:
    """The profile of a workload. GPU-hours are GPUs times run time at the reference allocation."""
    gpu_hours = jobs.gpus * (jobs.run_ms / HOUR_MS)
    span_ms = int(jobs.submit_ms.max(initial=0)) if len(jobs) else 0
    local = local_submit_ms(jobs)
    hours = (
        _rhythm(local // HOUR_MS % 24, gpu_hours, [str(h) for h in range(24)]) if local is not None else ()
    )
    days = _rhythm((local // DAY_MS + EPOCH_WEEKDAY) % 7, gpu_hours, WEEKDAYS) if local is not None else ()
    size, labels = size_buckets(jobs)
    points, bin_ms = _load(jobs, gpu_hours, span_ms)
    per_point = max(1, -(-(span_ms // DAY_MS + 1) // POINTS))
    return Profile(
        jobs=len(jobs),
        gpu_hours=float(gpu_hours.sum()),
        span_hours=span_ms / HOUR_MS,
        first_submit=_iso(jobs, 0),
        last_submit=_iso(jobs, span_ms),
        time_zone=jobs.time_zone,
        mean_offered_gpus=float(gpu_hours.sum() / (span_ms / HOUR_MS)) if span_ms else 0.0,
        mean_run_s=_mean(jobs.run_ms) / 1000,
        median_run_s=_rank(jobs.run_ms, 0.5) / 1000,
        mean_gpus=_mean(jobs.gpus.astype(np.int64)),
        median_gpus=_rank(jobs.gpus.astype(np.int64), 0.5),
        max_gpus=int(jobs.gpus.max(initial=0)),
        peak_hour_ratio=_peak(hours),
        weekend_share=sum(day.jobs for day in days[5:]) / len(jobs) if days and len(jobs) else None,
        share_with_limit=float((jobs.limit_ms != MISSING).mean()) if len(jobs) else 0.0,
        by_hour=hours,
        by_weekday=days,
        gpu_sizes=_rhythm(size, gpu_hours, labels),
        run_times=_run_times(jobs, size, labels),
        recorded_waits=_waits(jobs, size, labels),
        users=_top(jobs.user, gpu_hours),
        groups=_top(jobs.group, gpu_hours),
        queues=_top(jobs.queue, gpu_hours),
        job_classes=_top(jobs.job_class, gpu_hours),
        users_in_all=len(np.unique(jobs.user.codes[jobs.user.codes >= 0])),
        groups_in_all=len(np.unique(jobs.group.codes[jobs.group.codes >= 0])),
        states=_states(jobs, gpu_hours),
        arrivals_per_day=_arrivals(jobs, gpu_hours, per_point),
        days_per_arrival_point=per_point,
        load=points,
        load_bin_hours=bin_ms / HOUR_MS,
    )


def local_submit_ms(jobs: Jobs) -> Int64Array | None:
    """Submit times as wall-clock ms since 1970 in the trace's own zone; None without a calendar."""
    if jobs.origin_epoch_ms is None:
        return None
    submit = jobs.submit_ms + jobs.origin_epoch_ms
    try:
        ZoneInfo(jobs.time_zone)
    except (KeyError, ValueError, OSError):
        return submit
    moments = pl.Series(submit).cast(pl.Datetime("ms", "UTC")).dt.convert_time_zone(jobs.time_zone)
    return moments.dt.replace_time_zone(None).cast(pl.Int64).to_numpy().astype(np.int64)


def size_buckets(jobs: Jobs) -> tuple[Int64Array, tuple[str, ...]]:
    """Each job's GPU-size bucket, and the labels "1", "2", "3–4", "5–8", … of those that occur."""
    exponent = np.ceil(np.log2(np.maximum(jobs.gpus, 1))).astype(np.int64)
    found, bucket = np.unique(exponent, return_inverse=True)
    labels = [str(2**e) if e < 2 else f"{2 ** (e - 1) + 1}–{2**e}" for e in found.tolist()]
    return bucket.astype(np.int64), tuple(labels)


def _mean(values: Int64Array) -> float:
    return float(values.mean()) if len(values) else 0.0


def _rank(values: Int64Array, share: float) -> float:
    """Nearest-rank percentile."""
    if not len(values):
        return 0.0
    at = max(0, int(np.ceil(share * len(values))) - 1)
    return float(np.partition(values, at)[at])


def _iso(jobs: Jobs, ms: int) -> str | None:
    if jobs.origin_epoch_ms is None:
        return None
    return datetime.fromtimestamp((jobs.origin_epoch_ms + ms) / 1000, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _rhythm(
    part: Int64Array, gpu_hours: FloatArray, names: tuple[str, ...] | list[str]
) -> tuple[Portion, ...]:
    """Jobs and GPU-hours of each numbered part."""
    count = np.bincount(part, minlength=len(names))
    hours = np.bincount(part, weights=gpu_hours, minlength=len(names))
    return tuple(Portion(name, int(count[at]), float(hours[at])) for at, name in enumerate(names))


def _peak(hours: tuple[Portion, ...]) -> float | None:
    total = sum(hour.jobs for hour in hours)
    return max(hour.jobs for hour in hours) * 24 / total if total else None


def _run_times(jobs: Jobs, size: Int64Array, labels: tuple[str, ...]) -> tuple[RunTimes, ...]:
    rows = []
    for at, label in enumerate(labels):
        run = jobs.run_ms[size == at]
        p10, p50, p90, p99 = (_rank(run, share) / 1000 for share in (0.1, 0.5, 0.9, 0.99))
        mean, longest = _mean(run) / 1000, float(run.max()) / 1000
        rows.append(RunTimes(label, len(run), p10, p50, p90, p99, mean, longest))
    return tuple(rows)


def _waits(jobs: Jobs, size: Int64Array, labels: tuple[str, ...]) -> tuple[RecordedWaits, ...]:
    rows = []
    started = jobs.recorded_start_ms != MISSING
    for at, label in enumerate(labels):
        chosen = (size == at) & started
        wait = np.maximum(jobs.recorded_start_ms[chosen] - jobs.eligible_ms[chosen], 0)
        if len(wait):
            quantiles = _rank(wait, 0.5) / 1000, _rank(wait, 0.95) / 1000
            rows.append(RecordedWaits(label, len(wait), *quantiles, _mean(wait) / 1000))
    return tuple(rows)


def _top(column: Category, gpu_hours: FloatArray) -> tuple[Portion, ...]:
    """The names with the most GPU-hours, then one line for all others; jobs without a name are "not
    given"."""
    names = (*column.names, "not given")
    codes = np.where(column.codes < 0, len(column.names), column.codes).astype(np.int64)
    if not column.names:
        return ()
    portions = [part for part in _rhythm(codes, gpu_hours, names) if part.jobs]
    portions.sort(key=lambda part: (-part.gpu_hours, part.name))
    rest = portions[TOP:]
    if not rest:
        return tuple(portions)
    others = Portion(f"{len(rest):,} others", sum(p.jobs for p in rest), sum(p.gpu_hours for p in rest))
    return (*portions[:TOP], others)


def _states(jobs: Jobs, gpu_hours: FloatArray) -> tuple[Portion, ...]:
    names = [state.name.lower().replace("_", " ") for state in EndState]
    return tuple(
        part for part in _rhythm(jobs.recorded_state.astype(np.int64), gpu_hours, names) if part.jobs
    )


def _arrivals(jobs: Jobs, gpu_hours: FloatArray, days_a_point: int) -> tuple[Portion, ...]:
    """Submissions a day (or a few days, in long traces), named by date, or by number without a calendar."""
    if not len(jobs):
        return ()
    local = local_submit_ms(jobs)
    days = (local if local is not None else jobs.submit_ms) // DAY_MS
    first = int(days.min())
    points = (days - first) // days_a_point
    count = int(points.max()) + 1
    start = datetime(1970, 1, 1, tzinfo=UTC)
    names = [
        (start + timedelta(days=first + at * days_a_point)).strftime("%Y-%m-%d")
        if local is not None
        else f"day {at * days_a_point + 1}"
        for at in range(count)
    ]
    return _rhythm(points, gpu_hours, names)


def _load(jobs: Jobs, gpu_hours: FloatArray, span_ms: int) -> tuple[tuple[LoadPoint, ...], int]:
    """Offered load over the span in at most POINTS bins of whole hours."""
    if not len(jobs):
        return (), HOUR_MS
    bin_ms = max(1, -(-span_ms // HOUR_MS // POINTS)) * HOUR_MS
    bins = span_ms // bin_ms + 1
    at = jobs.submit_ms // bin_ms
    count = np.bincount(at, minlength=bins)
    offered = np.bincount(at, weights=gpu_hours, minlength=bins) / (bin_ms / HOUR_MS)
    wanted = _gpus_wanted(jobs, bins, bin_ms)
    return (
        tuple(
            LoadPoint(
                k * bin_ms / HOUR_MS,
                _iso(jobs, k * bin_ms),
                int(count[k]),
                float(offered[k]),
                float(wanted[k]),
            )
            for k in range(bins)
        ),
        bin_ms,
    )


def _gpus_wanted(jobs: Jobs, bins: int, bin_ms: int) -> FloatArray:
    """Mean GPUs in use in each bin if every job ran from when it was eligible."""
    edges = np.arange(bins + 1, dtype=np.float64) * bin_ms
    weight = jobs.gpus.astype(np.float64)
    begin, end = jobs.eligible_ms.astype(np.float64), (jobs.eligible_ms + jobs.run_ms).astype(np.float64)
    return np.diff(_area_before(edges, begin, weight) - _area_before(edges, end, weight)) / bin_ms


def _area_before(edges: FloatArray, times: FloatArray, weight: FloatArray) -> FloatArray:
    """For each edge, the sum over times before it of weight x (edge - time)."""
    order = np.argsort(times, kind="stable")
    sorted_times, sorted_weight = times[order], weight[order]
    upto = np.searchsorted(sorted_times, edges)
    total = np.concatenate(([0.0], np.cumsum(sorted_weight)))
    moment = np.concatenate(([0.0], np.cumsum(sorted_weight * sorted_times)))
    area: FloatArray = edges * total[upto] - moment[upto]
    return area
