"""What the memory counts and measures, for whoever reads the metrics. No label names a user, and
none holds a word that somebody said: their values come from the program and from its settings.
`docs/telemetry.md` has each of them by its exported name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

# Seconds; a recall has to be done within 0.2 (001, SC-001).
QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
# Seconds; of what a model does.
SLOW = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)
# Seconds; of what waits to be done behind the replies.
PATIENT = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0)


UserAction = Literal[
    "pin",
    "unpin",
    "edit",
    "forget",
    "restore",
    "memory on",
    "memory read-only",
    "memory off",
    "incognito on",
    "incognito off",
]


class Counters:
    """One set of them in a registry of its own, or in the one that is given. What an alert looks at
    begins with 0 and not with its first event, which would be no increase."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self._count_turns()
        self._count_recalls()
        self._count_writing()
        self._count_models()
        self._count_work()

    def _count_turns(self) -> None:
        """A turn is one of those `recalled` where a memory was brought into it, and one of those
        `cited` where its reply holds what such a memory says: 000's hit rate is their quotient."""
        self.turns = self._counter("turns", "Turns by their privacy", ["privacy"])
        self.turns_recalled = self._counter(
            "turns_recalled", "Turns into which at least one memory was recalled"
        )
        self.turns_cited = self._counter(
            "turns_cited", "Turns whose reply used a memory that was recalled for it"
        )
        self.user_actions = self._counter(
            "user_actions", "What users did with their memory", ["action"]
        )
        for action in get_args(UserAction):
            self.user_actions.labels(action)

    def _count_recalls(self) -> None:
        self.recalls = self._counter(
            "recalls", "Recalls by what is recalled and what came of it", ["kind", "outcome"]
        )
        self.recall_seconds = self._histogram(
            "recall_seconds", "Seconds that a recall took", QUICK, ["kind"]
        )
        self.recalled_tokens = self._counter(
            "recalled_tokens", "Tokens (cl100k) that recalls brought into turns", ["kind"]
        )
        self.embed_seconds = self._histogram(
            "embed_seconds", "Seconds that the embedding model took", QUICK, ["operation"]
        )
        self.embed_failures = self._counter(
            "embed_failures", "Calls of the embedding model that failed", ["operation"]
        )
        for operation in ("query", "texts"):
            self.embed_seconds.labels(operation)
            self.embed_failures.labels(operation)
        for outcome in ("found", "nothing", "degraded", "failed"):
            self.recalls.labels("memories", outcome)
        self.rerank_calls = self._counter(
            "rerank_calls", "Recalls that a model was asked to re-rank"
        )
        self.rerank_calls_saved = self._counter(
            "rerank_calls_saved", "Recalls that needed no re-ranking by a model", ["reason"]
        )
        self.rerank_failures = self._counter(
            "rerank_failures", "Re-rankings that failed or made no sense; the order stayed"
        )

    def _count_writing(self) -> None:
        self.write_seconds = self._histogram(
            "write_seconds", "Seconds from the words of a memory to the stored memory", QUICK
        )
        self.memories_kept = self._counter("memories_kept", "New memories by bank", ["bank"])
        self.dedupe_saves = self._counter("dedupe_saves", "Repeats that were counted, not stored")
        self.supersedes = self._counter("supersedes", "Memories replaced by a newer one")
        self.refused = self._counter("refused", "Memories that were refused", ["reason"])
        self.trims = self._counter(
            "memories_pruned", "Memories trimmed to keep the cap", ["strategy"]
        )
        self.protected_trims_avoided = self._counter(
            "protected_trims_avoided",
            "Pinned or manually saved memories that would have been trimmed: worth an alert",
        )
        self.memories_summarized = self._counter(
            "memories_summarized", "Memories that went into a roll-up"
        )
        self.extraction_shortcuts = self._counter(
            "extraction_shortcuts", "Short preferences kept without an extraction"
        )
        self.model_calls_skipped = self._counter(
            "llm_calls_skipped", "Messages that needed no extraction by a model"
        )
        self.extraction_failures = self._counter(
            "extraction_failures", "Messages that the rules read because the model gave an error"
        )
        self.bank_distribution = self._gauge(
            "memory_bank_distribution", "Living memories by bank, of all users", ["bank"]
        )

    def _count_models(self) -> None:
        self.model_calls = self._counter(
            "model_calls",
            "Calls of a chat model by what for and how they ended",
            ["operation", "outcome"],
        )
        for outcome in ("answered", "failed"):
            self.model_calls.labels("answer", outcome)
        self.model_seconds = self._histogram(
            "model_seconds", "Seconds that a call of a chat model took", SLOW, ["operation"]
        )
        self.model_tokens = self._counter(
            "model_tokens", "Tokens that models took in and gave out", ["operation", "direction"]
        )
        self.model_cost = self._counter(
            "model_cost_dollars", "What the tokens cost by MODEL_PRICES, estimated", ["operation"]
        )
        self.guard_activations = self._counter(
            "error_guard_activations", "Times that a guard switched a part off", ["dependency"]
        )
        self.guard_open = self._gauge(
            "error_guard_open", "1 while a part is switched off by its guard", ["dependency"]
        )

    def _count_work(self) -> None:
        self.embedding_backlog = self._gauge(
            "embedding_backlog", "Rows that wait for their vector", ["noun"]
        )
        self.embedding_backlog_age = self._gauge(
            "embedding_backlog_age_seconds", "Seconds that the oldest of them has waited", ["noun"]
        )
        self.embedding_wait = self._histogram(
            "embedding_wait_seconds", "Seconds from a row's creation to its vector", PATIENT
        )
        self.embedding_failures = self._counter(
            "embedding_failures", "Batches of the backfill that failed"
        )
        self.jobs = self._gauge("jobs", "Jobs in the queue by state", ["state"])
        self.jobs_done = self._counter(
            "jobs_done", "Jobs by kind and how they ended", ["job", "outcome"]
        )
        self.job_seconds = self._histogram(
            "job_seconds", "Seconds that a job took", PATIENT, ["job"]
        )

    def count_action(self, action: UserAction, count: int = 1) -> None:
        self.user_actions.labels(action).inc(count)

    def _counter(self, name: str, about: str, labels: Sequence[str] = ()) -> Counter:
        return Counter(f"keepsake_{name}", about, labels, registry=self.registry)

    def _gauge(self, name: str, about: str, labels: Sequence[str] = ()) -> Gauge:
        return Gauge(f"keepsake_{name}", about, labels, registry=self.registry)

    def _histogram(
        self, name: str, about: str, buckets: Sequence[float], labels: Sequence[str] = ()
    ) -> Histogram:
        return Histogram(f"keepsake_{name}", about, labels, registry=self.registry, buckets=buckets)
