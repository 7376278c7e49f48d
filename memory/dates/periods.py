"""Stretches of the calendar and what they are called. Weeks run from Monday to Sunday."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from dateutil.relativedelta import relativedelta

from memory.dates.spoken import Period

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAY = timedelta(days=1)
# The first month of a season on the northern half of the earth.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


_DELTAS: Mapping[str, Callable[[int], relativedelta]] = {
    "minute": lambda count: relativedelta(minutes=count),
    "hour": lambda count: relativedelta(hours=count),
    "day": lambda count: relativedelta(days=count),
    "week": lambda count: relativedelta(weeks=count),
    "month": lambda count: relativedelta(months=count),
    "year": lambda count: relativedelta(years=count),
}


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def shifted(moment: datetime, unit: str, count: int) -> datetime:
    """`count` units later; the 31st becomes the last day of a shorter month."""
    if unit == "fortnight":
        unit, count = "week", 2 * count
    elif unit == "decade":
        unit, count = "year", 10 * count
    return moment + _DELTAS[unit](count)


def day_name(day: datetime) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def a_minute(moment: datetime) -> Period:
    begins = moment.replace(second=0, microsecond=0)
    name = f"{day_name(begins)} at {begins:%H:%M}"
    return Period(begins, begins + timedelta(minutes=1), "minute", name, "on")


def a_day(moment: datetime, part: str | None = None) -> Period:
    begins = midnight(moment)
    name = f"the {part} of {day_name(begins)}" if part else day_name(begins)
    return Period(begins, begins + _DAY, "day", name, "on")


def a_week(moment: datetime) -> Period:
    begins = midnight(moment) - moment.weekday() * _DAY
    return Period(begins, begins + 7 * _DAY, "week", f"the week of {day_name(begins)}", "in")


def a_weekend(moment: datetime) -> Period:
    """Saturday and Sunday of the week."""
    begins = midnight(moment) + (5 - moment.weekday()) * _DAY
    return Period(begins, begins + 2 * _DAY, "day", f"the weekend of {day_name(begins)}", "on")


def a_month(moment: datetime) -> Period:
    begins = midnight(moment).replace(day=1)
    name = f"{MONTHS[begins.month - 1]} {begins.year}"
    return Period(begins, shifted(begins, "month", 1), "month", name, "in")


def a_season(season: str, moment: datetime) -> Period:
    """The one that begins in the year of `moment`; the winter of 2025 ends in 2026."""
    begins = midnight(moment).replace(month=SEASONS[season], day=1)
    name = f"{season} {begins.year}"
    if season == "winter":
        name += f"/{(begins.year + 1) % 100:02}"
    return Period(begins, shifted(begins, "month", 3), "month", name, "in")


def a_year(moment: datetime, count: int = 1) -> Period:
    begins = midnight(moment).replace(month=1, day=1)
    return Period(begins, shifted(begins, "year", count), "year", str(begins.year), "in")


def period_of(unit: str, moment: datetime) -> Period:
    """The calendar's minute, day, week, weekend, month or year that holds `moment`."""
    makers = {"minute": a_minute, "hour": a_minute, "weekend": a_weekend, "week": a_week}
    makers |= {"month": a_month, "year": a_year, "decade": a_year}
    return makers.get(unit, a_day)(moment)
