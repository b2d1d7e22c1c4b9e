"""A workload mix fitted from jobs, so that more of the same kind can be drawn, scaled and changed."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from twin.problems import InvalidInput
from twin.workload.jobs import MISSING, Category, EndState, Int64Array, Jobs, MovesAs
from twin.workload.mix import JobClass, RunTime, TimeLimit, WorkloadMix
from twin.workload.profile import local_submit_ms
from twin.workload.rhythm import DAY_MS, EPOCH_WEEKDAY, FLAT, HOUR_MS, FloatArray, Rhythm

MOST_CLASSES = 12
MOST_GROUPS = 40
FEWEST_JOBS = 30  # of a class for more than one lognormal
SAMPLE = 20_000  # run times that a fit looks at, evenly spaced by rank
ROUNDS = 60
SMALLEST_SIGMA = 0.05
RHYTHM_DAYS = 7  # a shorter trace cannot tell a week's rhythm
SIZE_EDGES = (1, 4, 8, 32)
SIZE_NAMES = ("1 GPU", "2-4 GPUs", "5-8 GPUs", "9-32 GPUs", "over 32 GPUs")
_GRID = np.array([NormalDist().inv_cdf((k + 0.5) / 999) for k in range(999)])


def fit_mix(jobs: Jobs, *, name: str = "fitted mix") -> WorkloadMix:
    """A mix whose classes are the jobs' own (where there are 2 to 12), else GPU sizes.

    Fitted by class: arrivals a hour with the week's rhythm, GPU sizes as they occur, run times as up to
    three lognormals (EM) whose mean is made to match, limits, ends, users and groups. Raises InvalidInput
    for fewer than two jobs.
    """
    if len(jobs) < 2:
        raise InvalidInput.single("jobs", f"{len(jobs)} jobs are too few to fit a mix", "at least 2")
    span_ms = max(int(jobs.submit_ms.max()), HOUR_MS)
    codes, names = _classes(jobs)
    local = local_submit_ms(jobs)
    rhythm = _rhythm(local) if local is not None and span_ms >= RHYTHM_DAYS * DAY_MS else FLAT
    classes = tuple(
        _fit_class(label, jobs.take(np.flatnonzero(codes == code)), span_ms / HOUR_MS, rhythm)
        for code, label in enumerate(names)
        if (codes == code).any()
    )
    start = None if jobs.origin_epoch_ms is None else jobs.origin_epoch_ms
    zone = jobs.time_zone if start is not None else "UTC"
    return WorkloadMix(name, span_ms / DAY_MS, classes, start, zone)


def _classes(jobs: Jobs) -> tuple[Int64Array, tuple[str, ...]]:
    given = np.unique(jobs.job_class.codes)
    if 2 <= len(given) <= MOST_CLASSES and given[0] >= 0:
        return jobs.job_class.codes.astype(np.int64), jobs.job_class.names
    return np.searchsorted(SIZE_EDGES, jobs.gpus, side="left").astype(np.int64), SIZE_NAMES


def _rhythm(local: Int64Array) -> Rhythm:
    """Rates by hour and by weekday, each relative to its mean; half a job is added so that no hour is
    impossible."""
    hours = np.bincount(local // HOUR_MS % 24, minlength=24) + 0.5
    days = np.bincount((local // DAY_MS + EPOCH_WEEKDAY) % 7, minlength=7) + 0.5
    return Rhythm(_relative(hours), _relative(days))


def _relative(counts: NDArray[np.floating]) -> tuple[float, ...]:
    return tuple(round(float(rate), 4) for rate in counts / counts.mean())


def _fit_class(label: str, jobs: Jobs, hours: float, rhythm: Rhythm) -> JobClass:
    sizes, counts = np.unique(jobs.gpus, return_counts=True)
    exponent = _size_exponent(jobs)
    longest = float(jobs.run_ms.max()) / 1000
    shortest = float(jobs.run_ms.min()) / 1000
    run = jobs.run_ms / 1000
    parts = _run_times(np.log(run) - exponent * np.log(jobs.gpus))
    parts = _with_mean(
        parts, exponent, jobs, float((run * jobs.gpus).sum() / jobs.gpus.sum()), (shortest, longest)
    )
    gpus = jobs.gpus.astype(np.float64)
    people = np.unique(jobs.user.codes[jobs.user.codes >= 0])
    return JobClass(
        name=label,
        jobs_per_hour=len(jobs) / hours,
        gpus={int(size): int(count) for size, count in zip(sizes, counts, strict=True)},
        run_time=parts,
        max_run_s=longest,
        min_run_s=shortest,
        size_exponent=exponent,
        rhythm=rhythm,
        burst_mean=len(jobs) / len(np.unique(jobs.submit_ms)),
        limit=_limit(jobs),
        ends=_ends(jobs),
        users=max(1, len(people)),
        user_skew=_skew(jobs.user),
        groups=_groups(jobs.group),
        queue=_usual(jobs.queue),
        priority=int(np.median(jobs.priority)),
        cpus_per_gpu=float(np.median(jobs.cpus / gpus)),
        memory_gb_per_gpu=float(np.median(jobs.memory_mb / gpus)) / 1024,
        moves_as=_moves(jobs),
    )


def _size_exponent(jobs: Jobs) -> float:
    """Slope of log run time over log GPUs, by least squares."""
    size = np.log(jobs.gpus)
    spread = float(size.var())
    if len(jobs) < FEWEST_JOBS or spread < 1e-9:
        return 0.0
    run = np.log(jobs.run_ms / 1000)
    slope = float(((size - size.mean()) * (run - run.mean())).mean() / spread)
    return round(min(2.0, max(-2.0, slope)), 4)


def _run_times(logs: FloatArray) -> tuple[RunTime, ...]:
    """Lognormals fitted by expectation maximisation; the start is by rank, so that there is no chance in
    it."""
    ordered = np.sort(logs)
    x = ordered[np.linspace(0, len(ordered) - 1, min(SAMPLE, len(ordered))).astype(np.int64)]
    parts = 3 if len(x) >= 10 * FEWEST_JOBS else 2 if len(x) >= FEWEST_JOBS else 1
    mean = np.quantile(x, (np.arange(parts) + 0.5) / parts)
    sigma = np.full(parts, max(float(x.std()) / parts, SMALLEST_SIGMA))
    share = np.full(parts, 1 / parts)
    for _ in range(ROUNDS):
        density = np.log(share) - np.log(sigma) - 0.5 * ((x[:, None] - mean) / sigma) ** 2
        belongs = np.exp(density - density.max(axis=1, keepdims=True))
        belongs /= belongs.sum(axis=1, keepdims=True)
        weight = belongs.sum(axis=0) + 1e-9
        mean = (belongs * x[:, None]).sum(axis=0) / weight
        variance = (belongs * (x[:, None] - mean) ** 2).sum(axis=0) / weight
        sigma = np.maximum(np.sqrt(variance), SMALLEST_SIGMA)
        share = weight / weight.sum()
    return tuple(
        RunTime(float(np.exp(m)), float(s), float(w))
        for m, s, w in zip(mean, sigma, share, strict=True)
        if w > 1e-4
    )


def _with_mean(
    parts: tuple[RunTime, ...], exponent: float, jobs: Jobs, wanted_s: float, bounds: tuple[float, float]
) -> tuple[RunTime, ...]:
    """The parts with the widest one widened or narrowed until the mean run time of a GPU matches: an
    offered load that is right matters more than the last percent of a quantile, and medians stay."""
    sizes, counts = np.unique(jobs.gpus, return_counts=True)
    weight = sizes * counts / float((sizes * counts).sum())
    longer = sizes.astype(np.float64) ** exponent
    shares = np.array([part.share for part in parts])
    medians = np.array([part.median_s for part in parts])
    sigmas = np.array([part.sigma for part in parts])
    widest = int(np.argmax(sigmas))
    low, high = 0.1, 4.0
    for _ in range(30):
        factor = (low + high) / 2
        stretched = np.where(np.arange(len(parts)) == widest, sigmas * factor, sigmas)
        draws = medians[:, None] * np.exp(stretched[:, None] * _GRID)
        means = np.array(
            [np.clip(draws * each, *bounds).mean(axis=1) @ shares / shares.sum() for each in longer]
        )
        low, high = (factor, high) if float(means @ weight) < wanted_s else (low, factor)
    return tuple(
        RunTime(round(float(median), 3), round(float(sigma), 4), round(float(share), 4))
        for median, sigma, share in zip(medians, stretched, shares, strict=True)
    )


def _limit(jobs: Jobs) -> TimeLimit | None:
    with_limit = jobs.limit_ms != MISSING
    if not with_limit.any():
        return None
    run, limit = jobs.run_ms[with_limit], jobs.limit_ms[with_limit]
    cut = (limit <= run) | (jobs.recorded_state[with_limit] == EndState.TIMED_OUT)
    loose = np.log(limit[~cut] / run[~cut]) if (~cut).any() else np.zeros(1)
    return TimeLimit(
        looseness_median=round(float(np.exp(np.median(loose))), 3),
        sigma=round(min(float(loose.std()), 5.0), 3),
        rounded_to_s=1.0,
        missing_share=round(float((~with_limit).mean()), 4),
        cut_share=round(float(cut.sum() / len(jobs)), 4),
    )


def _ends(jobs: Jobs) -> dict[str, float]:
    """Shares of the ends that the trace tells; where it tells none, jobs complete."""
    counts = np.bincount(jobs.recorded_state, minlength=len(EndState))
    known = {
        state.name.lower(): int(counts[state])
        for state in (EndState.COMPLETED, EndState.CANCELLED, EndState.FAILED)
    }
    total = sum(known.values())
    return {name: round(count / total, 4) for name, count in known.items()} if total else {"completed": 1.0}


def _skew(users: Category) -> float:
    """Exponent of the rank-frequency law of submissions, by least squares on logarithms."""
    counts = np.sort(np.bincount(users.codes[users.codes >= 0]))[::-1]
    counts = counts[counts > 0]
    if len(counts) < 3:
        return 0.0
    rank = np.log(np.arange(1, len(counts) + 1))
    slope = np.polyfit(rank, np.log(counts), 1)[0]
    return round(float(min(3.0, max(0.0, -slope))), 3)


def _groups(groups: Category) -> dict[str, float]:
    """Weights of the groups with most jobs; the many small ones together are "others"."""
    counts = np.bincount(groups.codes[groups.codes >= 0], minlength=len(groups.names))
    order = np.argsort(-counts, kind="stable")
    weights = {groups.names[k]: float(counts[k]) for k in order[:MOST_GROUPS] if counts[k]}
    rest = float(sum(counts[k] for k in order[MOST_GROUPS:]))
    if rest:
        weights["others"] = weights.get("others", 0.0) + rest
    return weights or {"default": 1.0}


def _moves(jobs: Jobs) -> MovesAs:
    """What moving does to most jobs; those cut at their limit are told by the limit's cut share instead."""
    others = jobs.moves_as[jobs.moves_as != MovesAs.CUT_AT_LIMIT]
    return MovesAs(int(np.bincount(others).argmax())) if len(others) else MovesAs.FIXED_WORK


def _usual(column: Category) -> str:
    known = column.codes[column.codes >= 0]
    return column.names[int(np.bincount(known).argmax())] if len(known) else ""
