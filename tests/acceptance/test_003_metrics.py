"""Specification 003, “New Metrics”: under its names, with the prefix of the program."""

from __future__ import annotations

import pytest

from memory.counters import Counters

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
        for each in vars(Counters()).values()
        if hasattr(each, "_labelnames")
    }
    assert metrics[f"keepsake_{name}"] == NAMED[name]
