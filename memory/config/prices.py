"""What models cost, as MODEL_PRICES says: `name=in/out` in dollars for a million tokens, parted by
commas; a model that is not named, or runs here, costs nothing. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

TOKENS_PER_PRICE = 1_000_000


@dataclass(frozen=True)
class Price:
    """Dollars for a million tokens that a model takes in and gives out."""

    taken_in: float
    given_out: float = 0.0

    def of(self, taken_in: int, given_out: int) -> float:
        """In dollars. Tokens that a provider had cached count in full, so that it is no less than
        what will be asked for."""
        return (taken_in * self.taken_in + given_out * self.given_out) / TOKENS_PER_PRICE


def parse_prices(text: str) -> Mapping[str, Price]:
    """By the name of the model. Raises ValueError for what is no list of prices."""
    return dict(_parse_price(each.strip()) for each in text.split(",") if each.strip())


def _parse_price(entry: str) -> tuple[str, Price]:
    name, parted, given = entry.rpartition("=")
    amounts = [_parse_amount(each) for each in given.split("/")]
    if not parted or not name.strip() or len(amounts) > 2:  # noqa: PLR2004 - in and out
        raise ValueError(f"{entry!r} is no price; write it as gpt-5-mini=0.25/2")
    return name.strip(), Price(*amounts)


def _parse_amount(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no amount of dollars") from None
    if not math.isfinite(amount) or amount < 0:
        raise ValueError(f"{text!r} is no amount of dollars")
    return amount
