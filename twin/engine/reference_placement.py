"""Where a gang fits in a pool: the reference engine's search, node by node, with no index (rule 6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from twin.engine.reference_policy import ReferencePolicy, WaitingJob
from twin.hardware.cluster import Cluster, Pool
from twin.sched import rules
from twin.sched.policy import Placement, Policy, Shape


class Node(NamedTuple):
    """What a node has, has free, or gives to a part of a gang."""

    gpus: int
    cpus: int
    memory_mb: int


Nodes = list[Node]
"""One entry a node of a pool."""

Parts = dict[int, Node]
"""What a gang takes in one pool: node number in the pool to the amounts on that node."""


@dataclass(frozen=True, slots=True)
class Place:
    """A pool as the placement sees it; under ``placement: count`` it has one node, the whole pool."""

    number: int
    gpu_model: str
    nodes: int
    node: Node
    first_node: int  # of this pool, numbered through all pools
    speed_ppm: int

    def empty(self) -> Nodes:
        """The free amounts while nothing runs."""
        return [self.node] * self.nodes


def places(cluster: Cluster, policy: Policy) -> list[Place]:
    """The cluster's pools in file order."""
    firsts = [sum(pool.nodes for pool in cluster.pools[:number]) for number in range(len(cluster.pools))]
    counting = policy.placement is Placement.COUNT
    return [
        _place(number, pool, firsts[number], pool.nodes if counting else 1)
        for number, pool in enumerate(cluster.pools)
    ]


def _place(number: int, pool: Pool, first_node: int, bundle: int) -> Place:
    memory_mb = rules.node_memory_mb(pool.memory_gb)
    return Place(
        number=number,
        gpu_model=pool.gpu.name,
        nodes=pool.nodes // bundle if bundle else 0,
        node=Node(pool.gpus_per_node * bundle, pool.cpus * bundle, memory_mb * bundle),
        first_node=first_node,
        speed_ppm=rules.speed_ppm(pool.speed),
    )


def part_of(job: WaitingJob, gpus: int, place: Place) -> Node:
    """What ``gpus`` of a job's GPUs take on their node; CPUs and memory only where the pool states them."""
    cpus = rules.asked(job.cpus, place.node.cpus)
    memory_mb = rules.asked(job.memory_mb, place.node.memory_mb)
    return Node(gpus, rules.part_need(cpus, gpus, job.gpus), rules.part_need(memory_mb, gpus, job.gpus))


def take(free: Nodes, parts: Parts) -> None:
    """Take ``parts`` out of the free amounts, in place."""
    for node, part in parts.items():
        have = free[node]
        free[node] = Node(have.gpus - part.gpus, have.cpus - part.cpus, have.memory_mb - part.memory_mb)


def give_back(free: Nodes, parts: Parts) -> None:
    """Add ``parts`` to the free amounts, in place."""
    for node, part in parts.items():
        have = free[node]
        free[node] = Node(have.gpus + part.gpus, have.cpus + part.cpus, have.memory_mb + part.memory_mb)


def free_nodes(place: Place, occupants: Iterable[Parts]) -> Nodes:
    """The free amounts of a pool while ``occupants`` run in it."""
    free = place.empty()
    for parts in occupants:
        take(free, parts)
    return free


def free_gpus(free: Nodes) -> int:
    """GPUs free in a pool, wherever they are."""
    return sum(map(itemgetter(0), free))


def fit(job: WaitingJob, place: Place, free: Nodes, policy: ReferencePolicy) -> Parts | None:
    """The parts of the whole gang on ``free`` nodes, or None if it does not fit as a whole."""
    counting = policy.policy.placement is Placement.COUNT
    nodes, each = (0, 0) if counting else (job.nodes, job.gpus_per_node)
    if policy.policy.shape is Shape.SCATTER and nodes == 0 and not counting:
        return _scattered(job, place, free, policy)
    count, each, rest = rules.gang_parts(job.gpus, nodes, each, place.node.gpus)
    chosen = _equal_parts(job, place, free, policy, count, each, but=())
    if chosen is None or rest == 0:
        return chosen
    last = _equal_parts(job, place, free, policy, 1, rest, but=chosen)
    return None if last is None else chosen | last


def _equal_parts(
    job: WaitingJob,
    place: Place,
    free: Nodes,
    policy: ReferencePolicy,
    count: int,
    gpus: int,
    but: Collection[int],
) -> Parts | None:
    """``count`` distinct nodes that give ``gpus`` GPUs each."""
    part = part_of(job, gpus, place)
    able = [
        node
        for node, amounts in enumerate(free)
        if amounts.gpus >= gpus and rules.node_can_take(*amounts, *part) and node not in but
    ]
    if len(able) < count:
        return None
    return dict.fromkeys(_preferred(job, able, free, policy)[:count], part)


def _scattered(job: WaitingJob, place: Place, free: Nodes, policy: ReferencePolicy) -> Parts | None:
    """Each node in turn gives as many GPUs as it has free and its CPUs and memory carry."""
    whole = part_of(job, job.gpus, place)
    parts: Parts = {}
    wanted = job.gpus
    for node in _preferred(job, range(len(free)), free, policy):
        gpus = rules.scatter_share(*free[node], wanted, job.gpus, whole.cpus, whole.memory_mb)
        if gpus > 0:
            parts[node] = part_of(job, gpus, place)
            wanted -= gpus
    return parts if wanted == 0 else None


def _preferred(job: WaitingJob, nodes: Sequence[int], free: Nodes, policy: ReferencePolicy) -> list[int]:
    return sorted(nodes, key=lambda node: (policy.node_rank(job, node, free[node].gpus), node))
