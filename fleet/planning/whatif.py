"""What if a pool had more nodes? Answered by this very process, without a worker and without writing a row.

The jobs stay loaded in the process; the compiled engine runs without the GIL in a few threads. The latest
question of a browser tab wins: an older one stops at its next chunk of at most 20 ms.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from fleet.planning.models import Scenario
from fleet.planning.replay import chart_series, summary_of
from fleet.planning.snapshots import Snapshot
from fleet.planning.specs import replay_inputs, run_spec
from fleet.workloads.models import Workload
from fleet.workloads.services import jobs_of
from twin import engine
from twin.economics import Tag
from twin.engine import Progress, ReplayCancelled
from twin.problems import InvalidInput

THREADS = 2
MOST_S = 20.0  # longer replays belong to the workers
MOST_FACTOR = 2  # the slider ends at twice the nodes
MOST_TABS = 1000
TIMELINE_POINTS = 400
CURVE_POINTS = 100

Key = tuple[int, int, str]  # workspace, user, tab


class Superseded(Exception):
    """A newer question of the same tab is being answered instead."""


class TooSlow(Exception):
    """The replay takes longer than a slider can wait."""


class LatestWins:
    """The newest sequence number of each tab. Safe for threads; the oldest tabs are forgotten."""

    def __init__(self, most: int = MOST_TABS) -> None:
        self._newest: OrderedDict[Key, int] = OrderedDict()
        self._most = most
        self._lock = threading.Lock()

    def begin(self, key: Key, sequence: int) -> bool:
        """Note a question; False where a newer one was asked already."""
        with self._lock:
            if sequence < self._newest.get(key, sequence):
                return False
            self._newest[key] = sequence
            self._newest.move_to_end(key)
            while len(self._newest) > self._most:
                self._newest.popitem(last=False)
            return True

    def is_latest(self, key: Key, sequence: int) -> bool:
        """Whether no newer question was asked."""
        return self._newest.get(key, sequence) == sequence


@dataclass(slots=True)
class Timing:
    """How long each part took, for the Server-Timing header."""

    parts_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Time a block."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.parts_ms[name] = (time.perf_counter() - began) * 1000

    def header(self) -> str:
        """The value of the Server-Timing header."""
        return ", ".join(f"{name};dur={spent_ms:.1f}" for name, spent_ms in self.parts_ms.items())


@dataclass(frozen=True, slots=True)
class WhatIfAnswer:
    """The answer to one question: the changed cluster, its summary and its chart series."""

    cluster: Snapshot
    summary: dict[str, Any]
    charts: dict[str, Any]
    seed: int


LATEST = LatestWins()
POOL = ThreadPoolExecutor(THREADS, thread_name_prefix="what-if")


def with_nodes(cluster: Snapshot, pool: str, nodes: int) -> Snapshot:
    """The cluster with another number of nodes in one pool.

    Raises InvalidInput where there is no such pool, or the number is not from its own to twice that.
    """
    own = next((one["nodes"] for one in cluster["pools"] if one["name"] == pool), None)
    if own is None:
        names = ", ".join(one["name"] for one in cluster["pools"])
        raise InvalidInput.single(f"pool {pool}", "is not in this cluster", names)
    if not own <= nodes <= MOST_FACTOR * own:
        raise InvalidInput.single("nodes", f"{nodes} is out of range", f"{own} to {MOST_FACTOR * own}")
    pools = [one | {"nodes": nodes} if one["name"] == pool else one for one in cluster["pools"]]
    return cluster | {"name": f"{cluster['name']}, {pool} {nodes} nodes", "pools": pools}


def what_if(
    scenario: Scenario,
    workload: Workload,
    cluster: Snapshot,
    *,
    horizon_ms: int | None,
    seed: int,
    key: Key,
    sequence: int,
    timing: Timing,
) -> WhatIfAnswer:
    """Replay a scenario on another cluster. Raises Superseded, TooSlow, or InvalidInput."""
    if not LATEST.begin(key, sequence):
        raise Superseded
    with timing.part("jobs"):
        jobs = jobs_of(workload, seed)
    spec = run_spec(
        scenario.workload_snapshot, cluster, scenario.policy_snapshot, horizon_ms=horizon_ms, seed=seed
    )
    inputs = replay_inputs(spec)
    tag = Tag.INFERRED if scenario.workload_snapshot["random"] else Tag.MEASURED
    ends = time.monotonic() + MOST_S

    def go_on(_progress: Progress | None = None) -> bool:
        return LATEST.is_latest(key, sequence) and time.monotonic() < ends

    def answer() -> WhatIfAnswer:
        if not go_on():
            raise ReplayCancelled
        with timing.part("replay"):
            result = engine.simulate(jobs, inputs.cluster, inputs.policy, inputs.options, on_progress=go_on)
        with timing.part("summary"):
            summary = summary_of(result, tag)
            charts = chart_series(result, timeline_points=TIMELINE_POINTS, curve_points=CURVE_POINTS)
        return WhatIfAnswer(cluster, summary, charts, seed)

    try:
        with timing.part("engine"):
            return POOL.submit(answer).result()
    except ReplayCancelled as error:
        if LATEST.is_latest(key, sequence):
            raise TooSlow from error
        raise Superseded from error
