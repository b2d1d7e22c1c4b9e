"""Crontab texts ("30 6 * * 1-5"): checking, telling in words, and the next times they are due."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from celery.schedules import ParseException
from cron_descriptor import get_description
from django.core.exceptions import ValidationError
from django_celery_beat.tzcrontab import TzAwareCrontab

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


def crontab_in_words(text: str) -> str:
    """ "0 6 * * 1-5" → "At 06:00 AM, Monday through Friday"."""
    crontab_fields(text)
    return get_description(text)
