"""The stated workloads of ``python -m twin bench``, drawn with Philox: same seed, same jobs everywhere.

Shape after the published GPU traces (Philly, Helios, Acme): most jobs want 1 to 8 GPUs, few up to 64; run
times are lognormal with a mean four times the median and a long tail, cut at seven days.
"""

from __future__ import annotations

import numpy as np

from twin.hardware.cluster import Cluster, Gpu, Pool
from twin.workload.jobs import Jobs, make_jobs

GANG_SIZES = (1, 2, 4, 8, 16, 32, 64)
GANG_SHARES = (0.45, 0.12, 0.15, 0.20, 0.05, 0.02, 0.01)
MEDIAN_RUN_MS = 600_000
RUN_SIGMA = 1.6
SHORTEST_RUN_MS = 1_000
LONGEST_RUN_MS = 7 * 24 * 3_600_000
GPUS_PER_NODE = 8


def bench_cluster(gpus: int) -> Cluster:
    """One pool of nodes with 8 GPUs each."""
    return Cluster("bench", (Pool("pool", gpus // GPUS_PER_NODE, Gpu("GPU"), GPUS_PER_NODE),))


def bench_jobs(count: int, gpus: int, load: float, limit_slack: float, seed: int = 0) -> Jobs:
    """``count`` jobs whose GPU time is ``load`` times what ``gpus`` GPUs give until the last submit.

    Arrivals are uniform over that span. ``limit_slack`` 1: every time limit is the run time; s > 1: the
    limit is uniformly 1 to s times the run time.
    """
    random = np.random.Generator(np.random.Philox(seed))
    wanted = random.choice(GANG_SIZES, count, p=GANG_SHARES).astype(np.int32)
    run = random.lognormal(np.log(MEDIAN_RUN_MS), RUN_SIGMA, count)
    run_ms = np.clip(run, SHORTEST_RUN_MS, LONGEST_RUN_MS).astype(np.int64)
    span_ms = int((wanted * run_ms.astype(np.float64)).sum() / (gpus * load))
    submit_ms = np.sort(random.integers(0, span_ms, count))
    slack = random.uniform(1.0, limit_slack, count) if limit_slack > 1 else np.ones(count)
    return make_jobs(
        submit_ms=submit_ms - submit_ms[0],
        run_ms=run_ms,
        gpus=wanted,
        limit_ms=(run_ms * slack).astype(np.int64),
    )
