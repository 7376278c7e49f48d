from __future__ import annotations

from prometheus_client import CollectorRegistry

from memory.metrics import MemoryMetrics


def test_each_counter_has_its_name_in_the_registry_that_is_given() -> None:
    registry = CollectorRegistry()
    counters = MemoryMetrics(registry)
    counters.trims.labels("fifo").inc(3)
    counters.refused.labels("secret").inc()
    counters.protected_trims_avoided.inc(2)
    counters.rerank_calls_saved.labels("sure").inc(4)
    assert registry.get_sample_value("keepsake_rerank_calls_saved_total", {"reason": "sure"}) == 4
    assert registry.get_sample_value("keepsake_memories_pruned_total", {"strategy": "fifo"}) == 3
    assert registry.get_sample_value("keepsake_refused_total", {"reason": "secret"}) == 1
    assert registry.get_sample_value("keepsake_protected_trims_avoided_total") == 2
    named = ("dedupe_saves", "supersedes", "extraction_shortcuts", "llm_calls_skipped")
    for name in (*named, "rerank_calls", "rerank_failures"):
        assert registry.get_sample_value(f"keepsake_{name}_total") == 0


def test_each_bank_begins_at_nothing() -> None:
    """A rate over a counter that began with its first memory would not see that one."""
    counters = MemoryMetrics(banks=("Personal", "Boats"))
    for bank in ("Personal", "Boats"):
        kept = counters.registry.get_sample_value("keepsake_memories_kept_total", {"bank": bank})
        assert kept == 0


def test_two_sets_count_apart() -> None:
    one, other = MemoryMetrics(), MemoryMetrics()
    one.supersedes.inc()
    assert other.registry.get_sample_value("keepsake_supersedes_total") == 0
