"""What the memory counts and measures, for whoever reads the metrics. No label names a user, and
none holds a word that somebody said: their values come from the program and from its settings.
`docs/telemetry.md` has each of them by its exported name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from prometheus_client import CollectorRegistry

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
    Series,
    UserAction,
)


class Counters:
    """One set of them in a registry of its own, or in the one that is given. `banks` are those of
    the settings."""

    def __init__(
        self, registry: CollectorRegistry | None = None, banks: Sequence[str] = ()
    ) -> None:
        self._banks = banks
        self.registry = registry or CollectorRegistry()
        self._series = Series(self.registry)
        self._count_turns()
        self._count_recalls()
        self._count_searching()
        self._count_writing()
        self._count_memories()
        self._count_models()
        self._count_guards()
        self._count_work()

    def _count_turns(self) -> None:
        """A turn is one of those `recalled` where a memory was brought into it, and one of those
        `cited` where its reply holds what such a memory says: 000's hit rate is their quotient."""
        self.turns = self._series.counter(
            "turns", "Turns by their privacy", {"privacy": get_args(Privacy)}
        )
        self.turns_recalled = self._series.counter(
            "turns_recalled", "Turns into which at least one memory was recalled"
        )
        self.turns_cited = self._series.counter(
            "turns_cited", "Turns whose reply used a memory that was recalled for it"
        )
        self.user_actions = self._series.counter(
            "user_actions", "What users did with their memory", {"action": get_args(UserAction)}
        )

    def _count_recalls(self) -> None:
        self.recalls = self._series.counter(
            "recalls",
            "Recalls by what is recalled and what came of it",
            {"kind": KINDS, "outcome": ("found", "nothing", "degraded", "failed")},
        )
        self.recall_seconds = self._series.histogram(
            "recall_seconds", "Seconds that a recall took", QUICK, {"kind": KINDS}
        )
        self.recalled_tokens = self._series.counter(
            "recalled_tokens", "Tokens (cl100k) that recalls brought into turns", {"kind": KINDS}
        )

    def _count_searching(self) -> None:
        self.embed_seconds = self._series.histogram(
            "embed_seconds",
            "Seconds that the embedding model took",
            QUICK,
            {"operation": EMBEDDING},
        )
        self.embed_failures = self._series.counter(
            "embed_failures", "Calls of the embedding model that failed", {"operation": EMBEDDING}
        )
        self.rerank_calls = self._series.counter(
            "rerank_calls", "Recalls that a model was asked to re-rank"
        )
        self.rerank_calls_saved = self._series.counter(
            "rerank_calls_saved",
            "Recalls that needed no re-ranking by a model",
            {"reason": ("sure", "nothing")},
        )
        self.rerank_failures = self._series.counter(
            "rerank_failures", "Re-rankings that failed or made no sense; the order stayed"
        )

    def _count_writing(self) -> None:
        self.write_seconds = self._series.histogram(
            "write_seconds", "Seconds from the words of a memory to the stored memory", QUICK
        )
        self.memories_kept = self._series.counter(
            "memories_kept", "New memories by bank", {"bank": self._banks}
        )
        self.dedupe_saves = self._series.counter(
            "dedupe_saves", "Repeats that were counted, not stored"
        )
        self.supersedes = self._series.counter("supersedes", "Memories replaced by a newer one")
        self.refused = self._series.counter(
            "refused", "Memories that were refused", {"reason": REFUSALS}
        )
        self.extraction_shortcuts = self._series.counter(
            "extraction_shortcuts", "Short preferences kept without an extraction"
        )
        self.model_calls_skipped = self._series.counter(
            "llm_calls_skipped", "Messages that no model had to read"
        )
        self.extraction_failures = self._series.counter(
            "extraction_failures", "Messages read offline because the model's reading failed"
        )

    def _count_memories(self) -> None:
        """What there is of them, and what goes."""
        self.bank_distribution = self._series.gauge(
            "memory_bank_distribution", "Living memories by bank, of all users", {"bank": ()}
        )
        self.trims = self._series.counter(
            "memories_pruned", "Memories trimmed to keep the cap", {"strategy": STRATEGIES}
        )
        self.protected_trims_avoided = self._series.counter(
            "protected_trims_avoided",
            "Pinned or manually saved memories that would have been trimmed: worth an alert",
        )
        self.memories_summarized = self._series.counter(
            "memories_summarized", "Roll-ups that were made"
        )

    def _count_models(self) -> None:
        self.model_calls = self._series.counter(
            "model_calls",
            "Calls of a chat model by what for and how they ended",
            {"operation": OPERATIONS, "outcome": ("answered", "failed")},
        )
        self.model_seconds = self._series.histogram(
            "model_seconds",
            "Seconds that a call of a chat model took",
            SLOW,
            {"operation": OPERATIONS},
        )
        self.model_tokens = self._series.counter(
            "model_tokens",
            "Tokens that models took in and gave out",
            {"operation": (*OPERATIONS, "embed"), "direction": ("in", "out")},
        )
        self.model_cost = self._series.counter(
            "model_cost_dollars",
            "What the tokens cost by MODEL_PRICES, estimated",
            {"operation": (*OPERATIONS, "embed")},
        )

    def _count_guards(self) -> None:
        self.guard_activations = self._series.counter(
            "error_guard_activations",
            "Times that a guard switched a part off",
            {"dependency": DEPENDENCIES},
        )
        self.guard_open = self._series.gauge(
            "error_guard_open",
            "1 while a part is switched off by its guard",
            {"dependency": DEPENDENCIES},
        )

    def _count_work(self) -> None:
        self.embedding_backlog = self._series.gauge(
            "embedding_backlog", "Rows that wait for their vector", {"noun": ()}
        )
        self.embedding_backlog_age = self._series.gauge(
            "embedding_backlog_age_seconds",
            "Seconds that the oldest of them has waited",
            {"noun": ()},
        )
        self.embedding_wait = self._series.histogram(
            "embedding_wait_seconds", "Seconds that a row waited for its vector", PATIENT
        )
        self.embedding_failures = self._series.counter(
            "embedding_failures", "Batches of the backfill that failed"
        )
        self.embedding_refusals = self._series.counter(
            "embedding_refusals",
            "Rows set aside without a vector, since the model refuses their text",
            {"noun": WAITING},
        )
        self.jobs = self._series.gauge("jobs", "Jobs in the queue by state", {"state": ()})
        self.jobs_done = self._series.counter(
            "jobs_done", "Jobs by kind and how they ended", {"job": (), "outcome": ()}
        )
        self.job_seconds = self._series.histogram(
            "job_seconds", "Seconds that a job took", PATIENT, {"job": ()}
        )

    def count_action(self, action: UserAction, count: int = 1) -> None:
        self.user_actions.labels(action).inc(count)
