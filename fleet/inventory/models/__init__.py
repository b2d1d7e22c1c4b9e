"""What there is and what there could be: hardware, the places it stands in, and who pays for it."""

from fleet.inventory.models.catalogue import GpuModel, NodeType
from fleet.inventory.models.clusters import CapacityState, Cluster, Pool, PoolCapacity
from fleet.inventory.models.organisation import CostCentre, Team, TeamCostCentre, TeamMember
from fleet.inventory.models.places import Hall, Rack, Row, Site

__all__ = [
    "CapacityState",
    "Cluster",
    "CostCentre",
    "GpuModel",
    "Hall",
    "NodeType",
    "Pool",
    "PoolCapacity",
    "Rack",
    "Row",
    "Site",
    "Team",
    "TeamCostCentre",
    "TeamMember",
]
