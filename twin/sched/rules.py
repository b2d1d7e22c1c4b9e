"""The rules of a replay that both engines share, each written once as a pure function of integers.

They run as plain Python in the SimPy engine and are compiled into the other one (``rule`` marks them as
callable from numba). Numbers of the rules refer to docs/design/main-job.md. Times are milliseconds,
memory is MB, GPUs are whole; policies enter as the integer codes below. No float decides anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from numba.extending import register_jitable

from twin.sched.policy import Backfill, Order, PassMode, Placement, Policy, Shape

ORDER_FIFO, ORDER_PRIORITY, ORDER_SJF = 0, 1, 2
STRICT, FIRST_FIT_WALK, EASY = 0, 1, 2
PLACE_COUNT, PLACE_FIRST_FIT, PLACE_BEST_FIT, PLACE_WORST_FIT = 0, 1, 2, 3
PACKED, SCATTER = 0, 1
PASS_INSTANT, PASS_EVENT = 0, 1

ORDER_CODE = {Order.FIFO: ORDER_FIFO, Order.PRIORITY: ORDER_PRIORITY, Order.SJF: ORDER_SJF}
BACKFILL_CODE = {Backfill.STRICT: STRICT, Backfill.FIRST_FIT: FIRST_FIT_WALK, Backfill.EASY: EASY}
PLACEMENT_CODE = {
    Placement.COUNT: PLACE_COUNT,
    Placement.FIRST_FIT: PLACE_FIRST_FIT,
    Placement.BEST_FIT: PLACE_BEST_FIT,
    Placement.WORST_FIT: PLACE_WORST_FIT,
}
SHAPE_CODE = {Shape.PACKED: PACKED, Shape.SCATTER: SCATTER}
PASS_CODE = {PassMode.INSTANT: PASS_INSTANT, PassMode.EVENT: PASS_EVENT}

PPM = 1_000_000
NO_DEPTH_LIMIT = 2**62
MB_PER_GB = 1024

_FIXED_HOLD, _CUT_AT_LIMIT = 1, 2  # workload.MovesAs
_COMPLETED, _CANCELLED, _FAILED, _TIMED_OUT = 1, 2, 3, 4  # workload.EndState

Function = TypeVar("Function", bound=Callable[..., object])


def rule(function: Function) -> Function:
    """Mark a pure function as one that compiled code may call; in Python it stays what it is."""
    return register_jitable(no_cfunc_wrapper=True, no_cpython_wrapper=True)(function)


def depth_limit(policy: Policy) -> int:
    """Jobs examined past the first that does not fit, as a number (strict: none)."""
    if policy.backfill is Backfill.STRICT:
        return 0
    return NO_DEPTH_LIMIT if policy.backfill_depth is None else policy.backfill_depth


def speed_ppm(speed: float) -> int:
    """A pool's speed in parts per million, at least 1 (rule 2)."""
    return max(1, round(speed * PPM))


def node_memory_mb(memory_gb: float) -> int:
    """A node's memory in MB; 0 = not given = unlimited."""
    return round(memory_gb * MB_PER_GB)


# --- rules 1 to 3: order, run length, estimate ----------------------------------------------------


@rule
def order_key(order: int, priority: int, run_ms: int, limit_ms: int) -> int:
    """Rule 1: smaller goes first; ties by submit, then row."""
    if order == ORDER_PRIORITY:
        return -priority
    if order == ORDER_SJF:
        return limit_ms if limit_ms > 0 else run_ms
    return 0


@rule
def run_length_ms(moves_as: int, run_ms: int, limit_ms: int, speed: int) -> int:
    """Rule 2: how long the job runs on a pool of this speed (ppm) if no limit ends it.

    ``ceil(run_ms * 10**6 / speed)`` with the product split, so that it stays inside 64 bits.
    """
    if moves_as == _FIXED_HOLD:
        return run_ms
    if moves_as == _CUT_AT_LIMIT:
        return limit_ms if limit_ms > 0 else run_ms
    whole, rest = run_ms // speed, run_ms % speed
    return max(1, whole * PPM + (rest * PPM + speed - 1) // speed)


@rule
def cut_by_limit(length_ms: int, limit_ms: int, enforce_limits: bool) -> bool:
    """Rule 2: whether the limit ends the job (TIMED_OUT) before its run length does."""
    return enforce_limits and 0 < limit_ms < length_ms


@rule
def times_out(moves_as: int, is_cut: bool) -> bool:
    """Rule 2: a job moving as "cut at limit" times out wherever it runs, limits enforced or not."""
    return is_cut or moves_as == _CUT_AT_LIMIT


@rule
def end_state(recorded_state: int, timed_out: bool) -> int:
    """Rule 2: ``EndState`` of the attempt; what the trace does not know counts as completed."""
    if timed_out:
        return _TIMED_OUT
    if recorded_state in (_CANCELLED, _FAILED, _TIMED_OUT):
        return recorded_state
    return _COMPLETED


@rule
def estimate_ms(length_ms: int, limit_ms: int) -> int:
    """Rule 3: how long the scheduler thinks that the job runs, once started."""
    return limit_ms if limit_ms > 0 else length_ms


@rule
def expected_release_ms(estimated_end_ms: int, now_ms: int) -> int:
    """Rule 3: when a running job is thought to end; one at or past its estimate, in the next ms."""
    return max(estimated_end_ms, now_ms + 1)


# --- rule 6: fitting and choosing nodes ------------------------------------------------------------


@rule
def asked(amount: int, node_capacity: int) -> int:
    """What a job's CPUs or memory count for in a pool: nothing where the pool does not say what it has."""
    return amount if node_capacity > 0 else 0


@rule
def part_need(amount: int, part_gpus: int, gpus: int) -> int:
    """A part's share of the job's CPUs or memory: in proportion to GPUs, rounded up."""
    return (amount * part_gpus + gpus - 1) // gpus


@rule
def given_shape(gpus: int, nodes: int, gpus_per_node: int) -> tuple[int, int]:
    """``(nodes, gpus_per_node)`` as given, the missing one derived; (0, 0) where neither is given."""
    if nodes > 0 and gpus_per_node == 0:
        return nodes, gpus // nodes
    if gpus_per_node > 0 and nodes == 0:
        return gpus // gpus_per_node, gpus_per_node
    return nodes, gpus_per_node


@rule
def gang_parts(gpus: int, nodes: int, gpus_per_node: int, node_gpus: int) -> tuple[int, int, int]:
    """``(count, each, rest)``: so many distinct nodes giving ``each`` GPUs, one more giving ``rest``.

    Given ``nodes`` and ``gpus_per_node``: exactly these. Else packed: one node up to its GPUs; beyond,
    wholly idle nodes and one for the rest. A node with ``node_gpus`` free is wholly idle, so all those
    candidates have equally many free and every placement takes the lowest index first.
    """
    if nodes > 0:
        return nodes, gpus_per_node, 0
    if gpus <= node_gpus:
        return 1, gpus, 0
    return gpus // node_gpus, node_gpus, gpus % node_gpus


@rule
def node_can_take(
    free_gpus: int, free_cpus: int, free_memory: int, need_gpus: int, need_cpus: int, need_memory: int
) -> bool:
    return free_gpus >= need_gpus and free_cpus >= need_cpus and free_memory >= need_memory


@rule
def node_rank(placement: int, free_gpus: int) -> int:
    """Among nodes that can take a part, the smallest rank is chosen; ties by node index."""
    if placement == PLACE_BEST_FIT:
        return free_gpus
    if placement == PLACE_WORST_FIT:
        return -free_gpus
    return 0


@rule
def scatter_share(
    free_gpus: int, free_cpus: int, free_memory: int, wanted: int, gpus: int, cpus: int, memory: int
) -> int:
    """Shape scatter: GPUs that a node gives to a job that still wants ``wanted`` of its ``gpus``.

    The largest c with ``part_need(cpus, c, gpus) <= free_cpus`` is ``free_cpus * gpus // cpus``.
    """
    share = min(free_gpus, wanted)
    if cpus > 0:
        share = min(share, free_cpus * gpus // cpus)
    if memory > 0:
        share = min(share, free_memory * gpus // memory)
    return share


# --- rule 7: EASY ------------------------------------------------------------------------------------


@rule
def ends_by_shadow(now_ms: int, estimate_ms: int, shadow_ms: int) -> bool:
    """Whether a job started now is off its GPUs, by its estimate, when the reservation begins."""
    return now_ms + estimate_ms <= shadow_ms


@rule
def open_to_long_jobs(free: int, at_shadow: int, reserved: int) -> int:
    """What a job that outlasts the shadow may use of a node: ``min(free, extra)``."""
    return min(free, at_shadow - reserved)
