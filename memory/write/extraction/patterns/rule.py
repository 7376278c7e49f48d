"""One reason to keep a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from memory.write.candidates import Category
from memory.write.extraction.words import DATE

_DATE = re.compile(rf"\b{DATE}", re.IGNORECASE)


@dataclass(frozen=True)
class Rule:
    """Keeps a clause that begins as `says`, unless `unless` is found in it.

    `importance` is on 003's scale: 1.0 who and where somebody is, 0.8 strong preferences and
    important relationships, 0.6 general interests, 0.4 minor, 0.2 trivial. `today_too` keeps
    what is said of today as well: what happened today lasts, how it is today does not. A
    `dated` rule needs a date anywhere in the clause.
    """

    name: str
    category: Category
    importance: float
    says: str
    unless: str = ""
    today_too: bool = field(default=False, kw_only=True)
    dated: bool = field(default=False, kw_only=True)

    def keeps(self, clause: str, core: str | None = None) -> bool:
        """Whether the clause is kept; `core` is the clause without "last Friday," in front."""
        forms = (clause,) if core is None else (clause, core)
        if not any(self._says.match(form) for form in forms):
            return False
        if self.dated and not _DATE.search(clause):
            return False
        return not (self.unless and self._unless.search(clause))

    @cached_property
    def _says(self) -> re.Pattern[str]:
        return re.compile(self.says, re.IGNORECASE)

    @cached_property
    def _unless(self) -> re.Pattern[str]:
        return re.compile(self.unless, re.IGNORECASE)
