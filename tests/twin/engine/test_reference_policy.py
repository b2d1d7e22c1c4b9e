"""A user's own policy, written in plain Python, runs in the reference engine."""

import doctest
import random

import pytest

from tests.twin.engine.cases import twin_case
from tests.twin.engine.situation import job, pool
from twin.engine import Progress, ReplayCancelled, reference_policy
from twin.engine.reference import simulate_reference
from twin.engine.reference_policy import ReferencePolicy


class SmallestFirst(ReferencePolicy):
    def order_key(self, job):
        return job.gpus


class LastNodeFirst(ReferencePolicy):
    def node_rank(self, job, node, free_gpus):
        return -node


def replay_with(policy_class, pools, jobs, **named):
    rows, cluster, policy, options = twin_case(jobs, pools, named)
    return simulate_reference(rows, cluster, policy_class(policy), options)


def test_the_documented_example_is_true():
    outcome = doctest.testmod(reference_policy)
    assert (outcome.failed, outcome.attempted > 0) == (0, True)


def test_a_users_order_key_decides_who_goes_first():
    jobs = [job(0, 10, 4), job(1, 10, 4), job(2, 10, 2), job(3, 10, 1)]
    result = replay_with(SmallestFirst, [pool(1, 4)], jobs)
    assert result.start_ms.tolist() == [0, 20, 10, 10]


def test_a_users_node_rank_decides_where_a_job_goes():
    result = replay_with(LastNodeFirst, [pool(3, 4)], [job(0, 10, 1), job(0, 10, 4)])
    assert result.node_index.tolist() == [2, 1]


def test_a_policy_that_overrides_nothing_answers_as_the_named_one():
    source = random.Random(5)
    jobs = [job(source.randrange(20), source.randrange(1, 9), source.randrange(1, 9)) for _ in range(40)]
    case = twin_case(jobs, [pool(2, 4), pool(1, 8)], {"order": "sjf"})
    named = simulate_reference(*case)
    overriding_nothing = replay_with(ReferencePolicy, [pool(2, 4), pool(1, 8)], jobs, order="sjf")
    assert named.start_ms.tolist() == overriding_nothing.start_ms.tolist()


def test_progress_is_told_and_its_answer_cancels_the_replay():
    jobs = [job(start, 2, 1) for start in range(1000)]
    told: list[Progress] = []

    def stop_late(progress):
        told.append(progress)
        return progress.finished_jobs < 300

    with pytest.raises(ReplayCancelled):
        simulate_reference(*twin_case(jobs, [pool(1, 4)], {}), on_progress=stop_late)
    assert told[0].total_jobs == 1000
    assert told[0].finished_jobs < 300 <= told[-1].finished_jobs < 1000
