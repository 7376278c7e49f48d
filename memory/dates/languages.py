"""Dates in German, Spanish, French and Norwegian sentences. Their words are data (languages.toml);
what these mean is the same in all four.

The words stay as they are, with the time behind them: "am Dienstag (2026-12-01)".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from memory.dates.periods import a_day, period_of, shifted
from memory.dates.scene import Rule, Scene
from memory.dates.spoken import Period, Reading
from memory.dates.words import YEAR, one_of, pattern

_DAYS_OF_A_WEEK = 7
Read = Callable[[re.Match[str], Scene], Reading | None]


@dataclass(frozen=True)
class Language:
    """The words of one language, as in its part of the file."""

    days: Mapping[str, int]
    not_after: Sequence[str]
    weekdays: Sequence[str]
    months: Sequence[str]
    units: Mapping[str, str]
    ahead: str
    behind: str
    on: str
    soon: str
    each: str
    within: Sequence[str]
    ago: Sequence[str]
    day_month: str
    numbers: Sequence[str]

    def rules(self) -> Iterator[Rule]:
        """What needs the most words comes first."""
        month, weekday = _group("month", self.months), _group("weekday", self.weekdays)
        unit = _group("unit", self.units.values())
        dated = self.day_month.format(day="(?P<day>[0-3]?[0-9])", month=month)
        yield _rule(rf"{dated}(?:\s+(?:de\s+)?(?P<year>{YEAR}))?", self._dated)
        number = rf"(?P<n>[0-9]{{1,3}}|{'|'.join(self.numbers)})"
        for sign, forms in ((1, self.within), (-1, self.ago)):
            for form in forms:
                yield _rule(form.format(n=number, unit=unit), partial(self._counted, sign))
        for sign, step in ((1, self.ahead), (-1, self.behind)):
            for named, read in ((weekday, self._next_weekday), (unit, self._next_unit)):
                yield _rule(rf"(?:{step})\s+{named}", partial(read, sign))
                yield _rule(rf"{named}\s+(?:{step})", partial(read, sign))
        yield _rule(_group("word", self.days), self._day)
        before = "|".join(each for each in (self.each, self.soon, self.on) if each)
        yield _rule(rf"(?:(?P<before>{before})\s+)?{weekday}", self._weekday)

    def _day(self, match: re.Match[str], scene: Scene) -> Reading | None:
        before = scene.text[: match.start()].lower().split()[-1:]
        if before and before[0] in self.not_after:
            return None
        [away] = [each for word, each in self.days.items() if _is(word, match["word"])]
        return _beside(match, a_day(shifted(scene.today, "day", away)), certain=away != 0)

    def _weekday(self, match: re.Match[str], scene: Scene) -> Reading | None:
        """The coming one, where it is said that it comes."""
        before = match["before"] or ""
        if _is(self.each, before):
            return None
        day = a_day(_from(scene.today, self._number(match, "weekday"), 1))
        return _beside(match, day, certain=scene.ahead or _is(self.soon, before))

    def _next_weekday(self, sign: int, match: re.Match[str], scene: Scene) -> Reading:
        day = _from(scene.today, self._number(match, "weekday"), sign)
        return _beside(match, a_day(day))

    def _next_unit(self, sign: int, match: re.Match[str], scene: Scene) -> Reading:
        unit = self._unit(match)
        start = scene.today.replace(day=1) if unit in ("month", "year") else scene.today
        return _beside(match, period_of(unit, shifted(start, unit, sign)))

    def _counted(self, sign: int, match: re.Match[str], scene: Scene) -> Reading:
        count = match["n"].lower()
        number = int(count) if count.isdigit() else 1 + _place(self.numbers, count)
        unit = self._unit(match)
        moment = shifted(scene.today, unit, sign * number)
        return _beside(match, a_day(moment) if unit == "week" else period_of(unit, moment))

    def _dated(self, match: re.Match[str], scene: Scene) -> Reading:
        """Without a year it may be a birthday, unless it is planned."""
        month, day = 1 + self._number(match, "month"), int(match["day"])
        if match["year"]:
            named = a_day(scene.day(int(match["year"]), month, day))
            return Reading(named, relative=False)
        this = scene.day(scene.said_at.year, month, day)
        coming = this if this >= scene.today else shifted(this, "year", 1)
        return _beside(match, a_day(coming), certain=scene.ahead)

    def _number(self, match: re.Match[str], name: str) -> int:
        return _place(self.weekdays if name == "weekday" else self.months, match[name])

    def _unit(self, match: re.Match[str]) -> str:
        [unit] = [name for name, words in self.units.items() if _is(words, match["unit"])]
        return unit


def _beside(match: re.Match[str], period: Period, *, certain: bool = True) -> Reading:
    return Reading(period, True, certain, match.span(), f"{match[0]} ({_written(period)})")


def _written(period: Period) -> str:
    match period.grain:
        case "year":
            return f"{period.begins:%Y}"
        case "month":
            return f"{period.begins:%Y-%m}"
        case "week":
            return f"{period.begins:%Y-%m-%d} – {shifted(period.ends, 'day', -1):%Y-%m-%d}"
    return f"{period.begins:%Y-%m-%d}"


def _from(today: datetime, weekday: int, sign: int) -> datetime:
    """The first such day after today, or the last before it."""
    away = (sign * (weekday - today.weekday()) - 1) % _DAYS_OF_A_WEEK + 1
    return shifted(today, "day", sign * away)


def _rule(words: str, read: Read) -> Rule:
    return Rule(pattern(rf"(?<![\w-])(?:{words})(?![\w-])"), read, ())


def _group(name: str, words: Iterable[str]) -> str:
    return rf"(?P<{name}>{one_of(words)})"


def _place(words: Sequence[str], said: str) -> int:
    return next(at for at, each in enumerate(words) if _is(each, said))


def _is(words: str, said: str) -> bool:
    return re.fullmatch(words, said, re.IGNORECASE) is not None


def _load() -> tuple[Language, ...]:
    text = Path(__file__).with_name("languages.toml").read_text(encoding="utf-8")
    return tuple(Language(**words) for words in tomllib.loads(text).values())


LANGUAGES = tuple(rule for each in _load() for rule in each.rules())
