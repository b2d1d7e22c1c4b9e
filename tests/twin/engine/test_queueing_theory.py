"""Against closed forms: mean waits of M/M/1 and M/M/c queues (Erlang C), and Little's law."""

import math

import numpy as np
import pytest

from tests.twin.engine.engines import both_engines
from twin.engine import Account, Options
from twin.hardware import Cluster, Gpu, Pool
from twin.sched import Backfill, Placement, Policy
from twin.workload import make_jobs

MEAN_RUN_S = 600.0
REPLICATIONS, JOBS, WARM_UP_JOBS = 12, 2_500, 500
T_995_11 = 3.106  # Student's t, 99 % two-sided, 11 degrees of freedom
POLICY = Policy(backfill=Backfill.STRICT, placement=Placement.COUNT)


def erlang_c_wait_s(servers, load):
    """Mean wait of M/M/c at this load a server (Kleinrock, Queueing Systems vol. 1, section 3.5)."""
    offered = servers * load
    all_busy = offered**servers / math.factorial(servers) / (1 - load)
    some_free = sum(offered**k / math.factorial(k) for k in range(servers))
    return all_busy / (some_free + all_busy) * MEAN_RUN_S / (servers * (1 - load))


def poisson_jobs(servers, load, seed):
    random = np.random.Generator(np.random.Philox(seed))
    gaps_s = random.exponential(MEAN_RUN_S / (servers * load), JOBS)
    runs_s = random.exponential(MEAN_RUN_S, JOBS)
    submit_ms = np.floor(np.cumsum(gaps_s) * 1000 + 0.5).astype(np.int64)
    return make_jobs(
        submit_ms=submit_ms - submit_ms[0],
        run_ms=np.maximum(1, np.floor(runs_s * 1000 + 0.5)).astype(np.int64),
        gpus=np.ones(JOBS, dtype=np.int32),
    )


def cluster_of(gpus):
    return Cluster(name="servers", pools=(Pool(name="p", nodes=gpus, gpu=Gpu(name="any"), gpus_per_node=1),))


@both_engines
@pytest.mark.parametrize(("servers", "load"), [(1, 0.5), (1, 0.7), (4, 0.8), (8, 0.8)])
def test_the_mean_wait_of_a_markov_queue_is_erlangs(replay, servers, load):
    means_s = []
    for seed in range(REPLICATIONS):
        jobs = poisson_jobs(servers, load, seed)
        result = replay(jobs, cluster_of(servers), POLICY)
        means_s.append((result.start_ms - jobs.submit_ms)[WARM_UP_JOBS:].mean() / 1000)
    half_width_s = T_995_11 * np.std(means_s, ddof=1) / math.sqrt(REPLICATIONS)
    assert abs(np.mean(means_s) - erlang_c_wait_s(servers, load)) <= half_width_s
    assert half_width_s < 0.35 * erlang_c_wait_s(servers, load)  # narrow enough to say something


@both_engines
def test_littles_law_ties_the_ledger_and_the_queue_to_rates_and_times(replay):
    """Mean number in a place = rate x mean time in it: for the waiting jobs and for the busy GPUs."""
    jobs = poisson_jobs(servers=4, load=0.8, seed=99)
    end_ms = int(replay(jobs, cluster_of(4), POLICY).end_ms.max())
    result = replay(jobs, cluster_of(4), POLICY, Options(horizon_ms=end_ms))
    rate = len(jobs) / end_ms
    waiting = result.counters.queue_area_job_ms / end_ms
    busy = result.ledger_gpu_ms[0, Account.PRODUCTIVE_COMPLETED] / end_ms
    assert waiting == pytest.approx(rate * (result.start_ms - jobs.submit_ms).mean(), rel=1e-12)
    assert busy == pytest.approx(rate * jobs.run_ms.mean(), rel=1e-12)
