"""Hand-drawn situations: every opinion gives the starts and ends, each engine also the why."""

import pytest

from tests.oracle.replay import replay as oracle_replay
from tests.twin.engine.cases import PLAIN_POLICY, twin_case
from tests.twin.engine.engines import both_engines
from tests.twin.engine.situations import SITUATIONS
from twin.engine import Account, SetAside, WaitReason
from twin.workload import MISSING

each_situation = pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.fact)


def answer(replay, situation):
    return replay(*twin_case(situation.jobs, situation.pools, situation.policy, situation.horizon))


def named(row, names):
    """The non-zero entries of a row of figures, by name."""
    return {names(code).name: int(figure) for code, figure in enumerate(row) if figure}


def or_missing(times):
    return [MISSING if time is None else time for time in times]


@each_situation
def test_the_oracle_starts_and_ends_jobs_as_drawn(situation):
    starts, ends, _ = oracle_replay(situation.jobs, situation.pools, PLAIN_POLICY | situation.policy)
    assert (starts, ends) == (situation.starts, situation.ends)


@both_engines
@each_situation
def test_jobs_start_and_end_as_drawn(situation, replay):
    result = answer(replay, situation)
    assert result.start_ms.tolist() == or_missing(situation.starts)
    assert result.end_ms.tolist() == or_missing(situation.ends)


@both_engines
@each_situation
def test_every_gpu_millisecond_is_in_the_account_drawn(situation, replay):
    result = answer(replay, situation)
    assert [named(row, Account) for row in result.ledger_gpu_ms] == situation.ledger


@each_situation
def test_the_drawn_ledger_itself_sums_to_the_capacity(situation):
    for pool, accounts in zip(situation.pools, situation.ledger, strict=True):
        assert sum(accounts.values()) == pool["nodes"] * pool["gpus"] * situation.horizon


@both_engines
@each_situation
def test_every_job_waits_for_the_reasons_drawn(situation, replay):
    result = answer(replay, situation)
    assert [named(row, WaitReason) for row in result.wait_by_reason_ms] == situation.waits


@both_engines
@pytest.mark.parametrize(
    "situation", [one for one in SITUATIONS if one.nodes is not None], ids=lambda one: one.fact
)
def test_gangs_get_the_nodes_and_gpus_drawn(situation, replay):
    result = answer(replay, situation)
    spans = zip(result.node_offset[:-1], result.node_offset[1:], strict=True)
    allocations = [
        sorted(zip(result.node_index[a:b].tolist(), result.gpu_mask[a:b].tolist(), strict=True))
        for a, b in spans
    ]
    assert allocations == situation.nodes


@both_engines
@pytest.mark.parametrize(
    "situation", [one for one in SITUATIONS if one.set_aside is not None], ids=lambda one: one.fact
)
def test_impossible_jobs_are_set_aside_for_the_reason_drawn(situation, replay):
    result = answer(replay, situation)
    assert [SetAside(code).name for code in result.set_aside] == situation.set_aside
