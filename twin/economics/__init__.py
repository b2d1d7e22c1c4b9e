"""Cost and energy of a replayed cluster, and what they rest on."""

from twin.economics.assumptions import (
    Assumption,
    Tag,
    assumptions,
    by_influence,
    cluster_assumptions,
    wait_assumptions,
)
from twin.economics.cost import HOURS_PER_YEAR, Cost, Missing, PoolCost, cost, cost_of
from twin.economics.power import NodePower, node_power

__all__ = [
    "HOURS_PER_YEAR",
    "Assumption",
    "Cost",
    "Missing",
    "NodePower",
    "PoolCost",
    "Tag",
    "assumptions",
    "by_influence",
    "cluster_assumptions",
    "cost",
    "cost_of",
    "node_power",
    "wait_assumptions",
]
