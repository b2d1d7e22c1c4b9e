"""What a result rests on: each input with its value, where it is from, and how much hangs on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from twin.economics.cost import Cost, PoolCost, cost
from twin.economics.power import BUSY_NODE_PER_GPU_TDP, IDLE_SHARE_OF_BUSY, node_power
from twin.engine.result import Result
from twin.hardware.cluster import Cluster, Economy, Pool
from twin.sched.policy import Backfill, Order
from twin.workload.jobs import MISSING, Jobs


class Tag(StrEnum):
    """Where an input is from."""

    MEASURED = "measured"
    INFERRED = "inferred"
    ENTERED = "entered"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Assumption:
    """One input. ``value`` None: missing. ``affects``: "waits", "cost" or "energy". ``influence`` is from
    0 to 1: for costs the share of the yearly cost that the input multiplies, for energy the share of the
    energy; for waits the share of jobs or GPUs it is known to
    touch (1: all of them)."""

    name: str
    value: float | str | None
    unit: str
    tag: Tag
    source: str
    influence: float
    affects: str

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary, ready for JSON."""
        return asdict(self) | {"tag": self.tag.value}


def assumptions(
    result: Result, *, workload_tag: Tag = Tag.MEASURED, workload_source: str = "the trace"
) -> tuple[Assumption, ...]:
    """All inputs of a replay and its cost, those with the most influence first (ties: as listed here).

    ``workload_tag``: INFERRED for a generated workload fitted from a trace, ENTERED for one made up.
    """
    waits = wait_assumptions(result, workload_tag=workload_tag, workload_source=workload_source)
    return by_influence(waits + cluster_assumptions(result.cluster, cost(result)))


def wait_assumptions(
    result: Result, *, workload_tag: Tag = Tag.MEASURED, workload_source: str = "the trace"
) -> tuple[Assumption, ...]:
    """The inputs from workload, policy and model: those that prices and power have no part in."""
    return tuple(_of_workload(result, workload_tag, workload_source) + _of_model(result))


def cluster_assumptions(cluster: Cluster, costs: Cost) -> tuple[Assumption, ...]:
    """The inputs from the cluster, its prices and its power."""
    found = []
    for pool, pool_cost in zip(cluster.pools, costs.pools, strict=True):
        found += _of_pool(pool, cluster.gpus)
        found += _of_pool_cost(pool, pool_cost, costs)
    return tuple(found + _of_economy(cluster.economy, costs))


def by_influence(found: Iterable[Assumption]) -> tuple[Assumption, ...]:
    """Those with the most influence first; ties stay in their order."""
    return tuple(sorted(found, key=lambda one: -one.influence))


def _of_workload(result: Result, tag: Tag, source: str) -> list[Assumption]:
    jobs, count = result.jobs, len(result.jobs)
    found = [
        Assumption("submit times, run times and GPUs", float(count), "jobs", tag, source, 1.0, "waits"),
        _eligible(jobs, tag, source),
    ]
    no_limit = _share(jobs.limit_ms == MISSING)
    if no_limit and (result.policy.backfill is Backfill.EASY or result.policy.order is Order.SJF):
        said = "no time limit given: the scheduler is taken to know the run time (assume_limit: run_time)"
        found.append(
            Assumption("time limits", no_limit, "share of jobs", Tag.DEFAULT, said, no_limit, "waits")
        )
    rounded = _share(jobs.gpu_milli != jobs.gpus.astype(np.int64) * 1000)
    if rounded:
        said = "shares of a GPU are replayed as whole GPUs"
        found.append(Assumption("whole GPUs", rounded, "share of jobs", Tag.INFERRED, said, rounded, "waits"))
    found += [
        Assumption("reader", note, "", Tag.INFERRED, "what the reader of the trace assumed", 0.0, "waits")
        for note in jobs.notes
    ]
    return found


def _eligible(jobs: Jobs, tag: Tag, source: str) -> Assumption:
    later = _share(jobs.eligible_ms > jobs.submit_ms)
    if later:
        return Assumption("eligible times", later, "share of jobs", tag, source, later, "waits")
    said = "no dependency, hold or begin time given: eligible when submitted"
    return Assumption("eligible times", 0.0, "share of jobs", Tag.DEFAULT, said, 0.0, "waits")


def _of_model(result: Result) -> list[Assumption]:
    policy = result.policy
    told = f"{policy.order}, {policy.backfill}, {policy.placement}, {policy.shape}, pass: {policy.pass_mode}"
    return [
        Assumption("policy", told, "", Tag.ENTERED, policy.name, 1.0, "waits"),
        Assumption(
            "quotas, failures and preemption", "none", "", Tag.DEFAULT, "not part of this model", 1.0, "waits"
        ),
        Assumption(
            "cluster when the trace opens",
            "empty",
            "",
            Tag.DEFAULT,
            "what ran before is not known",
            0.0,
            "waits",
        ),
    ]


def _of_pool(pool: Pool, cluster_gpus: int) -> list[Assumption]:
    share = pool.gpus / cluster_gpus if cluster_gpus else 0.0
    speed_tag = Tag.DEFAULT if pool.speed == 1.0 else Tag.ENTERED
    speed_source = "as fast as what the trace ran on" if pool.speed == 1.0 else "cluster"
    found = [
        Assumption(f"{pool.name}: nodes", float(pool.nodes), "nodes", Tag.ENTERED, "cluster", share, "waits"),
        Assumption(f"{pool.name}: speed", pool.speed, "×", speed_tag, speed_source, share, "waits"),
    ]
    for name, given in (("CPUs", pool.cpus), ("memory", pool.memory_gb)):
        if not given:
            said = "not given, so never the limit"
            found.append(Assumption(f"{pool.name}: {name}", "unlimited", "", Tag.DEFAULT, said, 0.0, "waits"))
    return found


def _of_pool_cost(pool: Pool, pool_cost: PoolCost, costs: Cost) -> list[Assumption]:
    found = []
    if pool.rent_per_gpu_hour is not None:
        weight = _part(pool_cost.rent_per_year, costs.cost_per_year)
        unit = f"{costs.currency}/GPU-hour"
        found.append(
            Assumption(
                f"{pool.name}: rent", pool.rent_per_gpu_hour, unit, Tag.ENTERED, "cluster", weight, "cost"
            )
        )
    else:
        weight = _part(pool_cost.capital_per_year, costs.cost_per_year)
        source = "cluster" if pool.node_price is not None else "missing: no cost can be given"
        unit = f"{costs.currency}/node"
        found.append(
            Assumption(f"{pool.name}: node price", pool.node_price, unit, Tag.ENTERED, source, weight, "cost")
        )
    return found + _of_power(pool, _part(pool_cost.energy_kwh, costs.energy_kwh))


def _of_power(pool: Pool, share: float) -> list[Assumption]:
    power = node_power(pool)
    if power is None:
        said = f"missing: {pool.gpu.name} has no known TDP"
        return [Assumption(f"{pool.name}: busy node", None, "W", Tag.DEFAULT, said, 1.0, "energy")]
    busy = f"{BUSY_NODE_PER_GPU_TDP:g} × its GPUs' TDP (held GPUs at 60 %, the rest of the node 50 %)"
    idle = f"{IDLE_SHARE_OF_BUSY:.0%} of a busy node (GPUs at 16 % of TDP, the rest at half)"
    return [
        _watts(f"{pool.name}: busy node", power.busy_w, power.busy_entered, busy, share),
        _watts(f"{pool.name}: idle node", power.idle_w, power.idle_entered, idle, share / 2),
    ]


def _watts(name: str, watts: float, entered: bool, default: str, influence: float) -> Assumption:
    tag, source = (Tag.ENTERED, "cluster") if entered else (Tag.DEFAULT, default)
    return Assumption(name, watts, "W", tag, source, influence, "energy")


def _of_economy(economy: Economy, costs: Cost) -> list[Assumption]:
    default = Economy()
    capital = _part(costs.capital_per_year, costs.cost_per_year)
    power = _part(costs.electricity_per_year, costs.cost_per_year)
    price_source = "cluster" if economy.electricity_per_kwh is not None else "missing"
    return [
        _economic("amortisation", economy.amortisation_years, default.amortisation_years, "years", capital),
        _economic("PUE", economy.pue, default.pue, "×", power),
        Assumption(
            "electricity price",
            economy.electricity_per_kwh,
            f"{economy.currency}/kWh",
            Tag.ENTERED,
            price_source,
            power,
            "cost",
        ),
    ]


def _economic(name: str, value: float, default: float, unit: str, influence: float) -> Assumption:
    tag, source = (Tag.DEFAULT, "default") if value == default else (Tag.ENTERED, "cluster")
    return Assumption(name, value, unit, tag, source, influence, "cost")


def _part(part: float | None, whole: float | None) -> float:
    """The share of the whole; 1 when either is missing, for then everything hangs on the missing input."""
    if part is None or whole is None:
        return 1.0
    return part / whole if whole else 0.0


def _share(chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> float:
    return float(chosen.mean()) if len(chosen) else 0.0
