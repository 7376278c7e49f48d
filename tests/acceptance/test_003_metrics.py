"""Specification 003, “Metrics & Observability”: the metrics under its names, with the prefix of the
program, and what it logs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from structlog.testing import capture_logs

from memory.ingestion.extraction import ExtractionInput
from memory.metrics import MemoryMetrics
from memory.types import NewMemory, Origin
from tests.acceptance.conftest import Parts

NAMED = {
    "memory_bank_distribution": {"bank"},  # per user it would name users: `stats --user` has that
    "memories_pruned_total": {"strategy"},
    "memories_summarized_total": set(),
    "llm_calls_skipped_total": set(),
    "extraction_shortcuts_total": set(),
    "error_guard_activations_total": {"dependency"},
}


@pytest.mark.parametrize("name", NAMED)
def test_is_exported(name: str) -> None:
    metrics = {
        each._name + ("_total" if each._type == "counter" else ""): set(each._labelnames)
        for each in vars(MemoryMetrics()).values()
        if hasattr(each, "_labelnames")
    }
    assert metrics[f"keepsake_{name}"] == NAMED[name]


async def test_saving_pruning_and_a_skipped_call_are_logged_without_words(
    parts: Parts, user_id: str
) -> None:
    """The bank, the count with the strategy, and why there was no call."""
    small = parts.settings.model_copy(update={"memory_cap": 1, "prune_batch_size": 1})
    memory = replace(parts, settings=small).memory()
    with capture_logs() as logs:
        for content in ("I play the cello", "I own a kayak"):
            await memory.remember(user_id, NewMemory(content=content, bank="Interests"))
        thanks = ExtractionInput(text="Thanks!", said_at=datetime.now(UTC))
        await memory.learn(user_id, "default", thanks, origin=Origin("learning"))

    lines = {line["event"]: line for line in logs}
    assert lines["kept"]["bank"] == "Interests"
    assert lines["trimmed"]["count"] == 1
    assert lines["trimmed"]["strategy"] == small.prune_strategy
    assert lines["llm_call_skipped"]["reason"] == "nothing to learn"
    assert not any(word in str(logs) for word in ("cello", "kayak", "Thanks"))
