"""The replay, twice: compiled for production, SimPy as the readable specification. See docs/model.md."""

from __future__ import annotations

from typing import Literal

from twin.engine.jit import engine_version
from twin.engine.result import (
    Account,
    Counters,
    OnProgress,
    Options,
    Progress,
    ReplayCancelled,
    Result,
    SetAside,
    WaitReason,
)
from twin.hardware.cluster import Cluster
from twin.sched.policy import Policy
from twin.workload.jobs import Jobs

__all__ = [
    "Account",
    "Counters",
    "OnProgress",
    "Options",
    "Progress",
    "ReplayCancelled",
    "Result",
    "SetAside",
    "WaitReason",
    "engine_version",
    "simulate",
    "warm",
]

Engine = Literal["compiled", "reference"]


def simulate(
    jobs: Jobs,
    cluster: Cluster,
    policy: Policy,
    options: Options = Options(),  # noqa: B008 (frozen, so a shared default is safe)
    *,
    engine: Engine = "compiled",
    on_progress: OnProgress | None = None,
) -> Result:
    """Replay ``jobs`` on ``cluster`` under ``policy``: the same values in, the same values out.

    ``engine="reference"`` runs the SimPy engine: the same answers, some thousand times slower.
    ``on_progress`` is called between chunks of about 10 ms of computing and may stop the replay, which
    then raises ``ReplayCancelled``.
    """
    if engine == "reference":
        from twin.engine.reference import simulate_reference

        return simulate_reference(jobs, cluster, policy, options, on_progress)
    from twin.engine.compiled import simulate_compiled

    return simulate_compiled(jobs, cluster, policy, options, on_progress)


def warm() -> None:
    """Compile the engine, or load it from the cache, so that the next ``simulate`` starts at once."""
    from twin.engine.compile import warm as compile_all

    compile_all()
