from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config.prices import Price, parse_prices
from tests.tables import refusal


def test_a_price_is_in_dollars_for_a_million_tokens() -> None:
    prices = parse_prices("gpt-5-mini=0.25/2, text-embedding-3-small=0.02")
    assert prices == {
        "gpt-5-mini": Price(0.25, 2.0),
        "text-embedding-3-small": Price(0.02, 0.0),
    }
    assert prices["gpt-5-mini"].of(1_000_000, 500_000) == 1.25
    assert prices["text-embedding-3-small"].of(50, 0) == pytest.approx(0.000001)


def test_nothing_costs_nothing() -> None:
    assert parse_prices("") == {}


def test_a_name_may_hold_the_sign() -> None:
    assert parse_prices("my=model=1/2") == {"my=model": Price(1.0, 2.0)}


NO_PRICES = ["gpt", "gpt=", "=1", "gpt=1/2/3", "gpt=-1", "gpt=nan", "gpt=inf"]


def test_what_is_no_price_is_refused() -> None:
    told = [(text, refusal(ValueError, parse_prices, text)) for text in NO_PRICES]
    assert [each for each in told if not re.search(r"no price|no amount", str(each[1]))] == []


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_more_tokens_never_cost_less(taken_in: int, given_out: int) -> None:
    price = Price(0.25, 2.0)
    assert price.of(taken_in, given_out) <= price.of(taken_in + 1, given_out + 1)
