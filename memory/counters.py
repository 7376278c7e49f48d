"""What the memory counts, for whoever reads the metrics. No label names a user."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter


class Counters:
    """One set of counters in a registry of its own, or in the one that is given."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self.trims = self._counter("trims", "Memories trimmed to keep the cap", ["strategy"])
        self.protected_trims_avoided = self._counter(
            "protected_trims_avoided",
            "Pinned or manually saved memories that would have been trimmed: worth an alert",
        )
        self.dedupe_saves = self._counter("dedupe_saves", "Repeats that were counted, not stored")
        self.supersedes = self._counter("supersedes", "Memories replaced by a newer one")
        self.extraction_shortcuts = self._counter(
            "extraction_shortcuts", "Short preferences kept without an extraction"
        )
        self.model_calls_skipped = self._counter(
            "model_calls_skipped", "Messages that needed no extraction"
        )
        self.extraction_failures = self._counter(
            "extraction_failures", "Messages that the rules read because the model gave an error"
        )
        self.rerank_calls = self._counter(
            "rerank_calls", "Recalls that a model was asked to re-rank"
        )
        self.rerank_calls_saved = self._counter(
            "rerank_calls_saved", "Recalls that needed no re-ranking by a model", ["reason"]
        )
        self.rerank_failures = self._counter(
            "rerank_failures", "Re-rankings that failed or made no sense; the order stayed"
        )
        self.refused = self._counter("refused", "Memories that were refused", ["reason"])

    def _counter(self, name: str, about: str, labels: list[str] | None = None) -> Counter:
        return Counter(f"keepsake_{name}", about, labels or [], registry=self.registry)
