"""Typical nodes, from ``catalogue/node_types.csv``: what a pool is usually made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from twin.hardware.cluster import Gpu
from twin.hardware.gpu_catalogue import catalogue, catalogue_rows


@dataclass(frozen=True, slots=True)
class NodeType:
    """One kind of node. ``cpus`` counts what ``cpu_kind`` says (cores, or vCPUs of a cloud); power figures
    are None where not known. ``source`` says where the row is from: "default" marks a stated assumption."""

    name: str
    gpu: Gpu
    gpus_per_node: int
    cpus: int
    cpu_kind: str
    memory_gb: float
    node_idle_w: float | None
    node_busy_w: float | None
    source: str


@cache
def _node_types() -> dict[str, NodeType]:
    gpus = catalogue()
    return {row["name"]: _node_type(row, gpus) for row in catalogue_rows("node_types.csv")}


def node_types() -> dict[str, NodeType]:
    """All known node types by name, in the order of the catalogue."""
    return dict(_node_types())


def _node_type(row: dict[str, str], gpus: dict[str, Gpu]) -> NodeType:
    return NodeType(
        name=row["name"],
        gpu=gpus[row["gpu"]],
        gpus_per_node=int(row["gpus_per_node"]),
        cpus=int(row["cpus"]),
        cpu_kind=row["cpu_kind"],
        memory_gb=float(row["memory_gb"]),
        node_idle_w=float(row["node_idle_w"]) if row["node_idle_w"] else None,
        node_busy_w=float(row["node_busy_w"]) if row["node_busy_w"] else None,
        source=row["source"],
    )
