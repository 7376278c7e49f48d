"""What speaks for a past message, from both legs, its words, and the messages beside it. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.models import Role
from memory.recall.choice.questions import is_question
from memory.recall.messages.asking import asked_speaker, topic_of
from memory.recall.messages.echo import only_repeats
from memory.recall.question import asks_for_number, holds_number
from memory.recall.search.legs import Found
from memory.store.conversations.message_search import MessageRow, Neighbour
from memory.store.memories.search import KeywordHit


@dataclass(frozen=True)
class Signals:
    """What both legs say of one message: `cosine` in [-1, 1], None without a vector; `bm25` and
    `coverage` in [0, 1], None where the keyword leg did not answer, 0 where it found nothing."""

    cosine: float | None
    bm25: float | None
    coverage: float | None = None


@dataclass(frozen=True)
class MessageEvidence:
    """What speaks for one candidate.

    `best` are the highest values of what tells anything in the pool, each by itself: however near a
    question is, it makes no answer look far. `before` and `after` are of the
    messages beside it, None where there is none; `answers` says that the one before it ends in a
    question. `speaker_fits` is 1 where the question asks for the words of who said it, -1 where it
    asks for the other's, 0 where it does not say. `repeats` is a reply that only quotes memories.
    """

    own: Signals
    best: Signals
    before: Signals | None = None
    after: Signals | None = None
    answers: bool = False
    by_user: bool = False
    speaker_fits: int = 0
    number_missing: bool = False
    asks: bool = False
    repeats: bool = False
    characters: int = 0

    @property
    def features(self) -> dict[str, float]:
        """The values that `MessageCoefficients` weighs, by its names; a gap is the best of the pool
        less this one's, 0 where this one is above it. What is not known counts as 0."""
        before, after = self.before or _NOTHING, self.after or _NOTHING
        cosine, bm25, coverage = _known(self.own)
        best_cosine, best_bm25, best_coverage = _known(self.best)
        before_cosine, before_bm25, _ = _known(before)
        after_cosine, after_bm25, _ = _known(after)
        return {
            "cosine": cosine,
            "cosine_gap": max(best_cosine - cosine, 0.0),
            "bm25": bm25,
            "bm25_gap": max(best_bm25 - bm25, 0.0),
            "coverage": coverage,
            "coverage_gap": max(best_coverage - coverage, 0.0),
            "before_cosine": before_cosine,
            "before_bm25": before_bm25,
            "after_cosine": after_cosine,
            "after_bm25": after_bm25,
            "answers_cosine": self.answers * before_cosine,
            "answers_bm25": self.answers * before_bm25,
            "by_user": float(self.by_user),
            "speaker_fits": float(self.speaker_fits),
            "number_missing": float(self.number_missing),
            "asks": float(self.asks),
            "repeats": float(self.repeats),
            "log_length": math.log1p(self.characters),
        }


Weighed = tuple[MessageRow, MessageEvidence]
_NOTHING = Signals(None, None)
# Characters: what is longer tells something.
_LONGEST_QUESTION = 2_000


def weigh(query: str, found: Found, rows: Sequence[MessageRow]) -> list[Weighed]:
    """The messages in their order, each with its evidence."""
    by_words = None if found.keyword is None else {hit.id: hit for hit in found.keyword}
    own = [_signals(row, by_words) for row in rows]
    asking = [_asks(row.content) for row in rows]
    best = _best([each for each, asks in zip(own, asking, strict=True) if not asks])
    speaker = asked_speaker(query)
    wants_number = asks_for_number(topic_of(query))
    return [
        (
            row,
            MessageEvidence(
                own=signals,
                best=best,
                before=None if row.before is None else _signals(row.before, by_words),
                after=None if row.after is None else _signals(row.after, by_words),
                answers=row.before is not None and _ends_in_question(row.before.content),
                by_user=row.role == "user",
                speaker_fits=_fit(speaker, row.role),
                number_missing=wants_number and not holds_number(row.content),
                asks=asks,
                repeats=only_repeats(row),
                characters=len(row.content),
            ),
        )
        for row, signals, asks in zip(rows, own, asking, strict=True)
    ]


def _signals(said: MessageRow | Neighbour, by_words: dict[UUID, KeywordHit] | None) -> Signals:
    if by_words is None:
        return Signals(said.cosine, None, None)
    hit = by_words.get(said.id)
    return (
        Signals(said.cosine, 0.0, 0.0)
        if hit is None
        else Signals(said.cosine, hit.bm25, hit.coverage)
    )


def _best(all_signals: Sequence[Signals]) -> Signals:
    cosines = [each.cosine for each in all_signals if each.cosine is not None]
    bm25s = [each.bm25 for each in all_signals if each.bm25 is not None]
    coverages = [each.coverage for each in all_signals if each.coverage is not None]
    return Signals(
        max(cosines, default=None), max(bm25s, default=None), max(coverages, default=None)
    )


def _known(signals: Signals) -> tuple[float, float, float]:
    return signals.cosine or 0.0, signals.bm25 or 0.0, signals.coverage or 0.0


def _fit(speaker: Role | None, role: Role) -> int:
    if speaker is None:
        return 0
    return 1 if speaker == role else -1


def _asks(text: str) -> bool:
    return len(text) <= _LONGEST_QUESTION and is_question(text)


def _ends_in_question(text: str) -> bool:
    return text.rstrip().endswith(("?", "？")) or _asks(text)
