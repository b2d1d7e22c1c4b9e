"""Compile the engine ahead of its first use: ``python -m twin.engine.compile``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from twin.engine.compiled import simulate_compiled
from twin.engine.inputs import build_world
from twin.engine.jit import cache_folder
from twin.engine.loop import advance
from twin.engine.result import Options
from twin.hardware.cluster import Cluster, Gpu, Pool
from twin.sched.policy import Order, Policy
from twin.workload.jobs import make_jobs


def warm(say: Callable[[str], None] = lambda _line: None) -> None:
    """Replay a few jobs, which calls every compiled function in its only signature."""
    began = time.perf_counter()
    say(f"Compiling the engine into {cache_folder()} (half a minute of computing the first time)")
    jobs = make_jobs(
        submit_ms=np.arange(3, dtype=np.int64),
        run_ms=np.full(3, 10, dtype=np.int64),
        gpus=np.array([1, 2, 1], dtype=np.int32),
    )
    cluster = Cluster("warm", (Pool("warm", 2, Gpu("any"), 2),))
    policy = Policy(order=Order.SJF)
    say("1 of 3: reading the jobs")
    world, _ = build_world(jobs, cluster, policy, horizon_ms=2)
    say("2 of 3: the event loop, which takes longest")
    advance(world.record, 1, -1)
    say("3 of 3: the result")
    simulate_compiled(jobs, cluster, policy, Options(), None)
    say(f"Engine ready after {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    warm(lambda line: print(line, flush=True))
    sys.exit(0)
