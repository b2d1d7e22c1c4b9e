"""What nodes draw, idle and busy, and the energy of a replay.

Where the cluster does not say, a node draws a multiple of the rated power (TDP) of its GPUs. The parts:

- a GPU that nobody holds draws 16 % of its rated power: 64 W of 400 W, the mean of the lowest 30 % of samples
  in both of Acme's A100 clusters (Hu et al., NSDI 2024, published distributions of GPU power);
- a GPU that a job holds draws 60 % in the mean: 214 to 242 W of 400 W, the mean of all other samples there;
- the rest of the node (CPUs, memory, network, fans, losses) draws 50 %: eight H100 near full use made 8.4 kW
  with 5.6 kW of rated GPU power (Latif et al., IEEE Access 13, 2025); half of that when idle, assumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from twin.hardware.cluster import Pool

BUSY_NODE_PER_GPU_TDP: Final = 0.60 + 0.50
IDLE_NODE_PER_GPU_TDP: Final = 0.16 + 0.25
IDLE_SHARE_OF_BUSY: Final = IDLE_NODE_PER_GPU_TDP / BUSY_NODE_PER_GPU_TDP
"""Of a node whose busy power is given and whose idle power is not."""


@dataclass(frozen=True, slots=True)
class NodePower:
    """Watts of one node at the plug of the node, with no GPU held and with all of them held; ``*_entered``
    says that the cluster names the figure."""

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
