"""The probability that a past message helps with a question, and what speaks for it. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from memory.retrieval.hybrid_search import SearchResults
from memory.retrieval.query import (
    asked_speaker,
    asks_for_number,
    content_words,
    conversation_topic,
    holds_number,
)
from memory.retrieval.relevance import sigmoid
from memory.store.search import AdjacentMessage, KeywordHit, MessageCandidate
from memory.types import Role
from memory.understanding.sentences import is_question

_QUOTED = re.compile(r"“[^”]*”|«[^»]*»|\"[^\"]*\"")
# Of all words that are left without the quotes and what memory held.
_MOST_NEW = 0.34
_ATTRIBUTING = frozenset(
    re.findall(
        r"\w+",
        "based basis tell told say said mention mentioned remember remembered recall recalled "
        "know note noted keep kept memory memories according earlier before previously once "
        "here yes all right january february march april may june july august september october "
        "november december nothing something anything only also thing things ",
    )
)


def only_repeats(row: MessageCandidate) -> bool:
    """Whether the message is the assistant's, holds quotes or memories it was given, and little
    else: at most a third of its words is new, dates and “you told me” aside. Such a reply is not to
    outrank who said it."""
    if row.role != "assistant":
        return False
    quoted = " ".join(_QUOTED.findall(row.content))
    known = content_words(" ".join((quoted, *row.rested_on)))
    said = _plain(content_words(row.content))
    if not said & known:
        return False
    own = _plain(content_words(_QUOTED.sub(" ", row.content)))
    return len(own - known) <= _MOST_NEW * len(said)


def _plain(words: set[str]) -> set[str]:
    return {word for word in words if not word.isdecimal()} - _ATTRIBUTING


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
            "log_length": math.log(max(self.characters / _SHORT, 1.0)),
        }


WeighedMessage = tuple[MessageCandidate, MessageEvidence]
_NOTHING = Signals(None, None)
# Characters: what is shorter than this is no likelier for it.
_SHORT = 150
# Characters: what is longer tells something.
_LONGEST_QUESTION = 2_000


def collect_message_evidence(
    query: str, found: SearchResults, rows: Sequence[MessageCandidate]
) -> list[WeighedMessage]:
    """The messages in their order, each with its evidence."""
    by_words = None if found.keyword is None else {hit.id: hit for hit in found.keyword}
    own = [_signals(row, by_words) for row in rows]
    asking = [_asks(row.content) for row in rows]
    best = _best([each for each, asks in zip(own, asking, strict=True) if not asks])
    speaker = asked_speaker(query)
    wants_number = asks_for_number(conversation_topic(query))
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


def _signals(
    said: MessageCandidate | AdjacentMessage, by_words: dict[UUID, KeywordHit] | None
) -> Signals:
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


class MessageCoefficients(BaseModel):
    """log-odds = intercept + Σ coefficient · feature, by the names of
    `MessageEvidence.features`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intercept: float
    cosine: float = 0.0
    cosine_gap: float = 0.0
    bm25: float = 0.0
    bm25_gap: float = 0.0
    coverage: float = 0.0
    coverage_gap: float = 0.0
    before_cosine: float = 0.0
    before_bm25: float = 0.0
    after_cosine: float = 0.0
    after_bm25: float = 0.0
    answers_cosine: float = 0.0
    answers_bm25: float = 0.0
    by_user: float = 0.0
    speaker_fits: float = 0.0
    number_missing: float = 0.0
    log_length: float = 0.0


class MessageCalibration(BaseModel):
    """One set of coefficients for each combination of legs that answered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    both: MessageCoefficients
    keyword: MessageCoefficients
    vector: MessageCoefficients


# For a model that was never calibrated, set by hand: even odds at a cosine of about 0.5, or at half
# of the question's words; behind a question that asked the same, at half of either.
_BESIDE = {"by_user": 0.3, "speaker_fits": 0.7, "number_missing": -0.5}
DEFAULT_MESSAGE_CALIBRATION = MessageCalibration(
    both=MessageCoefficients(
        intercept=-4.7,
        cosine=9.0,
        cosine_gap=-2.0,
        bm25=1.0,
        coverage=2.0,
        before_cosine=0.7,
        before_bm25=0.5,
        after_cosine=0.5,
        after_bm25=0.5,
        answers_cosine=3.0,
        answers_bm25=1.5,
        **_BESIDE,
    ),
    keyword=MessageCoefficients(
        intercept=-2.7,
        bm25=2.0,
        coverage=4.0,
        before_bm25=0.5,
        after_bm25=0.5,
        answers_bm25=3.5,
        **_BESIDE,
    ),
    vector=MessageCoefficients(
        intercept=-4.7,
        cosine=10.0,
        cosine_gap=-2.0,
        before_cosine=0.7,
        after_cosine=0.5,
        answers_cosine=4.0,
        **_BESIDE,
    ),
)


@cache
def load_message_calibration(embedding_model: str) -> MessageCalibration:
    """The coefficients for an embedding model, or the default where there are none."""
    folder = files("memory.retrieval").joinpath("calibration", "messages")
    entry = folder.joinpath(f"{embedding_model.replace('/', '_')}.json")
    if not entry.is_file():
        return DEFAULT_MESSAGE_CALIBRATION
    return MessageCalibration(**json.loads(entry.read_text(encoding="utf-8"))["coefficients"])


def message_probability(evidence: MessageEvidence, calibration: MessageCalibration) -> float:
    """The probability in [0, 1] under the coefficients for the legs that answered."""
    has_vector, has_keyword = evidence.own.cosine is not None, evidence.own.bm25 is not None
    if not has_vector and not has_keyword:
        return 0.0
    chosen = calibration.both
    if not has_vector:
        chosen = calibration.keyword
    elif not has_keyword:
        chosen = calibration.vector
    return sigmoid(message_log_odds(evidence, chosen))


def message_log_odds(evidence: MessageEvidence, by: MessageCoefficients) -> float:
    weights: dict[str, float] = by.model_dump()
    return by.intercept + sum(weights[name] * x for name, x in evidence.features.items())
