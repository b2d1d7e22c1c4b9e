"""What became of every job, as the table of ``jobs_out.csv``."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from twin.analysis.labels import STATE_LABELS
from twin.engine.result import Result
from twin.workload.jobs import Int64Array


def outcomes_frame(result: Result) -> pl.DataFrame:
    """One row a job, in the order of the trace: job_id, submit, start, end, wait, gpus, pool, nodes,
    preemptions, state. Seconds from the trace's start; a job set aside has no start, end, wait or pool.

    ``nodes`` names nodes by pool and index within it: ``a100-3``, ``a100-[0-7,12]``; it is empty in
    counting mode, which knows no nodes.
    """
    jobs, ran = result.jobs, result.start_ms >= 0
    wait_ms = result.start_ms - np.maximum(jobs.eligible_ms, jobs.submit_ms)
    pool_names = [pool.name for pool in result.cluster.pools]
    states = [STATE_LABELS[state] for state in STATE_LABELS]
    return pl.DataFrame(
        {
            "job_id": pl.Series(jobs.job_id.tolist(), dtype=pl.String),
            "submit": jobs.submit_ms / 1000,
            "start": _seconds(result.start_ms, ran),
            "end": _seconds(result.end_ms, ran),
            "wait": _seconds(wait_ms, ran),
            "gpus": jobs.gpus,
            "pool": _named(result.pool, pool_names),
            "nodes": pl.Series(_node_names(result), dtype=pl.String),
            "preemptions": np.zeros(len(jobs), dtype=np.int32),
            "state": _named(result.state.astype(np.int32), states),
        }
    )


def write_outcomes_csv(result: Result, target: Path | str | IO[bytes]) -> None:
    """Write ``jobs_out.csv``: seconds with three decimals, empty where a job has no start."""
    outcomes_frame(result).write_csv(target, float_precision=3)


def _seconds(times_ms: Int64Array, ran: NDArray[np.bool_]) -> pl.Series:
    return pl.Series(times_ms / 1000).set(pl.Series(~ran), None)


def _named(codes: NDArray[np.int32], names: list[str]) -> pl.Series:
    """Names by code, null for -1."""
    table = pl.Series([*names, None], dtype=pl.String)
    return table.gather(pl.Series(np.where(codes < 0, len(names), codes)))


def _node_names(result: Result) -> list[str | None]:
    """The nodes of each job as text. Most jobs have one node, whose text is looked up."""
    offset = result.node_offset
    first_of_pool = np.concatenate(([0], np.cumsum([pool.nodes for pool in result.cluster.pools])))
    one_node = [f"{pool.name}-{node}" for pool in result.cluster.pools for node in range(pool.nodes)]
    count = np.diff(offset)
    names: list[str | None] = [None] * len(count)
    singles = np.flatnonzero(count == 1)
    for row, node in zip(singles.tolist(), result.node_index[offset[singles]].tolist(), strict=True):
        names[row] = one_node[node]
    for row in np.flatnonzero(count > 1).tolist():
        pool = int(result.pool[row])
        nodes = np.sort(result.node_index[offset[row] : offset[row + 1]]) - first_of_pool[pool]
        names[row] = f"{result.cluster.pools[pool].name}-[{node_ranges(nodes)}]"
    return names


def node_ranges(nodes: NDArray[np.int64]) -> str:
    """Ascending node numbers as ranges: ``0-3,7``."""
    breaks = np.flatnonzero(np.diff(nodes) != 1) + 1
    begins = nodes[np.concatenate(([0], breaks))].tolist()
    ends = nodes[np.concatenate((breaks - 1, [len(nodes) - 1]))].tolist()
    return ",".join(
        str(begin) if begin == end else f"{begin}-{end}" for begin, end in zip(begins, ends, strict=True)
    )
