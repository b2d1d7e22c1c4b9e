"""Intervals over seeds, units of a row, and when something may be called best."""

from __future__ import annotations

import math

import pytest

from fleet.planning.comparison.cells import best_position, delta_of
from fleet.planning.comparison.metrics import BY_KEY
from fleet.planning.comparison.statistics import Estimate, estimate, paired
from fleet.planning.comparison.units import scale_for

WAIT = BY_KEY["wait_p95"]
SHARE = BY_KEY["share_within_target"]
LOAD = BY_KEY["offered_load"]


def seeded(*values: float) -> dict[int, float]:
    """Values of seeds 0, 1, 2, …"""
    return dict(enumerate(values))


class TestEstimate:
    def test_the_interval_is_students_t(self):
        found = estimate([1.0, 2.0, 3.0])
        assert found.mean == 2.0
        assert found.half == pytest.approx(4.303 / math.sqrt(3), rel=1e-6)

    def test_one_replay_has_no_interval(self):
        assert estimate([5.0]) == Estimate(5.0, None, 1)

    def test_a_missing_replication_makes_the_mean_missing(self):
        assert estimate([1.0, None]) is None

    def test_paired_differences_cancel_what_the_seeds_share(self):
        found = paired({0: 11.0, 1: 101.0, 2: 51.0}, {0: 10.0, 1: 100.0, 2: 50.0})
        assert (found.mean, found.half) == (1.0, 0.0)
        assert found.excludes_zero

    def test_a_single_difference_never_excludes_zero(self):
        assert not paired({0: 2.0}, {0: 1.0}).excludes_zero

    def test_seeds_that_only_one_has_are_left_out(self):
        assert paired({0: 2.0, 1: 9.0}, {0: 1.0, 5: 7.0}) == Estimate(1.0, None, 1)
        assert paired({0: 2.0}, {1: 1.0}) is None


class TestBest:
    def test_lower_waits_are_best_when_every_paired_interval_excludes_zero(self):
        assert best_position(WAIT, {0: seeded(10.0, 20.0, 30.0), 1: seeded(5.0, 14.0, 26.0)}) == 1

    def test_nothing_is_best_when_one_interval_holds_zero(self):
        values = {0: seeded(10.0, 20.0, 30.0), 1: seeded(5.0, 25.0, 26.0), 2: seeded(50.0, 60.0, 70.0)}
        assert best_position(WAIT, values) is None

    def test_nothing_is_best_among_single_replays(self):
        assert best_position(WAIT, {0: {0: 10.0}, 1: {0: 5.0}}) is None

    def test_nothing_is_best_where_neither_way_is_better(self):
        assert best_position(LOAD, {0: seeded(1.0, 1.1), 1: seeded(0.5, 0.6)}) is None


class TestWords:
    def test_times_of_a_row_share_a_unit(self):
        scale = scale_for(WAIT, [7_200.0, 36_000.0])
        assert (scale.unit, scale.text(7_200.0), scale.text(36_000.0)) == ("h", "2.0", "10.0")

    def test_times_far_apart_carry_their_own(self):
        scale = scale_for(WAIT, [5.0, 90_000.0])
        assert (scale.unit, scale.text(5.0), scale.text(90_000.0)) == ("", "5.0 s", "25 h")

    def test_a_missing_value_is_a_dash_and_never_zero(self):
        assert scale_for(WAIT, []).text(None) == "—"

    @pytest.mark.parametrize(
        ("metric", "value", "base", "text", "tone"),
        [
            (WAIT, 3_600.0, 7_200.0, "+1.00 (+50 %)", "worse"),
            (WAIT, -360.0, 7_200.0, "−0.10 (−5.0 %)", "better"),
            (SHARE, 0.051, 0.9, "+5.1 points", "better"),
            (LOAD, -0.2, 0.8, "−20.0 points", ""),
            (WAIT, 0.0, 7_200.0, "0", ""),
            (WAIT, 7_200.0, 10.0, "+2.00", "worse"),
        ],
    )
    def test_a_difference_has_sign_size_and_share(self, metric, value, base, text, tone):
        found = delta_of(metric, scale_for(metric, [7_200.0]), Estimate(value, None, 1), base, drawn=False)
        assert (found.text, found.tone) == (text, tone)

    def test_an_uncertain_difference_is_neither_better_nor_worse(self):
        found = delta_of(
            WAIT, scale_for(WAIT, [7_200.0]), Estimate(-3_600.0, 9_000.0, 3), 7_200.0, drawn=True
        )
        assert (found.direction, found.tone) == ("down", "")
