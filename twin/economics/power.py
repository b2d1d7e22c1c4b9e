"""What nodes draw, idle and busy, and the energy of a replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from twin.hardware.cluster import Pool

BUSY_NODE_PER_GPU_TDP: Final = 1.4
"""A busy node draws this many times the rated power of its GPUs. Eight H100 of 700 W: 7.8 kW; measured in
training at most 8.4 kW, rated 10.2 kW (Latif et al., IEEE Access 13, 2025), typically 6.5 to 8.5 kW."""

IDLE_SHARE_OF_BUSY: Final = 0.25
"""An idle node draws this share of a busy one: GPUs at 15 % of their rated power and the rest of the node
at half, which together are 35 % of the GPUs' rated power against 140 % when busy."""


@dataclass(frozen=True, slots=True)
class NodePower:
    """Watts of one node at the plug of the node; ``*_entered`` says that the cluster names the figure."""

    idle_w: float
    busy_w: float
    idle_entered: bool
    busy_entered: bool


def node_power(pool: Pool) -> NodePower | None:
    """The power of a pool's nodes; None when neither it nor its GPU model says what a busy node draws."""
    busy_w = pool.node_busy_w
    if busy_w is None:
        if pool.gpu.tdp_w is None:
            return None
        busy_w = pool.gpu.tdp_w * pool.gpus_per_node * BUSY_NODE_PER_GPU_TDP
    idle_w = pool.node_idle_w if pool.node_idle_w is not None else busy_w * IDLE_SHARE_OF_BUSY
    return NodePower(
        idle_w=idle_w,
        busy_w=max(busy_w, idle_w),
        idle_entered=pool.node_idle_w is not None,
        busy_entered=pool.node_busy_w is not None,
    )


def pool_energy_kwh(pool: Pool, held_gpu_hours: float, hours: float) -> float | None:
    """The energy of a pool's nodes over ``hours``: all idle, plus what held GPUs add; None without power."""
    power = node_power(pool)
    if power is None:
        return None
    busy_node_hours = held_gpu_hours / pool.gpus_per_node
    watt_hours = pool.nodes * power.idle_w * hours + (power.busy_w - power.idle_w) * busy_node_hours
    return watt_hours / 1000
