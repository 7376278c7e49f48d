"""What the memory counts and measures, for whoever reads the metrics. No label names a user, and
none holds a word that somebody said: their values come from the program and from its settings.
`docs/telemetry.md` has each of them by its exported name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeVar, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from memory.models import Privacy
from memory.series import (
    DEPENDENCIES,
    EMBEDDING,
    KINDS,
    OPERATIONS,
    PATIENT,
    QUICK,
    REFUSALS,
    SLOW,
    STRATEGIES,
    WAITING,
    Labels,
    UserAction,
)

Metric = TypeVar("Metric", Counter, Gauge, Histogram)


class Counters:
    """One set of them in a registry of its own, or in the one that is given. A series whose labels
    are known beforehand begins with 0: one that began with its first event would not have grown."""

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
        self.turns = self._counter(
            "turns", "Turns by their privacy", {"privacy": get_args(Privacy)}
        )
        self.turns_recalled = self._counter(
            "turns_recalled", "Turns into which at least one memory was recalled"
        )
        self.turns_cited = self._counter(
            "turns_cited", "Turns whose reply used a memory that was recalled for it"
        )
        self.user_actions = self._counter(
            "user_actions", "What users did with their memory", {"action": get_args(UserAction)}
        )

    def _count_recalls(self) -> None:
        self.recalls = self._counter(
            "recalls",
            "Recalls by what is recalled and what came of it",
            {"kind": KINDS, "outcome": ("found", "nothing", "degraded", "failed")},
        )
        self.recall_seconds = self._histogram(
            "recall_seconds", "Seconds that a recall took", QUICK, {"kind": KINDS}
        )
        self.recalled_tokens = self._counter(
            "recalled_tokens", "Tokens (cl100k) that recalls brought into turns", {"kind": KINDS}
        )
        self.embed_seconds = self._histogram(
            "embed_seconds",
            "Seconds that the embedding model took",
            QUICK,
            {"operation": EMBEDDING},
        )
        self.embed_failures = self._counter(
            "embed_failures", "Calls of the embedding model that failed", {"operation": EMBEDDING}
        )
        self.rerank_calls = self._counter(
            "rerank_calls", "Recalls that a model was asked to re-rank"
        )
        self.rerank_calls_saved = self._counter(
            "rerank_calls_saved",
            "Recalls that needed no re-ranking by a model",
            {"reason": ("sure", "nothing")},
        )
        self.rerank_failures = self._counter(
            "rerank_failures", "Re-rankings that failed or made no sense; the order stayed"
        )

    def _count_writing(self) -> None:
        self.write_seconds = self._histogram(
            "write_seconds", "Seconds from the words of a memory to the stored memory", QUICK
        )
        self.memories_kept = self._counter("memories_kept", "New memories by bank", {"bank": ()})
        self.dedupe_saves = self._counter("dedupe_saves", "Repeats that were counted, not stored")
        self.supersedes = self._counter("supersedes", "Memories replaced by a newer one")
        self.refused = self._counter("refused", "Memories that were refused", {"reason": REFUSALS})
        self.trims = self._counter(
            "memories_pruned", "Memories trimmed to keep the cap", {"strategy": STRATEGIES}
        )
        self.protected_trims_avoided = self._counter(
            "protected_trims_avoided",
            "Pinned or manually saved memories that would have been trimmed: worth an alert",
        )
        self.memories_summarized = self._counter("memories_summarized", "Roll-ups that were made")
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
            "memory_bank_distribution", "Living memories by bank, of all users", {"bank": ()}
        )

    def _count_models(self) -> None:
        self.model_calls = self._counter(
            "model_calls",
            "Calls of a chat model by what for and how they ended",
            {"operation": OPERATIONS, "outcome": ("answered", "failed")},
        )
        self.model_seconds = self._histogram(
            "model_seconds",
            "Seconds that a call of a chat model took",
            SLOW,
            {"operation": OPERATIONS},
        )
        self.model_tokens = self._counter(
            "model_tokens",
            "Tokens that models took in and gave out",
            {"operation": (*OPERATIONS, "embed"), "direction": ("in", "out")},
        )
        self.model_cost = self._counter(
            "model_cost_dollars",
            "What the tokens cost by MODEL_PRICES, estimated",
            {"operation": (*OPERATIONS, "embed")},
        )
        self.guard_activations = self._counter(
            "error_guard_activations",
            "Times that a guard switched a part off",
            {"dependency": DEPENDENCIES},
        )
        self.guard_open = self._gauge(
            "error_guard_open",
            "1 while a part is switched off by its guard",
            {"dependency": DEPENDENCIES},
        )

    def _count_work(self) -> None:
        self.embedding_backlog = self._gauge(
            "embedding_backlog", "Rows that wait for their vector", {"noun": ()}
        )
        self.embedding_backlog_age = self._gauge(
            "embedding_backlog_age_seconds",
            "Seconds that the oldest of them has waited",
            {"noun": ()},
        )
        self.embedding_wait = self._histogram(
            "embedding_wait_seconds", "Seconds that a row waited for its vector", PATIENT
        )
        self.embedding_failures = self._counter(
            "embedding_failures", "Batches of the backfill that failed"
        )
        self.embedding_refusals = self._counter(
            "embedding_refusals",
            "Rows set aside without a vector, since the model refuses their text",
            {"noun": WAITING},
        )
        self.jobs = self._gauge("jobs", "Jobs in the queue by state", {"state": ()})
        self.jobs_done = self._counter(
            "jobs_done", "Jobs by kind and how they ended", {"job": (), "outcome": ()}
        )
        self.job_seconds = self._histogram(
            "job_seconds", "Seconds that a job took", PATIENT, {"job": ()}
        )

    def count_action(self, action: UserAction, count: int = 1) -> None:
        self.user_actions.labels(action).inc(count)

    def _counter(self, name: str, about: str, labels: Labels | None = None) -> Counter:
        return _begun(
            Counter(f"keepsake_{name}", about, labels or (), registry=self.registry), labels
        )

    def _gauge(self, name: str, about: str, labels: Labels | None = None) -> Gauge:
        return _begun(
            Gauge(f"keepsake_{name}", about, labels or (), registry=self.registry), labels
        )

    def _histogram(
        self, name: str, about: str, buckets: Sequence[float], labels: Labels | None = None
    ) -> Histogram:
        made = Histogram(
            f"keepsake_{name}", about, labels or (), registry=self.registry, buckets=buckets
        )
        return _begun(made, labels)


def _begun(metric: Metric, labels: Labels | None) -> Metric:
    """With a series for all that its labels are known to be."""
    for values in product(*labels.values()) if labels else ():
        metric.labels(*values)
    return metric
