"""Banks as an installation spells them (003, phase 1)."""

from __future__ import annotations

from collections.abc import Sequence


def bank_to_look_in(bank: str, allowed: Sequence[str]) -> str:
    """The bank as `allowed` spells it; one that is not there any more may still hold something."""
    return allowed_bank(bank, allowed) or bank


def allowed_bank(bank: str, allowed: Sequence[str]) -> str | None:
    """The bank as `allowed` spells it, in whatever case it is given; None where it is not there
    (003: "validate bank against allowed list")."""
    spelt = {each.casefold(): each for each in allowed}
    return spelt.get(bank.casefold())
