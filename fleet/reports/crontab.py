"""Crontab texts ("30 6 * * 1-5"): checking, telling in words, and the next times they are due."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from celery.schedules import ParseException
from cron_descriptor import Options, get_description
from django.core.exceptions import ValidationError
from django_celery_beat.tzcrontab import TzAwareCrontab

LOOK_BACK = (timedelta(hours=1), timedelta(days=1), timedelta(days=31), timedelta(days=366))
FIELDS = ("minute", "hour", "day_of_month", "month_of_year", "day_of_week")


def crontab_fields(text: str) -> dict[str, str]:
    """The five fields by name; ``ValidationError`` where there are not five."""
    parts = text.split()
    if len(parts) != len(FIELDS):
        raise ValidationError(
            f"A crontab has 5 fields (minute hour day-of-month month day-of-week), this has {len(parts)}. "
            'Example: "0 6 * * *" is every day at 6:00.'
        )
    return dict(zip(FIELDS, parts, strict=True))


def crontab_schedule(text: str, zone: ZoneInfo) -> TzAwareCrontab:
    """The schedule of a crontab text in a time zone; ``ValidationError`` says what is wrong with it."""
    try:
        return TzAwareCrontab(**crontab_fields(text), tz=zone)
    except (ParseException, ValueError) as error:
        raise ValidationError(f"This crontab cannot be read: {str(error).rstrip('.')}.") from error


def next_due(text: str, zone: ZoneInfo, after: datetime, count: int = 3) -> list[datetime]:
    """The next ``count`` times after an instant, in the zone (right across a change of its clock)."""
    schedule = crontab_schedule(text, zone)
    times: list[datetime] = []
    moment = after.astimezone(zone)
    for _ in range(count):
        try:
            start, step, _now = schedule.remaining_delta(moment, tz=zone)
        except (RuntimeError, ValueError) as error:
            raise ValidationError("This crontab never comes due: no such date exists.") from error
        moment = (start + step).replace(microsecond=0)
        times.append(moment)
    return times


def last_due(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """The latest time at or before ``now`` at which it was due; ``now`` where there is none in a year."""
    for span in LOOK_BACK:
        due = None
        (upcoming,) = next_due(text, zone, now - span, 1)
        while upcoming <= now:
            due = upcoming
            (upcoming,) = next_due(text, zone, upcoming, 1)
        if due is not None:
            return due
    return now


def crontab_in_words(text: str) -> str:
    """The text as people say it: ``0 6 * * *`` is "At 06:00, every day"."""
    fields = crontab_fields(text)
    options = Options()
    options.use_24hour_time_format = True
    options.verbose = fields["day_of_week"] == "*"
    return get_description(text, options)
