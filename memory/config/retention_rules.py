"""The rules of RETENTION_RULES: how many days which memories are kept."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.types import MEMORY_TYPES

MAX_DAYS = 36_500
_RULE = re.compile(r"(?:(?P<bank>[^/:,]+)/)?(?P<type>[a-z]+|\*):(?P<days>[0-9]{1,5})")


@dataclass(frozen=True)
class RetentionRule:
    """`bank` and `type` are None where it speaks of all of them."""

    bank: str | None
    type: str | None
    days: int

    def fits(self, bank: str, item_type: str) -> bool:
        return self.bank in (None, bank) and self.type in (None, item_type)

    @property
    def specificity(self) -> int:
        """More for one that says more: bank and type, bank, type, neither."""
        return 2 * (self.bank is not None) + (self.type is not None)


def parse_retention_rules(text: str) -> tuple[RetentionRule, ...]:
    """The rules of "note:90,Work/fact:365,Health/*:30". Raises ValueError, with a sentence for
    the person, for one that is none."""
    return tuple(_rule(part.strip()) for part in text.split(",") if part.strip())


def _rule(text: str) -> RetentionRule:
    match = _RULE.fullmatch(text)
    if match is None or not 1 <= int(match["days"]) <= MAX_DAYS:
        raise ValueError(f"“{text}” is no rule; write note:90, Work/fact:365 or Health/*:30")
    wanted = match["type"]
    if wanted != "*" and wanted not in MEMORY_TYPES:
        raise ValueError(f"“{wanted}” is no type; take * or one of {', '.join(MEMORY_TYPES)}")
    return RetentionRule(match["bank"], None if wanted == "*" else wanted, int(match["days"]))
