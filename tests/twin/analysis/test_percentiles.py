"""Percentiles are nearest rank and shown only with enough jobs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.analysis import NEVER_MS, enough_jobs, nearest_ranks, share_interval


@pytest.mark.parametrize(("percent", "needed"), [(50, 20), (95, 200), (99, 1000)])
def test_a_percentile_needs_ten_jobs_beyond_it(percent, needed):
    assert enough_jobs(percent, needed)
    assert not enough_jobs(percent, needed - 1)


def test_nearest_rank_takes_a_value_that_occurred():
    values = np.arange(1, 201, dtype=np.int64)[::-1].copy()
    assert nearest_ranks(values, (50, 95, 99)) == (100, 190, None)


def test_what_never_ends_ranks_last():
    values = np.arange(1, 181, dtype=np.int64)
    assert nearest_ranks(values, (50, 95), never=20) == (100, NEVER_MS)
    assert nearest_ranks(np.zeros(0, dtype=np.int64), (50,), never=20) == (NEVER_MS,)


@given(st.lists(st.integers(0, 10**12), min_size=20, max_size=300))
def test_nearest_rank_equals_the_definition(values):
    median = sorted(values)[-(-len(values) // 2) - 1]
    assert nearest_ranks(np.array(values, dtype=np.int64), (50,)) == (median,)


def test_an_interval_of_a_share_matches_wilsons_published_form():
    # 81 of 263: Wilson 95 % gives 0.2553 to 0.3662 (Newcombe, Statistics in Medicine 17, 1998, table I).
    low, high = share_interval(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_an_interval_of_none_or_all_touches_the_end():
    assert share_interval(0, 20)[0] == 0.0
    assert share_interval(20, 20)[1] == 1.0
    assert share_interval(0, 0) is None
