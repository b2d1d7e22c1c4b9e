"""What a hand-drawn situation states: a world, and the answer worked out on paper.

Times are milliseconds. Pools are written ``pool(nodes, gpus)``; jobs ``job(submit, run, gpus)``. Where a
situation says nothing of the policy it is FIFO, EASY to any depth, best fit, packed, a pass an instant.
``ledger`` names a pool's non-zero accounts (GPU-milliseconds up to ``horizon``); ``waits`` the non-zero
reasons of each job; ``nodes`` the (node, mask of GPUs) of each job.
"""

from dataclasses import dataclass, field


def pool(nodes, gpus, **more):
    return {"nodes": nodes, "gpus": gpus, **more}


def job(submit, run, gpus, **more):
    return {"submit": submit, "run": run, "gpus": gpus, **more}


@dataclass(frozen=True)
class Situation:
    fact: str
    pools: list
    jobs: list
    horizon: int
    starts: list
    ends: list
    ledger: list
    waits: list
    policy: dict = field(default_factory=dict)
    nodes: list | None = None
    set_aside: list | None = None
