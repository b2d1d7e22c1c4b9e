"""Three opinions, one answer: the oracle and both engines agree job by job on random small worlds."""

import numpy as np
import pytest
from hypothesis import given

from tests.oracle.replay import replay as oracle_replay
from tests.twin.engine.cases import twin_case
from tests.twin.engine.engines import ENGINES
from tests.twin.engine.strategies import crowded_world, crowded_worlds, searched, wide_world, worlds
from twin.engine import Account, SetAside, WaitReason
from twin.sched import Placement
from twin.workload import MISSING

NOT_IN_USE = {  # until disruptions, preemption and slow schedulers are modelled
    Account.SLOWED,
    Account.SAVE_AND_RESTORE,
    Account.ROLLED_BACK_PREEMPTION,
    Account.ROLLED_BACK_FAILURE,
    Account.IDLE_ADVANCE_RESERVATION,
    Account.IDLE_SCHEDULER_DELAY,
    Account.DOWN,
    Account.MAINTENANCE,
}


@searched
@given(world=worlds)
def test_the_oracle_and_both_engines_agree_and_the_books_balance(world):
    check_world(*world)


@searched
@given(world=crowded_worlds)
def test_they_agree_in_crowded_worlds_too(world):
    check_world(*world)


@pytest.mark.parametrize("seed", range(12))
def test_they_agree_where_a_word_of_nodes_or_gpus_is_full(seed):
    check_world(*wide_world(seed))


def test_the_crowded_worlds_reach_every_reason_and_account_in_use():
    """What the search never visits it cannot vouch for."""
    reasons, accounts, fates = set(), set(), set()
    for seed in range(150):
        result = ENGINES["reference"](*twin_case(*crowded_world(seed, jobs=25)))
        reasons |= {WaitReason(code) for code in np.flatnonzero(result.wait_by_reason_ms.any(axis=0))}
        accounts |= {Account(code) for code in np.flatnonzero(result.ledger_gpu_ms.any(axis=0))}
        fates |= {SetAside(code) for code in result.set_aside}
    assert reasons == set(WaitReason) - {WaitReason.QUOTA, WaitReason.DOWN, WaitReason.SCHEDULER_DELAY}
    assert accounts == set(Account) - NOT_IN_USE
    assert fates == set(SetAside)


def check_world(jobs, pools, policy, horizon):
    """All checks at once, since drawing a world costs more than replaying it."""
    case = twin_case(jobs, pools, policy, horizon)
    results = [replay(*case) for replay in ENGINES.values()]
    for result in results:
        check_against_oracle(result, jobs, pools, policy)
        check_ledger_balances(result)
        check_reasons_sum_to_waits(result)
        check_nothing_starts_too_early(result)
        check_no_gpu_is_held_twice(result)
        check_gangs_are_whole(result)
    check_same(*results)


def check_against_oracle(result, jobs, pools, policy):
    answers = [
        [MISSING if value is None else value for value in column]
        for column in oracle_replay(jobs, pools, policy)
    ]
    assert [result.start_ms.tolist(), result.end_ms.tolist(), result.pool.tolist()] == answers


def check_nothing_starts_too_early(result):
    ran = result.start_ms != MISSING
    assert np.array_equal(ran, result.set_aside == SetAside.NO)
    assert np.all(result.start_ms[ran] >= result.jobs.eligible_ms[ran])
    assert np.all(result.end_ms[ran] > result.start_ms[ran])


def check_ledger_balances(result):
    capacity = [pool.gpus * result.horizon_ms for pool in result.cluster.pools]
    assert result.ledger_gpu_ms.sum(axis=1).tolist() == capacity
    assert result.ledger_gpu_ms.min() >= 0


def check_reasons_sum_to_waits(result):
    ran = result.start_ms != MISSING
    reasons = result.wait_by_reason_ms
    assert np.array_equal(reasons.sum(axis=1)[ran], (result.start_ms - result.jobs.submit_ms)[ran])
    held_back = reasons[:, WaitReason.NOT_YET_ELIGIBLE]
    assert np.array_equal(held_back[ran], (result.jobs.eligible_ms - result.jobs.submit_ms)[ran])
    assert not reasons[~ran].any()
    assert reasons.min(initial=0) >= 0


def allocation(result, row):
    """[(node, mask)] of a job, nodes numbered through all pools."""
    span = slice(result.node_offset[row], result.node_offset[row + 1])
    return list(zip(result.node_index[span].tolist(), result.gpu_mask[span].tolist(), strict=True))


def check_no_gpu_is_held_twice(result):
    """At each start, the GPUs of all running jobs are distinct and, pool by pool, no more than there are."""
    for now in set(result.start_ms.tolist()) - {MISSING}:
        running = np.flatnonzero((result.start_ms <= now) & (now < result.end_ms))
        for number, pool in enumerate(result.cluster.pools):
            inside = running[result.pool[running] == number]
            assert result.jobs.gpus[inside].sum() <= pool.gpus
        held: dict[int, int] = {}
        for row in running:
            for node, mask in allocation(result, row):
                assert held.get(node, 0) & mask == 0
                held[node] = held.get(node, 0) | mask


def check_gangs_are_whole(result):
    """Every GPU a job asked for, in one pool, in the shape it asked for; nothing for those set aside."""
    firsts = np.cumsum([0] + [pool.nodes for pool in result.cluster.pools])
    for row in range(len(result.jobs)):
        parts = allocation(result, row)
        if result.policy.placement is Placement.COUNT or result.start_ms[row] == MISSING:
            assert parts == []
            continue
        counts = [mask.bit_count() for _, mask in parts]
        nodes = [node for node, _ in parts]
        pool = result.pool[row]
        assert sum(counts) == result.jobs.gpus[row]
        assert len(set(nodes)) == len(nodes)
        assert all(firsts[pool] <= node < firsts[pool + 1] for node in nodes)
        assert all(mask < 1 << result.cluster.pools[pool].gpus_per_node for _, mask in parts)
        if result.jobs.nodes[row] or result.jobs.gpus_per_node[row]:
            assert len(set(counts)) == 1
            assert int(result.jobs.nodes[row]) in (0, len(counts))
            assert int(result.jobs.gpus_per_node[row]) in (0, counts[0])


def check_same(one, other):
    columns = ("start_ms", "end_ms", "pool", "state", "set_aside", "wait_by_reason_ms", "ledger_gpu_ms")
    for name in columns:
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    for row in range(len(one.jobs)):
        assert sorted(allocation(one, row)) == sorted(allocation(other, row)), row
    assert one.horizon_ms == other.horizon_ms
    for name in ("events", "queue_area_job_ms"):
        assert getattr(one.counters, name) == getattr(other.counters, name), name
