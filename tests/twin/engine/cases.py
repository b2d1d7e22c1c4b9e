"""Cases written once as plain lists and dicts (the oracle's format), and their meaning as ``twin`` values."""

import numpy as np

from twin.engine import Options
from twin.hardware import Cluster, Gpu, Pool
from twin.sched import Backfill, Order, PassMode, Placement, Policy, Shape
from twin.workload import MISSING, Category, EndState, Jobs, MovesAs, make_jobs

PLAIN_POLICY = {
    "order": "fifo",
    "backfill": "easy",
    "depth": None,
    "placement": "best_fit",
    "shape": "packed",
    "passes": "instant",
    "enforce_limits": True,
}
MOVES = {"work": MovesAs.FIXED_WORK, "hold": MovesAs.FIXED_HOLD, "cut": MovesAs.CUT_AT_LIMIT}


def twin_jobs(jobs: list[dict]) -> Jobs:
    def column(name, default, kind):
        values = [default if job.get(name) is None else job[name] for job in jobs]
        return np.array(values, dtype=kind)

    submit = column("submit", 0, np.int64)
    return make_jobs(
        submit_ms=submit,
        run_ms=column("run", 1, np.int64),
        gpus=column("gpus", 1, np.int32),
        eligible_ms=np.maximum(submit, column("eligible", 0, np.int64)),
        limit_ms=column("limit", MISSING, np.int64),
        nodes=column("nodes", 0, np.int32),
        gpus_per_node=column("gpus_per_node", 0, np.int32),
        cpus=column("cpus", 0, np.int32),
        memory_mb=column("memory", 0, np.int64),
        priority=column("priority", 0, np.int64),
        gpu_models=_models(jobs),
        moves_as=np.array([MOVES[job.get("moves", "work")] for job in jobs], dtype=np.int8),
        recorded_state=np.array([EndState[job.get("state", "COMPLETED")] for job in jobs], dtype=np.int8),
    )


def _models(jobs: list[dict]) -> Category:
    texts = ["|".join(job["models"]) if job.get("models") is not None else None for job in jobs]
    names = tuple(dict.fromkeys(text for text in texts if text is not None))
    codes = [-1 if text is None else names.index(text) for text in texts]
    return Category(np.array(codes, dtype=np.int32), names)


def twin_cluster(pools: list[dict]) -> Cluster:
    """Memory is megabytes in a case and gigabytes (of 1024) in a pool."""
    return Cluster(
        name="case",
        pools=tuple(
            Pool(
                name=pool.get("name", f"pool-{number}"),
                nodes=pool["nodes"],
                gpu=Gpu(name=pool.get("model", "any")),
                gpus_per_node=pool["gpus"],
                cpus=pool.get("cpus", 0),
                memory_gb=pool.get("memory", 0) / 1024,
                speed=pool.get("speed", 1.0),
            )
            for number, pool in enumerate(pools)
        ),
    )


def twin_policy(policy: dict) -> Policy:
    chosen = PLAIN_POLICY | policy
    return Policy(
        order=Order(chosen["order"]),
        backfill=Backfill(chosen["backfill"]),
        backfill_depth=chosen["depth"],
        placement=Placement(chosen["placement"]),
        shape=Shape(chosen["shape"]),
        pass_mode=PassMode(chosen["passes"]),
        enforce_limits=chosen["enforce_limits"],
    )


def twin_case(jobs, pools, policy, horizon=None):
    """(jobs, cluster, policy, options): what both engines take."""
    return twin_jobs(jobs), twin_cluster(pools), twin_policy(policy), Options(horizon_ms=horizon)
