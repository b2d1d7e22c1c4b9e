"""What a comparison says in sentences."""

from __future__ import annotations

import re

import pytest

from fleet.planning.comparison import CompareQuery, comparison_of
from fleet.planning.comparison.findings import findings_of
from fleet.planning.selectors.overview import overview_of
from fleet.planning.selectors.studies import scenarios_of
from tests.fleet.planning.conftest import execute, runs_of

pytestmark = pytest.mark.django_db


def told_of(study, query: CompareQuery | None = None) -> tuple[str, ...]:
    return findings_of(comparison_of(study, scenarios_of(study), query or CompareQuery()))


def test_nothing_is_said_before_the_baseline_has_an_answer(study):
    assert told_of(study) == ()


def test_each_scenario_says_its_service_and_what_it_costs_more(finished_study):
    baseline, candidate = told_of(finished_study)[:2]
    assert re.fullmatch(
        r"A now: [\d.]+ % of the jobs started within their target, for [\d.]+ k USD a year\.", baseline
    )
    # A second node of 100,000 USD over four years, and its electricity: twice the cost.
    assert re.fullmatch(
        r"B twice: [\d.]+ % of the jobs .* \(\+[\d.]+ points\), for \+2[5-9]\.\d k USD a year \(\+\d+ %\)\.",
        candidate,
    )


def test_the_size_that_the_baseline_serves_worst_is_told_in_every_scenario(finished_study):
    told = next(sentence for sentence in told_of(finished_study) if "worst" in sentence)
    assert " on A" in told
    assert " on B" in told


def test_the_largest_loss_and_the_backlog_close_it(finished_study):
    assert any("did no work was" in sentence for sentence in told_of(finished_study))


def test_a_chosen_size_is_not_told_twice(finished_study):
    chosen = told_of(finished_study, CompareQuery(size="1"))
    assert not any("worst" in sentence for sentence in chosen)


def test_the_overview_leads_with_a_persons_own_study_before_the_demo(make_study, workspace):
    own, demo = make_study(name="mine"), make_study(name="the demo", is_demo=True)
    for study in (own, demo):
        execute(runs_of(study))
    assert overview_of(workspace).leading.study == own
    own.delete()
    assert overview_of(workspace).leading.study == demo
