"""The rules that say why: why a job could never run, why it waits, and why GPUs are idle (rules 8 to 10)."""

from __future__ import annotations

from twin.sched.rules import PACKED, PLACE_COUNT, gang_parts, part_need, rule

# engine.SetAside, engine.WaitReason and engine.Account as plain integers: ``sched`` does not import
# ``engine``, and tests/twin/engine pins these to the enumerations.
NEVER_UNKNOWN_GPU_MODEL, NEVER_TOO_MANY_GPUS, NEVER_SHAPE, NEVER_CPU_OR_MEMORY = 1, 2, 3, 4
WAITS_NOT_ELIGIBLE, WAITS_BEHIND, WAITS_TOO_FEW, WAITS_FRAGMENTED, WAITS_HELD = 0, 1, 2, 3, 4
WAITS_WRONG_GPU_MODEL = 6
IDLE_NO_DEMAND, IDLE_NOT_ELIGIBLE, IDLE_WRONG_GPU_MODEL, IDLE_HELD = 8, 9, 10, 11
IDLE_FRAGMENTED, IDLE_TOO_FEW_FREE = 13, 15
NOBODY_ASKS = 2**62


@rule
def never_fits(
    gpus: int,
    nodes: int,
    gpus_per_node: int,
    cpus: int,
    memory: int,
    placement: int,
    shape: int,
    pool_nodes: int,
    node_gpus: int,
    node_cpus: int,
    node_memory: int,
) -> int:
    """Rule 8, for one pool whose GPU model the job accepts: the test it fails on the empty pool; 0 = it fits.

    ``cpus`` and ``memory`` as ``asked`` of this pool. A job is set aside if it fails on every pool, for
    the largest value over its pools (the furthest test that it reached).
    """
    if gpus > pool_nodes * node_gpus:
        return NEVER_TOO_MANY_GPUS
    if placement == PLACE_COUNT:
        enough = cpus <= pool_nodes * node_cpus and memory <= pool_nodes * node_memory
        return 0 if enough else NEVER_CPU_OR_MEMORY
    if nodes == 0 and shape != PACKED:
        share = node_gpus
        if cpus > 0:
            share = min(share, node_cpus * gpus // cpus)
        if memory > 0:
            share = min(share, node_memory * gpus // memory)
        return 0 if share * pool_nodes >= gpus else NEVER_CPU_OR_MEMORY
    count, each, rest = gang_parts(gpus, nodes, gpus_per_node, node_gpus)
    if each > node_gpus or count + (1 if rest > 0 else 0) > pool_nodes:
        return NEVER_SHAPE
    if part_need(cpus, each, gpus) > node_cpus or part_need(memory, each, gpus) > node_memory:
        return NEVER_CPU_OR_MEMORY
    return 0


@rule
def wait_reason(held: bool, enough_free: bool, enough_elsewhere: bool) -> int:
    """Rule 9: why an examined job did not start.

    ``held``: it would fit on what is free in an accepted pool. ``enough_free``: an accepted pool has its
    GPU count free; ``enough_elsewhere``: a pool has that it does not accept.
    """
    if held:
        return WAITS_HELD
    if enough_free:
        return WAITS_FRAGMENTED
    return WAITS_WRONG_GPU_MODEL if enough_elsewhere else WAITS_TOO_FEW


@rule
def idle_account(
    queued: int, not_yet_eligible: int, smallest_ask: int, smallest_held: int, free_gpus: int
) -> int:
    """Rule 10: the account of a pool's idle GPUs after a pass.

    ``smallest_ask``: fewest GPUs wanted by an examined waiting job that accepts the pool, and
    ``smallest_held``: by one that would fit here and only the reservation refused (NOBODY_ASKS: there is
    none). ``free_gpus``: of the pool, after the pass.
    """
    if queued == 0:
        return IDLE_NO_DEMAND if not_yet_eligible == 0 else IDLE_NOT_ELIGIBLE
    if smallest_ask == NOBODY_ASKS:
        return IDLE_WRONG_GPU_MODEL
    if smallest_held <= free_gpus:
        return IDLE_HELD
    return IDLE_FRAGMENTED if smallest_ask <= free_gpus else IDLE_TOO_FEW_FREE
