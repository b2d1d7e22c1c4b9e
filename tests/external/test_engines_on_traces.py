"""Both engines answer alike, to the GPU and the millisecond, on the first jobs of three public traces."""

import os
from pathlib import Path

import numpy as np
import pytest

from twin.engine import simulate
from twin.hardware import Cluster, Gpu, Pool
from twin.sched import Backfill, Order, PassMode, Placement, Policy, Shape
from twin.workload import read_trace

DATA = Path(os.environ.get("FLEET_TWIN_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
TRACES = DATA / "traces"

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(not TRACES.is_dir(), reason=f"no traces in {TRACES} (set FLEET_TWIN_DATA)"),
]

PHILLY = (
    "philly/philly_sia.csv",
    1_000,
    (Pool("p100", 6, Gpu("P100"), 8), Pool("p40", 12, Gpu("P40"), 2, speed=1.3)),
)
OPENB = (  # GPU models, CPUs and memory matter here
    "alibaba_gpu_v2023_openb/openb_pod_list_gpuspec33.csv",
    700,
    (
        Pool("t4", 2, Gpu("T4"), 2, cpus=96, memory_gb=384),
        Pool("g2", 1, Gpu("G2"), 8, cpus=96, memory_gb=384),
        Pool("v100", 1, Gpu("V100M32"), 8, cpus=64),
    ),
)
THETA = ("alcf_theta/theta_2022.swf", 150, (Pool("knl", 4_360, Gpu("KNL"), 1),))

POLICIES = (
    Policy(name="fifo, easy", backfill_depth=50),
    Policy(
        name="sjf, easy, spread",
        order=Order.SJF,
        placement=Placement.WORST_FIT,
        backfill_depth=None,
    ),
    Policy(
        name="first fit, scattered, a pass an event",
        backfill=Backfill.FIRST_FIT,
        placement=Placement.FIRST_FIT,
        shape=Shape.SCATTER,
        pass_mode=PassMode.EVENT,
    ),
)
COLUMNS = (
    "start_ms",
    "end_ms",
    "pool",
    "state",
    "set_aside",
    "wait_by_reason_ms",
    "ledger_gpu_ms",
    "node_offset",
    "node_index",
    "gpu_mask",
)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
@pytest.mark.parametrize(
    ("trace", "count", "pools"), [PHILLY, OPENB, THETA], ids=["philly", "openb", "theta"]
)
def test_both_engines_answer_alike_on_a_public_trace(trace, count, pools, policy):
    jobs = read_trace(TRACES / trace).jobs.take(np.arange(count))
    cluster = Cluster("a part of it", pools)
    compiled, reference = (
        simulate(jobs, cluster, policy, engine=engine) for engine in ("compiled", "reference")
    )
    for name in COLUMNS:
        assert np.array_equal(getattr(compiled, name), getattr(reference, name)), name
    waits_ms = compiled.start_ms - jobs.eligible_ms
    assert np.count_nonzero(waits_ms[compiled.start_ms >= 0]) > count // 20  # there was something to decide
