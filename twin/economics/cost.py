"""What a replayed cluster costs: per year, and per GPU-hour that was productive.

Owned pools cost their price spread evenly over the amortisation time, and electricity at the wall (energy of
the nodes × PUE × price). Rented pools cost rent for every GPU-hour of capacity, electricity included. Staff,
space, network, storage and interest are not counted. A figure that lacks an input is None, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from twin.analysis import HELD, PRODUCTIVE
from twin.economics.power import pool_energy_kwh
from twin.engine.result import Account, Result
from twin.hardware.cluster import Cluster, Economy, Pool
from twin.workload.jobs import Int64Array

HOURS_PER_YEAR: Final = 8_760
_MS_PER_HOUR: Final = 3_600_000


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a figure cannot be given."""

    figure: str
    reason: str


@dataclass(frozen=True, slots=True)
class PoolCost:
    """One pool. Yearly figures in the cluster's currency; energy over the horizon."""

    pool: str
    rented: bool
    capital_per_year: float | None
    rent_per_year: float | None
    electricity_per_year: float | None
    cost_per_year: float | None
    it_energy_kwh: float | None  # drawn by the nodes
    energy_kwh: float | None  # at the wall: × PUE


@dataclass(frozen=True, slots=True)
class Cost:
    """The whole cluster. Yearly figures take the horizon as typical of the year. *Productive* GPU-hours
    are those of the ledger's productive accounts, *completed* those of jobs that completed."""

    currency: str
    horizon_h: float
    capital_per_year: float | None
    rent_per_year: float | None
    electricity_per_year: float | None
    cost_per_year: float | None
    productive_gpu_hours: float
    completed_gpu_hours: float
    cost_per_productive_gpu_hour: float | None
    cost_per_completed_gpu_hour: float | None
    it_energy_kwh: float | None
    energy_kwh: float | None
    energy_kwh_per_year: float | None
    energy_kwh_per_productive_gpu_hour: float | None
    mean_power_kw: float | None  # at the wall
    pools: tuple[PoolCost, ...]
    missing: tuple[Missing, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as dictionaries and lists, ready for JSON."""
        told: dict[str, Any] = asdict(self)
        return told


def cost(result: Result) -> Cost:
    """The cost of the cluster of a replay and of its productive work."""
    return cost_of(result.cluster, result.horizon_ms, result.ledger_gpu_ms)


def cost_of(cluster: Cluster, horizon_ms: int, ledger_gpu_ms: Int64Array) -> Cost:
    """The cost of a cluster from its ledger over the horizon: shape (pools, accounts), as in ``Result``.

    Prices do not change a replay, so one ledger can be priced again and again.
    """
    economy, hours = cluster.economy, horizon_ms / _MS_PER_HOUR
    pools = tuple(
        _pool_cost(pool, _gpu_hours(ledger_gpu_ms, index, HELD), hours, economy)
        for index, pool in enumerate(cluster.pools)
    )
    indices = range(len(pools))
    productive = sum(_gpu_hours(ledger_gpu_ms, index, PRODUCTIVE) for index in indices)
    completed = sum(_gpu_hours(ledger_gpu_ms, index, (Account.PRODUCTIVE_COMPLETED,)) for index in indices)
    per_year = _total(pools, lambda pool: pool.cost_per_year)
    energy = _total(pools, lambda pool: pool.energy_kwh)
    of_horizon = None if per_year is None else per_year * hours / HOURS_PER_YEAR
    return Cost(
        currency=economy.currency,
        horizon_h=hours,
        capital_per_year=_total(pools, lambda pool: pool.capital_per_year),
        rent_per_year=_total(pools, lambda pool: pool.rent_per_year),
        electricity_per_year=_total(pools, lambda pool: pool.electricity_per_year),
        cost_per_year=per_year,
        productive_gpu_hours=productive,
        completed_gpu_hours=completed,
        cost_per_productive_gpu_hour=_ratio(of_horizon, productive),
        cost_per_completed_gpu_hour=_ratio(of_horizon, completed),
        it_energy_kwh=_total(pools, lambda pool: pool.it_energy_kwh),
        energy_kwh=energy,
        energy_kwh_per_year=_ratio(energy, hours / HOURS_PER_YEAR),
        energy_kwh_per_productive_gpu_hour=_ratio(energy, productive),
        mean_power_kw=_ratio(energy, hours),
        pools=pools,
        missing=_missing(cluster.pools, economy, hours, productive, completed),
    )


def _pool_cost(pool: Pool, held_gpu_hours: float, hours: float, economy: Economy) -> PoolCost:
    it_energy = pool_energy_kwh(pool, held_gpu_hours, hours)
    energy = None if it_energy is None else it_energy * economy.pue
    rented = pool.rent_per_gpu_hour is not None
    capital: float | None = 0.0
    electricity: float | None = 0.0
    rent = 0.0
    if pool.rent_per_gpu_hour is not None:
        rent = pool.rent_per_gpu_hour * pool.gpus * HOURS_PER_YEAR
    else:
        capital = (
            None if pool.node_price is None else pool.nodes * pool.node_price / economy.amortisation_years
        )
        electricity = _electricity_per_year(energy, hours, economy)
    parts = (capital, rent, electricity)
    return PoolCost(
        pool=pool.name,
        rented=rented,
        capital_per_year=capital,
        rent_per_year=rent,
        electricity_per_year=electricity,
        cost_per_year=_sum(parts),
        it_energy_kwh=it_energy,
        energy_kwh=energy,
    )


def _electricity_per_year(energy_kwh: float | None, hours: float, economy: Economy) -> float | None:
    per_year = _ratio(energy_kwh, hours / HOURS_PER_YEAR)
    if per_year is None or economy.electricity_per_kwh is None:
        return None
    return per_year * economy.electricity_per_kwh


def _missing(
    pools: tuple[Pool, ...], economy: Economy, hours: float, productive: float, completed: float
) -> tuple[Missing, ...]:
    found = []
    owned = [pool for pool in pools if pool.rent_per_gpu_hour is None]
    for pool in owned:
        if pool.node_price is None:
            reason = f'pool "{pool.name}" has neither node_price nor rent_per_gpu_hour'
            found.append(Missing("cost_per_year", reason))
    for pool in pools:
        if pool.node_busy_w is None and pool.gpu.tdp_w is None:
            reason = f'pool "{pool.name}" has no node_busy_w and its GPU model {pool.gpu.name} no known TDP'
            found.append(Missing("energy_kwh", reason))
    if owned and economy.electricity_per_kwh is None:
        reason = "the cluster's economy has no electricity_per_kwh"
        found.append(Missing("electricity_per_year", reason))
    if hours == 0:
        found.append(Missing("energy_kwh_per_year", "the horizon is zero, so nothing can be made yearly"))
    for figure, gpu_hours in (("productive", productive), ("completed", completed)):
        if gpu_hours == 0:
            reason = f"no {figure} GPU-hour in the horizon"
            found.append(Missing(f"cost_per_{figure}_gpu_hour", reason))
    return tuple(found)


def _gpu_hours(ledger_gpu_ms: Int64Array, pool: int, accounts: Iterable[Account]) -> float:
    return sum(int(ledger_gpu_ms[pool, account]) for account in accounts) / _MS_PER_HOUR


def _total(pools: tuple[PoolCost, ...], figure: Callable[[PoolCost], float | None]) -> float | None:
    return _sum(figure(pool) for pool in pools)


def _sum(parts: Iterable[float | None]) -> float | None:
    """The sum, or None when a part is missing."""
    total = 0.0
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def _ratio(dividend: float | None, divisor: float) -> float | None:
    return None if dividend is None or divisor == 0 else dividend / divisor
