"""What the memory counts and measures, and what models cost. No label names a user, and none holds
a word that somebody said: their values come from the program and its settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal, TypeAlias, TypeVar, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from memory.config.prices import Price
from memory.types import Privacy

# Seconds; a recall has to be done within 0.2 (001, SC-001).
FAST_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
# Seconds; of what a model does.
SLOW_BUCKETS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)
# Seconds; of what waits to be done behind the replies.
BACKGROUND_BUCKETS = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0)


RECALL_KINDS = ("memories", "messages")
EMBEDDING_OPERATIONS = ("query", "texts")
EMBEDDED_TABLES = ("items", "messages")
MODEL_OPERATIONS = ("answer", "extract", "rerank", "summarise")
DEPENDENCIES = ("model", "embedder", "extraction", "redis")
REFUSAL_REASONS = ("secret", "forgotten", "memory off")
PRUNE_STRATEGIES = ("lowest_score", "fifo", "least_relevant", "oldest_accessed")
# The values of each label as far as they are known beforehand.
LabelValues: TypeAlias = Mapping[str, Sequence[str]]
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
Metric = TypeVar("Metric", Counter, Gauge, Histogram)


class MetricFactory:
    """Metrics of one registry, each named `keepsake_…`. A series whose labels are known beforehand
    begins with 0: one that began with its first event would not have grown."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def counter(self, name: str, about: str, labels: LabelValues | None = None) -> Counter:
        made = Counter(f"keepsake_{name}", about, labels or (), registry=self._registry)
        return _with_zero_series(made, labels)

    def gauge(self, name: str, about: str, labels: LabelValues | None = None) -> Gauge:
        made = Gauge(f"keepsake_{name}", about, labels or (), registry=self._registry)
        return _with_zero_series(made, labels)

    def histogram(
        self, name: str, about: str, buckets: Sequence[float], labels: LabelValues | None = None
    ) -> Histogram:
        made = Histogram(
            f"keepsake_{name}", about, labels or (), registry=self._registry, buckets=buckets
        )
        return _with_zero_series(made, labels)


def _with_zero_series(metric: Metric, labels: LabelValues | None) -> Metric:
    """With a series for all that its labels are known to be."""
    for values in product(*labels.values()) if labels else ():
        metric.labels(*values)
    return metric


class MemoryMetrics:
    """What the memory counts and measures. `docs/telemetry.md` has each metric by its exported
    name. One set of them in a registry of its own, or in the one that is given. `banks` are those
    of the settings."""

    def __init__(
        self, registry: CollectorRegistry | None = None, banks: Sequence[str] = ()
    ) -> None:
        self._banks = banks
        self.registry = registry or CollectorRegistry()
        self._series = MetricFactory(self.registry)
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
            {"kind": RECALL_KINDS, "outcome": ("found", "nothing", "degraded", "failed")},
        )
        self.recall_seconds = self._series.histogram(
            "recall_seconds", "Seconds that a recall took", FAST_BUCKETS, {"kind": RECALL_KINDS}
        )
        self.recalled_tokens = self._series.counter(
            "recalled_tokens",
            "Tokens (cl100k) that recalls brought into turns",
            {"kind": RECALL_KINDS},
        )

    def _count_searching(self) -> None:
        self.embed_seconds = self._series.histogram(
            "embed_seconds",
            "Seconds that the embedding model took",
            FAST_BUCKETS,
            {"operation": EMBEDDING_OPERATIONS},
        )
        self.embed_failures = self._series.counter(
            "embed_failures",
            "Calls of the embedding model that failed",
            {"operation": EMBEDDING_OPERATIONS},
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
            "write_seconds", "Seconds from the words of a memory to the stored memory", FAST_BUCKETS
        )
        self.memories_kept = self._series.counter(
            "memories_kept", "New memories by bank", {"bank": self._banks}
        )
        self.dedupe_saves = self._series.counter(
            "dedupe_saves", "Repeats that were counted, not stored"
        )
        self.supersedes = self._series.counter("supersedes", "Memories replaced by a newer one")
        self.refused = self._series.counter(
            "refused", "Memories that were refused", {"reason": REFUSAL_REASONS}
        )
        self.extraction_shortcuts = self._series.counter(
            "extraction_shortcuts", "Short preferences kept without an extraction"
        )
        self.model_calls_skipped = self._series.counter(
            "llm_calls_skipped", "Messages that needed no extraction by a model"
        )
        self.extraction_failures = self._series.counter(
            "extraction_failures", "Messages of which the model gave no reading"
        )

    def _count_memories(self) -> None:
        """What there is of them, and what goes."""
        self.bank_distribution = self._series.gauge(
            "memory_bank_distribution", "Living memories by bank, of all users", {"bank": ()}
        )
        self.trims = self._series.counter(
            "memories_pruned", "Memories trimmed to keep the cap", {"strategy": PRUNE_STRATEGIES}
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
            {"operation": MODEL_OPERATIONS, "outcome": ("answered", "failed")},
        )
        self.model_seconds = self._series.histogram(
            "model_seconds",
            "Seconds that a call of a chat model took",
            SLOW_BUCKETS,
            {"operation": MODEL_OPERATIONS},
        )
        self.model_tokens = self._series.counter(
            "model_tokens",
            "Tokens that models took in and gave out",
            {"operation": (*MODEL_OPERATIONS, "embed"), "direction": ("in", "out")},
        )
        self.model_cost = self._series.counter(
            "model_cost_dollars",
            "What the tokens cost by MODEL_PRICES, estimated",
            {"operation": (*MODEL_OPERATIONS, "embed")},
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
            "embedding_wait_seconds", "Seconds that a row waited for its vector", BACKGROUND_BUCKETS
        )
        self.embedding_failures = self._series.counter(
            "embedding_failures", "Batches of the backfill that failed"
        )
        self.embedding_refusals = self._series.counter(
            "embedding_refusals",
            "Rows set aside without a vector, since the model refuses their text",
            {"noun": EMBEDDED_TABLES},
        )
        self.jobs = self._series.gauge("jobs", "Jobs in the queue by state", {"state": ()})
        self.jobs_done = self._series.counter(
            "jobs_done", "Jobs by kind and how they ended", {"job": (), "outcome": ()}
        )
        self.job_seconds = self._series.histogram(
            "job_seconds", "Seconds that a job took", BACKGROUND_BUCKETS, {"job": ()}
        )

    def count_action(self, action: UserAction, count: int = 1) -> None:
        self.user_actions.labels(action).inc(count)


FREE_PRICE = Price(0.0)


class TokenCosts:
    """Counts the tokens that models take in and give out, and what they cost. `prices` are by the
    name of the model; see `memory.config.prices`."""

    def __init__(self, counters: MemoryMetrics, prices: Mapping[str, Price]) -> None:
        self._counters = counters
        self._prices = prices

    def note(self, operation: str, model: str, taken_in: int, given_out: int = 0) -> None:
        """`operation` is what the model was called for. A server that tells of fewer tokens than
        none is told of none: a counter refuses to go back, and that would end the reply."""
        taken_in, given_out = max(taken_in, 0), max(given_out, 0)
        tokens = self._counters.model_tokens
        tokens.labels(operation, "in").inc(taken_in)
        tokens.labels(operation, "out").inc(given_out)
        price = self._prices.get(model, FREE_PRICE)
        self._counters.model_cost.labels(operation).inc(price.of(taken_in, given_out))
