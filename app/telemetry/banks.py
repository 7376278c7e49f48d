"""The gauge of the memories by bank (003's `memory_bank_distribution`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory.counters import Counters

OTHER = "other"


def set_banks(counters: Counters, held: Mapping[str, int], banks: Sequence[str]) -> None:
    """`banks` are those of the settings, empty ones too. What lies in any other, since the settings
    were changed, is counted together: a label is never a word of a user's."""
    distribution = dict.fromkeys((*banks, OTHER), 0)
    for bank, count in held.items():
        distribution[bank if bank in banks else OTHER] += count
    for bank, count in distribution.items():
        counters.bank_distribution.labels(bank).set(count)
