"""A cluster: pools of equal nodes, in file order."""

from __future__ import annotations

from dataclasses import dataclass

MAX_GPUS_PER_NODE = 64  # an allocation is a node and a 64-bit mask of its GPUs


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU model with the figures that cost, power and speed need; None = not known."""

    name: str
    vendor: str = ""
    memory_gb: float | None = None
    memory_bandwidth_gbps: float | None = None
    bf16_tflops_dense: float | None = None
    fp8_tflops_dense: float | None = None
    link_gbps: float | None = None  # scale-up link, one direction, per GPU
    tdp_w: float | None = None
    mig_max_instances: int = 0
    source: str = ""
    fp16_tflops_dense: float | None = None
    architecture: str = ""
    launch_year: int | None = None
    confidence: str = ""  # how sure the figures are, and what is doubtful about them


@dataclass(frozen=True, slots=True)
class Pool:
    """``nodes`` equal nodes. Zero CPUs or memory means "not given", treated as unlimited."""

    name: str
    nodes: int
    gpu: Gpu
    gpus_per_node: int
    cpus: int = 0
    memory_gb: float = 0.0
    nodes_per_rack: int = 0
    speed: float = 1.0  # of fixed work on this pool, relative to the hardware the trace ran on
    node_price: float | None = None  # capital for one node, in the cluster's currency
    rent_per_gpu_hour: float | None = None  # used instead of capital where given
    node_idle_w: float | None = None  # default: a stated share of the GPUs' TDP
    node_busy_w: float | None = None

    @property
    def gpus(self) -> int:
        return self.nodes * self.gpus_per_node


@dataclass(frozen=True, slots=True)
class Economy:
    """What a cluster's running costs depend on."""

    currency: str = "USD"
    amortisation_years: float = 4.0
    electricity_per_kwh: float | None = None
    pue: float = 1.3


@dataclass(frozen=True, slots=True)
class Cluster:
    name: str
    pools: tuple[Pool, ...]
    economy: Economy = Economy()

    @property
    def gpus(self) -> int:
        return sum(pool.gpus for pool in self.pools)
