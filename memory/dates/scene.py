"""What a rule is given: the text, when it was said, and whether it looks back or ahead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memory.dates.periods import midnight
from memory.dates.spoken import Reading
from memory.dates.tense import Tense, is_one_event, says_always, tense_at


@dataclass(frozen=True)
class Scene:
    """`ahead` says that the text is known to tell of what is still to come."""

    text: str
    said_at: datetime
    ahead: bool = False

    @property
    def today(self) -> datetime:
        return midnight(self.said_at)

    def day(self, year: int, month: int = 1, day: int = 1) -> datetime:
        """Raises ValueError where the calendar has no such day."""
        return self.today.replace(year=year, month=month, day=day)

    def follows(self, match: re.Match[str], words: re.Pattern[str]) -> bool:
        """Whether `words`, a pattern that ends in $, stands right before the match."""
        return bool(words.search(self.text[max(0, match.start() - 40) : match.start()]))

    def tense(self, match: re.Match[str]) -> Tense:
        return tense_at(self.text, *match.span())

    def is_past(self, match: re.Match[str]) -> bool:
        return self.tense(match) == "past" and not self.ahead

    def says_always(self, match: re.Match[str]) -> bool:
        return says_always(self.text, *match.span())

    def is_one_event(self, match: re.Match[str]) -> bool:
        return is_one_event(self.text, *match.span())


@dataclass(frozen=True)
class Rule:
    """A pattern and what its matches mean; `read` gives None where a match is no date.

    A text that the pattern matches has a word of each of the `needs`: to look for words once is far
    cheaper than to try thirty patterns.
    """

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], Scene], Reading | None]
    needs: tuple[frozenset[str], ...]

    def may_match(self, words: frozenset[str]) -> bool:
        return not any(need.isdisjoint(words) for need in self.needs)
