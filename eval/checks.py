"""What a run is held to, and whether it passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["blocking", "warning", "target"]
MEASURED_DIGITS = 9


@dataclass(frozen=True)
class Check:
    """One figure against its bound. Only a blocking one decides on PASS or FAIL; a warning says
    that something is wrong, a target what is aimed at. A figure that was not measured fails."""

    metric: str
    bound: float
    kind: Kind
    value: float | None
    at_most: bool = False

    @property
    def passed(self) -> bool:
        if self.value is None:
            return False
        value = round(self.value, MEASURED_DIGITS)
        return value <= self.bound if self.at_most else value >= self.bound


@dataclass(frozen=True)
class Bound:
    metric: str
    bound: float
    kind: Kind
    at_most: bool = False


# A figure over recalls that failed, or that lacked a leg, is not a measurement of the recall.
_WHOLE = (
    Bound("failed_recalls", 0, "blocking", at_most=True),
    Bound("degraded_recalls", 0, "warning", at_most=True),
)

# Specification 001, "Metrics & Thresholds"; the targets are stricter than it.
GOLDEN = (
    Bound("recall_at_5", 0.80, "blocking"),
    Bound("precision_at_5", 0.70, "blocking"),
    Bound("latency_p95_ms", 200, "warning", at_most=True),
    Bound("token_compliance", 1, "blocking"),
    Bound("cross_user_safety", 1, "blocking"),
    *_WHOLE,
    Bound("forbidden_retrievals", 0, "target", at_most=True),
    Bound("hostile_retrievals", 0, "target", at_most=True),
)
# Of the part that nobody reads while developing.
GOLDEN_HELD_BACK = (
    Bound("held_back.recall_at_5", 0.92, "blocking"),
    Bound("held_back.precision", 0.80, "blocking"),
    Bound("held_back.no_answer_accuracy", 0.90, "blocking"),
)
# `loco_`: by coefficients that were fitted on the other conversations of the set.
LOCOMO = (
    *_WHOLE,
    Bound("turns.loco_recall_at_5", 0.60, "target"),
    Bound("observations.loco_recall_at_5", 0.74, "target"),
)
BEAM = (
    *_WHOLE,
    Bound("loco_recall_at_5", 0.72, "target"),
    Bound("no_answer_accuracy", 0.70, "target"),
)
BENCH = (
    Bound("overlap_with_exact", 1, "blocking"),
    Bound("full_row_counts", 1, "blocking"),
    Bound("failed_recalls", 0, "blocking", at_most=True),
    Bound("degraded_recalls", 0, "warning", at_most=True),
    Bound("latency_p95_ms", 40, "warning", at_most=True),
    Bound("with_embedder_p95_ms", 80, "warning", at_most=True),
)
# What is wanted of commands, of ingestion, and of its speed.
COMMANDS = (
    Bound("precision", 0.98, "blocking"),
    Bound("recall", 0.95, "blocking"),
    Bound("object_accuracy", 0.95, "target"),
)
WRITING = (
    Bound("junk_kept", 0.05, "blocking", at_most=True),
    Bound("wanted_kept", 0.80, "blocking"),
    Bound("duplicates_stored", 0, "blocking", at_most=True),
    Bound("contradictions_left_active", 0.10, "blocking", at_most=True),
    Bound("secrets_stored", 0, "blocking", at_most=True),
    Bound("not_learned", 0, "blocking", at_most=True),
    Bound("wrong_supersedes", 0, "target", at_most=True),
    Bound("type_accuracy", 0.90, "target"),
    Bound("bank_accuracy", 0.90, "target"),
    Bound("date_accuracy", 0.90, "target"),
)
BENCH_WRITING = (
    Bound("items_per_second", 100, "warning"),
    Bound("turn_overhead_p50_ms", 15, "warning", at_most=True),
    Bound("turn_overhead_p95_ms", 15, "warning", at_most=True),
)
# A usual message, everything in; and what a process waits for before it reads the first one.
BENCH_READING = (
    Bound("usual_p95_ms", 40, "warning", at_most=True),
    Bound("start_seconds", 3, "warning", at_most=True),
)
# The HTTP server under fifty chats, beside two hundred slow readers, and over ten minutes.
BENCH_SERVING = (
    Bound("errors", 0, "blocking", at_most=True),
    Bound("overhead_p95_ms", 150, "warning", at_most=True),
    Bound("throng_errors", 0, "blocking", at_most=True),
    Bound("recalls_failed", 0, "blocking", at_most=True),
    Bound("readers_served", 200, "blocking"),
    Bound("recall_ratio", 2, "warning", at_most=True),
)
BENCH_SOAK = (
    Bound("errors", 0, "blocking", at_most=True),
    Bound("growth_share", 0.05, "warning", at_most=True),
)
# Two years of maintenance: what may get lost of what still holds, and what has to be saved.
BENCH_YEARS = (
    Bound("points_lost", 0.02, "blocking", at_most=True),
    Bound("rolled_up", 1, "blocking"),
    Bound("storage_saved", 0.15, "warning"),
)
# Killed workers and bad embedding models: every row has its vector, written once. A bad model
# leaves the 95th percentile of recalls where it was, within what two runs differ by; workers that
# start anew take the processor (decision 0019).
BENCH_BACKFILL = (
    Bound("lost", 0, "blocking", at_most=True),
    Bound("written_twice", 0, "blocking", at_most=True),
    Bound("workers_ended_badly", 0, "blocking", at_most=True),
    Bound("recalls_failed", 0, "blocking", at_most=True),
    Bound("recall_ratio_bad_model", 2, "blocking", at_most=True),
    Bound("recall_ratio_killed", 2, "warning", at_most=True),
)
# What an outage leaves. With one leg, half of the whole recall is the least that still is an
# answer; 0.71 (no embedder) to 0.97 (no keyword search) of it is what was measured.
_OUTAGES = ("vector", "keyword", "embedder", "late_embedder", "redis", "both")
OUTAGE = (
    *(Bound(f"{name}.raised", 0, "blocking", at_most=True) for name in _OUTAGES),
    *(Bound(f"{name}.flags_right", 1, "blocking") for name in ("whole", *_OUTAGES)),
    *(Bound(f"{name}.answered", 1, "blocking") for name in _OUTAGES[:-1]),
    *(Bound(f"{name}.of_whole_recall", 0.50, "blocking") for name in _OUTAGES[:-1]),
    Bound("redis.changed", 0, "blocking", at_most=True),
    Bound("both.empty", 1, "blocking"),
)
# What memory is worth to the assistant, and how it says so (specifications 000 and 001, SC-005).
ASSISTANT = (
    Bound("difference", 0.50, "blocking"),
    Bound("citation_accuracy", 1, "blocking"),
    Bound("invented_without", 0, "blocking", at_most=True),
    Bound("recalled_while_off", 0, "blocking", at_most=True),
    Bound("failed_turns", 0, "blocking", at_most=True),
    Bound("success_with", 0.90, "target"),
)
# Silence where nothing answers, and what it may cost.
ABSTENTION = (
    *_WHOLE,
    Bound("golden.abstained", 0.90, "blocking"),
    Bound("golden.silenced", 0.10, "target", at_most=True),
)
ABSTENTION_WITH_BEAM = (*ABSTENTION, Bound("beam.abstained", 0.70, "target"))

# Everyday conversations: what is aimed at of what people say, and that nothing broke meanwhile.
LIFE = (
    *_WHOLE,
    Bound("failed_turns", 0, "blocking", at_most=True),
    Bound("not_learned", 0, "blocking", at_most=True),
    Bound("present", 0.93, "target"),
    Bound("absent", 0.85, "target"),
    Bound("secret_absent", 1, "target"),
    Bound("forget_absent", 0.95, "target"),
    Bound("neighbours_kept", 0.98, "target"),
    Bound("update_whole", 0.75, "target"),
    Bound("both_live_present", 0.95, "target"),
)


def check_bounds(metrics: Mapping[str, Any], bounds: Sequence[Bound]) -> list[Check]:
    """Each bound beside the figure of its name."""
    return [
        Check(
            metric=bound.metric,
            bound=bound.bound,
            kind=bound.kind,
            value=metrics.get(bound.metric),
            at_most=bound.at_most,
        )
        for bound in bounds
    ]


def blocking_checks_pass(checks: Sequence[Check]) -> bool:
    """Whether every blocking check is met."""
    return all(each.passed for each in checks if each.kind == "blocking")
