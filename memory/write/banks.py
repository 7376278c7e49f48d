"""Which drawer a memory belongs in, by its words (003, phase 1)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.write.bank_words import CATEGORY_WEIGHTS, WORDS


def bank_of(content: str, category: str, allowed: Sequence[str], default: str) -> str:
    """The bank with the greatest weight, as `allowed` spells it; else the default.

    weight(bank) = the weight of the category + Σ over the bank's rows in `WORDS` of weight ·
    min(2, number of different words that match). Of equal weights the bank that stands first
    there wins. Where nothing speaks for a bank, or it is not an allowed one, the default.
    """
    weights = dict.fromkeys((bank for bank, _, _ in WORDS), 0)
    for bank, weight in CATEGORY_WEIGHTS.get(category, {}).items():
        weights[bank] += weight
    for bank, weight, pattern in WORDS:
        words = {match.group().lower() for match in pattern.finditer(content)}
        weights[bank] += weight * min(2, len(words))
    best = max(weights, key=lambda bank: weights[bank])
    return (allowed_bank(best, allowed) or default) if weights[best] else default


def bank_to_look_in(bank: str, allowed: Sequence[str]) -> str:
    """The bank as `allowed` spells it; one that is not there any more may still hold something."""
    return allowed_bank(bank, allowed) or bank


def allowed_bank(bank: str, allowed: Sequence[str]) -> str | None:
    """The bank as `allowed` spells it, in whatever case it is given; None where it is not there
    (003: "validate bank against allowed list")."""
    spelt = {each.casefold(): each for each in allowed}
    return spelt.get(bank.casefold())
