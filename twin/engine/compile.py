"""Compile the engine ahead of its first use: ``python -m twin.engine.compile``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from twin.engine.compiled import simulate_compiled
from twin.engine.jit import cache_folder
from twin.engine.result import Options
from twin.hardware.cluster import Cluster, Gpu, Pool
from twin.sched.policy import Order, Policy
from twin.workload.jobs import make_jobs


def warm(say: Callable[[str], None] = lambda _line: None) -> None:
    """Replay a few jobs, which calls every compiled function in its only signature."""
    began = time.perf_counter()
    say(f"Compiling the engine into {cache_folder()} (about a minute the first time)")
    jobs = make_jobs(
        submit_ms=np.arange(3, dtype=np.int64),
        run_ms=np.full(3, 10, dtype=np.int64),
        gpus=np.array([1, 2, 1], dtype=np.int32),
    )
    cluster = Cluster("warm", (Pool("warm", 2, Gpu("any"), 2),))
    simulate_compiled(jobs, cluster, Policy(order=Order.SJF), Options(), None)
    say(f"Engine ready after {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    warm(lambda line: print(line, flush=True))
    sys.exit(0)
