"""What ``cluster.yaml`` may hold, told under the import form. A test holds it to what the reader accepts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AcceptedField:
    """One key of the file."""

    name: str
    needed: bool
    meaning: str


ACCEPTED_FIELDS = (
    AcceptedField("name", True, "name of the cluster"),
    AcceptedField("economy.currency", False, "three letters; USD if not given"),
    AcceptedField("economy.amortisation_years", False, "years over which prices are spread; 4 if not given"),
    AcceptedField("economy.electricity_per_kwh", False, "in the currency; without it its cost is —"),
    AcceptedField("economy.pue", False, "power of the site ÷ power of the machines; 1.3 if not given"),
    AcceptedField("pools[].name", True, "name of the pool, once in the cluster"),
    AcceptedField("pools[].nodes", True, "number of equal nodes"),
    AcceptedField(
        "pools[].gpu", True, "a GPU model of the catalogue, or a mapping of its figures (name, memory_gb …)"
    ),
    AcceptedField("pools[].gpus_per_node", True, "1 to 64"),
    AcceptedField("pools[].cpus", False, "CPUs a node; unlimited if not given"),
    AcceptedField("pools[].memory_gb", False, "memory a node, GB; unlimited if not given"),
    AcceptedField("pools[].nodes_per_rack", False, "nodes in one rack"),
    AcceptedField(
        "pools[].speed", False, "of fixed work, relative to the hardware of the trace; 1 if not given"
    ),
    AcceptedField("pools[].node_price", False, "price of one node, in the currency"),
    AcceptedField("pools[].rent_per_gpu_hour", False, "used instead of the price"),
    AcceptedField("pools[].node_idle_w", False, "power of an idle node, W"),
    AcceptedField("pools[].node_busy_w", False, "power of a busy node, W"),
)

EXAMPLE = """\
name: two-pools
economy:
  currency: EUR
  electricity_per_kwh: 0.20
pools:
  - name: a100
    nodes: 32
    gpu: A100-SXM-80GB
    gpus_per_node: 8
    cpus: 128
    memory_gb: 2048
    node_price: 150000
  - name: l40s
    nodes: 16
    gpu: L40S
    gpus_per_node: 4
    rent_per_gpu_hour: 1.2
"""
