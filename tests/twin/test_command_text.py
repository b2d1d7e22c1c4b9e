"""Figures in a terminal are short, aligned and have their unit."""

import pytest

from twin.analysis import duration_text
from twin.command_text import count, number, percent, table


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (None, "—"),
        (0, "0 s"),
        (1.5, "1.5 s"),
        (119, "119 s"),
        (120, "2 min"),
        (3600, "1 h"),
        (5400, "1.5 h"),
        (172_800, "2.0 d"),
    ],
)
def test_a_duration_takes_the_unit_that_reads_best(seconds, told):
    assert duration_text(seconds) == told


def test_what_is_missing_is_a_dash_and_never_zero():
    assert (number(None), percent(None)) == ("—", "—")
    assert (number(0.0), number(1234.5), percent(0.256)) == ("0.00", "1,234", "25.6%")


def test_one_is_singular():
    assert (count(1, "job"), count(1200, "job")) == ("1 job", "1,200 jobs")


def test_numbers_end_right_and_names_begin_left():
    told = table(("", "jobs"), [("all", "10"), ("1 GPU", "1,000")]).splitlines()
    assert told == ["          jobs", "  all       10", "  1 GPU  1,000"]
