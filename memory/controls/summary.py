"""What is known, in short: the banks of a space with what matters most in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.models import KeptItem
from memory.store.memories.entries import BankCount

IMPORTANT_OF_BANK = 5


@dataclass(frozen=True)
class BankSummary:
    """One bank: how much it holds, and what in it matters most."""

    bank: str
    count: int
    pinned: int
    items: tuple[KeptItem, ...]


@dataclass(frozen=True)
class Summary:
    """The banks of a space, the fullest first."""

    space: str
    banks: tuple[BankSummary, ...]

    @property
    def count(self) -> int:
        return sum(bank.count for bank in self.banks)


def summarise(space: str, counts: Sequence[BankCount], items: Sequence[KeptItem]) -> Summary:
    """Banks and memories in the order that they come in."""
    banks = [
        BankSummary(
            each.bank,
            each.count,
            each.pinned,
            tuple(item for item in items if item.bank == each.bank),
        )
        for each in counts
    ]
    return Summary(space, tuple(banks))
