"""Small and nasty worlds: ties everywhere, several pools, GPU models, CPUs and memory, shapes, holds.

``worlds`` are drawn field by field, so that a failing one shrinks to its essence. They come out sparse;
``crowded_worlds`` are made from a seed and have the queues in which backfill has something to decide.
A world is (jobs, pools, policy, horizon), in the oracle's format.

``HYPOTHESIS_PROFILE=deep`` searches long and anew each time; the default is short and the same each time.
"""

import os
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

PROFILES = {"suite": {"max_examples": 300, "derandomize": True}, "deep": {"max_examples": 20_000}}
searched = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    **PROFILES[os.environ.get("HYPOTHESIS_PROFILE", "suite")],
)

MODELS = ("A", "B", "C")
STATES = ("UNKNOWN", "COMPLETED", "CANCELLED", "FAILED", "TIMED_OUT", "RUNNING")

pools = st.lists(
    st.fixed_dictionaries(
        {
            "nodes": st.integers(1, 4),
            "gpus": st.sampled_from([1, 2, 4, 8]),
            "cpus": st.sampled_from([0, 0, 5, 16]),
            "memory": st.sampled_from([0, 0, 7, 64]),
            "model": st.sampled_from(MODELS[:2]),
            "speed": st.sampled_from([1.0, 1.0, 2.5, 0.3, 1.000001]),
        }
    ),
    min_size=1,
    max_size=3,
)

policies = st.fixed_dictionaries(
    {
        "order": st.sampled_from(["fifo", "priority", "sjf"]),
        "backfill": st.sampled_from(["easy", "easy", "first_fit", "strict"]),
        "depth": st.sampled_from([None, None, 0, 1, 3]),
        "placement": st.sampled_from(["count", "first_fit", "best_fit", "worst_fit"]),
        "shape": st.sampled_from(["packed", "scatter"]),
        "passes": st.sampled_from(["instant", "event"]),
        "enforce_limits": st.booleans(),
    }
)


@st.composite
def job(draw):
    """Few distinct times, so that finishes, submits and eligible times fall on one instant."""
    submit = draw(st.integers(0, 12))
    made = {
        "submit": submit,
        "run": draw(st.one_of(st.integers(1, 12), st.sampled_from([40, 10**9]))),
        "gpus": draw(st.one_of(st.integers(1, 9), st.sampled_from([1, 2, 16, 40]))),
        "eligible": draw(st.sampled_from([0, 0, 0, submit + 1, submit + 5])),
        "limit": draw(st.one_of(st.none(), st.integers(1, 15))),
        "cpus": draw(st.sampled_from([0, 0, 1, 5, 9])),
        "memory": draw(st.sampled_from([0, 0, 1, 8, 40])),
        "priority": draw(st.integers(-1, 1)),
        "models": draw(
            st.one_of(st.none(), st.none(), st.lists(st.sampled_from(MODELS), min_size=1, unique=True))
        ),
        "moves": draw(st.sampled_from(["work", "work", "hold", "cut"])),
        "state": draw(st.sampled_from(STATES)),
    }
    if draw(st.integers(0, 3)) == 0:
        nodes, each = draw(st.integers(1, 3)), draw(st.integers(1, 4))
        given = draw(st.sampled_from(["both", "nodes", "gpus_per_node"]))
        made["gpus"] = nodes * each
        made |= {"nodes": nodes if given != "gpus_per_node" else 0}
        made |= {"gpus_per_node": each if given != "nodes" else 0}
    return made


worlds = st.tuples(st.lists(job(), max_size=14), pools, policies, st.sampled_from([None, None, 0, 5, 60]))


def crowded_world(seed, jobs):
    """Up to 40 jobs on a handful of GPUs; fewer jobs of the same seed are the first of its rows."""
    source = Random(seed)
    gpus_per_node = source.choice([1, 2, 4, 4, 8])
    pools = [
        {
            "nodes": source.choice([0, 1, 1, 2, 2, 3, 3, 4, 4]),
            "gpus": source.choice([gpus_per_node, gpus_per_node, 4]),
            "cpus": source.choice([0, 0, 5, 9]),
            "memory": source.choice([0, 0, 7, 30]),
            "model": source.choice("AAB"),
            "speed": source.choice([1.0, 1.0, 2.5, 0.3, 1 / 3, 0.01, 100.0]),
        }
        for _ in range(source.choice([1, 1, 2, 3]))
    ]
    policy = {
        "order": source.choice(["fifo", "priority", "sjf"]),
        "backfill": source.choice(["easy", "easy", "easy", "first_fit", "strict"]),
        "depth": source.choice([None, None, 0, 1, 3]),
        "placement": source.choice(["count", "first_fit", "best_fit", "worst_fit"]),
        "shape": source.choice(["packed", "packed", "scatter"]),
        "passes": source.choice(["instant", "event"]),
        "enforce_limits": source.choice([True, False]),
    }
    largest = max(1, *(pool["nodes"] * pool["gpus"] for pool in pools))
    last_submit = source.choice([10, 30, 80])
    tick = source.choice([1, 1, 1, 1000, 2**36])  # ms; the last brings run times near the most allowed
    rows = [_crowded_job(Random(f"{seed} {row}"), largest, last_submit, tick) for row in range(jobs)]
    return rows, pools, policy, source.choice([None, None, 50 * tick])


def wide_world(seed):
    """Pools around the sizes at which a 64-bit word of nodes, or of GPUs on a node, is full."""
    source = Random(f"wide {seed}")
    shapes = source.sample([(63, 4), (64, 2), (65, 8), (130, 1), (129, 3), (3, 64), (2, 63)], k=2)
    _, pools, policy, _ = crowded_world(seed, jobs=0)
    pools = [
        {"nodes": nodes, "gpus": gpus, "cpus": source.choice([0, 2 * gpus]), "model": source.choice("AAB")}
        for nodes, gpus in shapes
    ]
    largest = max(pool["nodes"] * pool["gpus"] for pool in pools)
    rows = [_crowded_job(Random(f"wide {seed} {row}"), largest, last_submit=60, tick=1) for row in range(90)]
    return rows, pools, policy | {"placement": source.choice(["first_fit", "best_fit", "worst_fit"])}, None


def _crowded_job(source, largest, last_submit, tick):
    submit = tick * source.randint(0, last_submit)
    run = tick * source.choice([source.randint(1, 9), source.randint(1, 30)])
    gpus = source.choice([1, 1, 2, source.randint(1, largest), source.randint(1, largest + 1)])
    made = {
        "submit": submit,
        "run": run,
        "gpus": gpus,
        "eligible": source.choice([0, 0, 0, 0, submit + tick * source.randint(1, 9)]),
        "limit": source.choice([None, run, run + tick * source.randint(0, 9), 2 * run, max(1, run // 2)]),
        "cpus": source.choice([0, 0, 1, gpus, 2 * gpus - 1]),
        "memory": source.choice([0, 0, 3, gpus + 2, 3 * gpus]),
        "priority": source.randint(-1, 1),
        "models": source.choice([None, None, None, ["A"], ["A", "B"], ["B"]]),
        "moves": source.choice(["work", "work", "hold", "cut"]),
        "state": source.choice(STATES),
    }
    if source.random() < 0.15:
        nodes, each = source.randint(1, 3), source.randint(1, 3)
        given = source.choice(["both", "nodes", "gpus_per_node"])
        made |= {"gpus": nodes * each}
        made |= {"nodes": nodes if given != "gpus_per_node" else 0}
        made |= {"gpus_per_node": each if given != "nodes" else 0}
    return made


crowded_worlds = st.builds(crowded_world, seed=st.integers(0, 2**32), jobs=st.integers(1, 40))
