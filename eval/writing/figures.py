"""From the scores of turns to figures, overall and by category. Pure functions.

Turns of a thread depend on each other, so the intervals draw whole threads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from eval.measures.bootstrap import Count, ratio, with_interval
from eval.measures.failures import Failure
from eval.measures.metrics import percentile
from eval.measures.summary import Figures
from eval.writing.scores import TurnScore

Counting: TypeAlias = Callable[[TurnScore], Count]

_NOTHING: Count = (0, 0)


def writing_figures(scores: Sequence[TurnScore]) -> Figures:
    """Junk is counted in two ways, by the turns that should store nothing and by the memories that
    nobody wanted; `junk_kept` is the worse of the two. `incomplete_memories` are the unwanted ones
    that say a part of what was wanted."""
    figures: Figures = {"turns": len(scores)}
    for name, counting in _SHARES.items():
        figures |= with_interval(name, _by_thread(scores, counting))
    return {**figures, "junk_kept": _worse(figures), **_totals(scores)}


def category_figures(scores: Sequence[TurnScore]) -> Figures:
    """Those that differ from category to category, without intervals: it is too small for them."""
    shares = {name: ratio([_SHARES[name](score) for score in scores]) for name in _OF_CATEGORY}
    return {
        "turns": len(scores),
        "memories": sum(score.stored for score in scores),
        **shares,
        "duplicates_stored": sum(score.duplicate is True for score in scores),
    }


def by_category(scores: Sequence[TurnScore]) -> dict[str, Figures]:
    names = sorted({score.category for score in scores})
    return {
        name: category_figures([score for score in scores if score.category == name])
        for name in names
    }


def writing_speed(scores: Sequence[TurnScore]) -> Figures:
    latencies = [score.latency_ms for score in scores if score.latency_ms is not None]
    return {
        "learn_p50_ms": percentile(latencies, 50),
        "learn_p95_ms": percentile(latencies, 95),
    }


def failures_of(scores: Sequence[TurnScore], secrets: Mapping[str, Sequence[str]]) -> list[Failure]:
    """`secrets` says by turn where its secret was found."""
    return [
        Failure(score.id, score.category, "; ".join(faults), score.held_back)
        for score in scores
        if (faults := [*_faults(score), *(f"secret in {at}" for at in secrets.get(score.id, ()))])
    ]


def _faults(score: TurnScore) -> list[str]:
    told = {
        f"not learned: {score.error}": score.error is not None,
        f"{score.wanted - score.met} of {score.wanted} wanted not kept": score.met < score.wanted,
        f"{score.junk} unwanted stored": score.junk > 0,
        "another type": score.types_right < score.met,
        "another bank": score.banks_right < score.met,
        "another date": score.dates_right < score.dated,
        "stored beside what it repeats": score.duplicate is True,
        "repeat not counted": score.counted is False,
        "older memory left active": score.left_active is True,
        "asked without need": score.asked_needlessly,
        f"{score.wrong_supersedes} wrongly superseded": score.wrong_supersedes > 0,
    }
    return [what for what, is_so in told.items() if is_so]


def _totals(scores: Sequence[TurnScore]) -> Figures:
    return {
        "memories": sum(score.stored for score in scores),
        "incomplete_memories": sum(score.incomplete for score in scores),
        "duplicates_stored": sum(score.duplicate is True for score in scores),
        "wrong_supersedes": sum(score.wrong_supersedes for score in scores),
        "not_learned": sum(score.error is not None for score in scores),
    }


def _worse(figures: Figures) -> float | None:
    """The larger share of junk; without a memory stored there is none."""
    turns, memories = figures["junk_turns"], figures["junk_memories"]
    if turns is None or memories is None:
        return turns if memories is None else memories
    return max(turns, memories)


def _by_thread(scores: Sequence[TurnScore], counting: Counting) -> list[Count]:
    sums: dict[str, Count] = defaultdict(lambda: _NOTHING)
    for score in scores:
        hits, of = counting(score)
        before = sums[score.thread]
        sums[score.thread] = (before[0] + hits, before[1] + of)
    return list(sums.values())


def _where(is_so: bool | None) -> Count:
    """One of one, none of one, or not counted."""
    return _NOTHING if is_so is None else (is_so, 1)


def _junk_turn(score: TurnScore) -> Count:
    return (score.stored > 0, 1) if score.must_store_nothing else _NOTHING


_SHARES: dict[str, Counting] = {
    "wanted_kept": lambda score: (score.met, score.wanted),
    "junk_turns": _junk_turn,
    "junk_memories": lambda score: (score.junk, score.stored),
    "contradictions_left_active": lambda score: _where(score.left_active),
    "repeats_counted": lambda score: _where(score.counted),
    "type_accuracy": lambda score: (score.types_right, score.met),
    "bank_accuracy": lambda score: (score.banks_right, score.met),
    "date_accuracy": lambda score: (score.dates_right, score.dated),
    "asked_share": lambda score: (score.asked, 1),
    "asked_needlessly": lambda score: (score.asked_needlessly, 1),
}
_OF_CATEGORY = (
    "wanted_kept",
    "junk_turns",
    "junk_memories",
    "contradictions_left_active",
    "type_accuracy",
    "bank_accuracy",
    "date_accuracy",
)
