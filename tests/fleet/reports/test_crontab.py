from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError

from fleet.reports.crontab import crontab_in_words, crontab_schedule, last_due, next_due

BERLIN = ZoneInfo("Europe/Berlin")


def test_the_next_times_keep_the_wall_clock_across_the_change_to_winter_time():
    times = next_due("0 6 * * *", BERLIN, datetime(2026, 10, 23, 12, tzinfo=UTC))
    assert [time.isoformat() for time in times] == [
        "2026-10-24T06:00:00+02:00",
        "2026-10-25T06:00:00+01:00",
        "2026-10-26T06:00:00+01:00",
    ]


def test_weekdays_only_skips_the_weekend():
    times = next_due("0 6 * * 1-5", ZoneInfo("UTC"), datetime(2026, 12, 4, 7, tzinfo=UTC), 1)
    assert times[0].date().isoformat() == "2026-12-07"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("*/15 * * * *", "2026-12-01T12:00:00+01:00"),
        ("30 2 * * *", "2026-12-01T02:30:00+01:00"),
        ("0 6 1 7 *", "2026-07-01T06:00:00+02:00"),
    ],
)
def test_the_last_time_it_was_due_is_found_however_rare(text, last):
    assert last_due(text, BERLIN, datetime(2026, 12, 1, 11, 7, tzinfo=UTC)).isoformat() == last


def test_a_crontab_is_told_in_words():
    assert crontab_in_words("0 6 * * 1-5") == "At 06:00, Monday through Friday"
    assert crontab_in_words("0 18 * * *") == "At 18:00, every day"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0 6 * *", "5 fields"),
        ("61 * * * *", "61"),
        ("0 6 * * nosuchday", "nosuchday"),
        ("0 6 30 2 *", "never occurs"),
    ],
)
def test_a_wrong_crontab_says_what_is_wrong(text, told):
    with pytest.raises(ValidationError, match=told):
        crontab_schedule(text, BERLIN)
