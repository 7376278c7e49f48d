"""Counts the tokens that models take in and give out, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping

from memory.counters import Counters
from memory.prices import Price

FREE = Price(0.0)


class Spending:
    """`prices` are by the name of the model; see `memory.prices`."""

    def __init__(self, counters: Counters, prices: Mapping[str, Price]) -> None:
        self._counters = counters
        self._prices = prices

    def note(self, operation: str, model: str, taken_in: int, given_out: int = 0) -> None:
        """`operation` is what the model was called for. A server that tells of fewer tokens than
        none is told of none: a counter refuses to go back, and that would end the reply."""
        taken_in, given_out = max(taken_in, 0), max(given_out, 0)
        tokens = self._counters.model_tokens
        tokens.labels(operation, "in").inc(taken_in)
        tokens.labels(operation, "out").inc(given_out)
        price = self._prices.get(model, FREE)
        self._counters.model_cost.labels(operation).inc(price.of(taken_in, given_out))
