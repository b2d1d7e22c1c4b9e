"""The demo workload: a month of jobs with the shape of published GPU traces."""

from __future__ import annotations

from twin.workload.jobs import MovesAs
from twin.workload.mix import DAY_S, JobClass, RunTime, TimeLimit, WorkloadMix
from twin.workload.rhythm import FLAT

DEMO_START_MS = 1_772_409_600_000  # Monday 2 March 2026, 00:00 UTC
DEMO_GPUS = 512  # that the rates below load to about 80 %
HOUR_S = 3600.0
GROUPS = {"language": 0.34, "vision": 0.26, "speech": 0.14, "robotics": 0.12, "platform": 0.14}
LIMIT = TimeLimit(looseness_median=2.2, sigma=0.7, rounded_to_s=1800.0, missing_share=0.08)
CLASSES = (
    JobClass(
        "debug", 26.0, {1: 0.84, 2: 0.08, 4: 0.05, 8: 0.03}, (RunTime(75.0, 1.5),), max_run_s=4 * HOUR_S,
        ends={"completed": 0.50, "failed": 0.43, "cancelled": 0.07}, limit=TimeLimit(3.0, 0.8, 900.0, 0.05),
        users=120, groups=GROUPS, queue="debug", cpus_per_gpu=8, memory_gb_per_gpu=64,
    ),
    JobClass(
        "sweep", 22.0, {1: 0.78, 2: 0.14, 4: 0.08}, (RunTime(700.0, 1.4),), max_run_s=2 * DAY_S,
        burst_mean=6.0, ends={"completed": 0.71, "failed": 0.17, "cancelled": 0.12}, limit=LIMIT,
        users=60, groups=GROUPS, queue="batch", cpus_per_gpu=8, memory_gb_per_gpu=96,
    ),
    JobClass(
        "training", 10.6, {1: 0.38, 2: 0.16, 4: 0.19, 8: 0.22, 16: 0.05},
        (RunTime(900.0, 1.6, 0.55), RunTime(15_500.0, 1.2, 0.45)), max_run_s=7 * DAY_S, size_exponent=0.1,
        ends={"completed": 0.54, "failed": 0.19, "cancelled": 0.27}, limit=LIMIT,
        users=80, groups=GROUPS, queue="batch", cpus_per_gpu=12, memory_gb_per_gpu=128,
    ),
    JobClass(
        "pretraining", 1.12, {16: 0.40, 32: 0.32, 64: 0.20, 128: 0.08},
        (RunTime(1_000.0, 1.4, 0.6), RunTime(16_000.0, 1.0, 0.4)), max_run_s=4 * DAY_S, priority=10,
        ends={"completed": 0.23, "failed": 0.25, "cancelled": 0.52}, limit=LIMIT,
        users=14, groups={"language": 0.7, "vision": 0.3}, queue="large", cpus_per_gpu=12,
        memory_gb_per_gpu=160,
    ),
    JobClass(
        "notebook", 3.5, {1: 0.92, 2: 0.08}, (RunTime(5_400.0, 1.1),), max_run_s=2 * DAY_S,
        ends={"completed": 0.55, "cancelled": 0.40, "failed": 0.05}, limit=TimeLimit(4.0, 0.8, 3600.0),
        users=70, groups=GROUPS, queue="interactive", moves_as=MovesAs.FIXED_HOLD, cpus_per_gpu=8,
        memory_gb_per_gpu=64,
    ),
    JobClass(
        "evaluation", 3.0, {1: 0.55, 2: 0.15, 4: 0.15, 8: 0.15}, (RunTime(420.0, 1.0),),
        max_run_s=12 * HOUR_S, rhythm=FLAT, ends={"completed": 0.80, "failed": 0.14, "cancelled": 0.06},
        limit=LIMIT, users=25, groups=GROUPS, queue="batch", cpus_per_gpu=8, memory_gb_per_gpu=96,
    ),
)  # fmt: skip


def demo_mix(*, gpus: int = DEMO_GPUS, days: float = 30.0) -> WorkloadMix:
    """A month of jobs with the shape of published GPU traces; about 45,000 jobs load 64 nodes of 8 GPUs
    to about 80 %.

    What it is made to match: mean run time far above the median (Philly 18,006 s / 874 s, Helios 6,652 s
    / 206 s, Seren 1,414 s / 122 s: 10 to 32 times); GPUs mean 1.9 to 5.7, median 1 (Philly 1.93, Helios
    3.72, Seren 5.68), tail to hundreds; jobs completed / cancelled / failed from .50 to .62 / .06 to .22
    / .16 to .43 and their GPU time .21 to .51 / .29 to .66 / .08 to .39 (failed jobs are short, cancelled
    ones long); submissions peak at 1.5 to 2.2 times the mean hour, weekends carry 17 to 29 % of the week.
    Sources: Jeon et al., ATC 2019 (Philly, 2017); Hu et al., SC 2021 (Helios, 2020); Hu et al., NSDI 2024
    (Acme: Seren and Kalos, 2023).

    ``gpus`` scales the number of jobs, not their sizes: another fleet of that many GPUs is loaded alike.
    """
    mix = WorkloadMix("demo month", days, CLASSES, DEMO_START_MS)
    return mix.scaled(gpus / DEMO_GPUS)
