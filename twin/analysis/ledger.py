"""The ledger of a replay as lines that people read, exact to the GPU-millisecond."""

from __future__ import annotations

from collections.abc import Iterable

from twin.analysis.labels import ACCOUNT_LABELS
from twin.analysis.summary import Ledger, LedgerLine
from twin.engine.result import Account, Result

MS_PER_HOUR = 3_600_000


def pool_ledgers(result: Result) -> tuple[Ledger, ...]:
    """A ledger for each pool, in file order."""
    return tuple(
        _ledger(pool.name, pool.gpus, pool.gpus * result.horizon_ms, [int(ms) for ms in row])
        for pool, row in zip(result.cluster.pools, result.ledger_gpu_ms, strict=True)
    )


def whole_ledger(result: Result) -> Ledger:
    """The ledger of the whole cluster. Python's integers do not overflow where int64 would."""
    sums = [sum(int(ms) for ms in column) for column in result.ledger_gpu_ms.T]
    gpus = result.cluster.gpus
    return _ledger("all", gpus, gpus * result.horizon_ms, sums)


def gpu_ms_of(ledger: Ledger, accounts: Iterable[Account]) -> int:
    """The GPU-milliseconds of some accounts together."""
    return sum(ledger.lines[account].gpu_ms for account in accounts)


def share_of(ledger: Ledger, accounts: Iterable[Account]) -> float | None:
    """The share of the capacity that some accounts hold; None without capacity."""
    if ledger.capacity_gpu_ms == 0:
        return None
    return gpu_ms_of(ledger, accounts) / ledger.capacity_gpu_ms


def _ledger(name: str, gpus: int, capacity_gpu_ms: int, gpu_ms: list[int]) -> Ledger:
    lines = tuple(
        LedgerLine(
            account=account.name.lower(),
            label=ACCOUNT_LABELS[account],
            gpu_hours=gpu_ms[account] / MS_PER_HOUR,
            gpu_ms=gpu_ms[account],
            share=gpu_ms[account] / capacity_gpu_ms if capacity_gpu_ms else None,
        )
        for account in Account
    )
    return Ledger(name, gpus, capacity_gpu_ms / MS_PER_HOUR, capacity_gpu_ms, lines)
