"""Banks as an installation spells them (003, phase 1)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.models import DEFAULT_BANK


def bank_to_look_in(bank: str, allowed: Sequence[str]) -> str:
    """The bank as `allowed` spells it; one that is not there any more may still hold something."""
    return allowed_bank(bank, allowed) or bank


def bank_of(bank: str, allowed: Sequence[str], default: str) -> str:
    """The bank that a reading is for. DEFAULT_BANK is what readings name that speak for none."""
    return default if bank == DEFAULT_BANK else allowed_bank(bank, allowed) or default


def allowed_bank(bank: str, allowed: Sequence[str]) -> str | None:
    """The bank as `allowed` spells it, in whatever case it is given; None where it is not there
    (003: "validate bank against allowed list")."""
    spelt = {each.casefold(): each for each in allowed}
    return spelt.get(bank.casefold())
