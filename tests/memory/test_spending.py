from __future__ import annotations

from memory.config.prices import parse_prices
from memory.metrics import MemoryMetrics, TokenCosts


def test_tokens_and_their_cost_are_counted_by_what_the_model_was_called_for() -> None:
    counters = MemoryMetrics()
    spending = TokenCosts(counters, parse_prices("dear=1/10"))
    spending.note("answer", "dear", 2_000_000, 100_000)
    spending.note("answer", "dear", 0, 100_000)
    spending.note("extract", "local", 500, 20)
    read = counters.registry.get_sample_value
    tokens = "keepsake_model_tokens_total"
    assert read(tokens, {"operation": "answer", "direction": "in"}) == 2_000_000
    assert read(tokens, {"operation": "answer", "direction": "out"}) == 200_000
    assert read(tokens, {"operation": "extract", "direction": "out"}) == 20
    assert read("keepsake_model_cost_dollars_total", {"operation": "answer"}) == 4.0
    assert read("keepsake_model_cost_dollars_total", {"operation": "extract"}) == 0.0


def test_fewer_tokens_than_none_are_none() -> None:
    counters = MemoryMetrics()
    TokenCosts(counters, parse_prices("dear=1/10")).note("answer", "dear", -5, -1)
    read = counters.registry.get_sample_value
    tokens = {"operation": "answer", "direction": "in"}
    assert read("keepsake_model_tokens_total", tokens) == 0.0
    assert read("keepsake_model_cost_dollars_total", {"operation": "answer"}) == 0.0
