"""The probability that a memory helps with a question.

A logistic model over what both legs and the question's words say of a candidate. Its coefficients
are data, one file per embedding model in `calibration/`, fitted by `python -m eval calibrate`; a
model without a file gets `DEFAULT_CALIBRATION`.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Generic, TypedDict, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from memory.retrieval.hybrid_search import SearchResults
from memory.retrieval.names import find_strangers
from memory.retrieval.query import asks_for_number, holds_number, is_personal
from memory.store.search import KeywordHit, SearchCandidate


@dataclass(frozen=True)
class MemoryEvidence:
    """What speaks for one candidate.

    `cosine` and `best_cosine` (the highest of the pool) in [-1, 1], None where the
    question or the memory has no vector; `bm25`, `coverage` and their highest of the
    pool in [0, 1], None where the keyword leg did not answer, 0 where it did not find
    the memory. `personal` says that the question speaks of the one who asks,
    `nameless_cosine` is the cosine to the question without its names, None where it has none;
    `number_missing` says that it asks for a number or date and the memory holds none. `pool`
    is the number of candidates: the more there are, the less one of them means; `words` the number
    of words in the question. A `stranger` is told of somebody else than the question is about,
    which is no matter of degree and not weighed.
    """

    cosine: float | None
    best_cosine: float | None
    bm25: float | None
    best_bm25: float | None
    coverage: float | None
    best_coverage: float | None
    personal: bool = False
    number_missing: bool = False
    nameless_cosine: float | None = None
    pool: int = 1
    words: int = 1
    stranger: bool = False

    @property
    def features(self) -> dict[str, float]:
        """The values that `Coefficients` weighs, by its names; a gap is the best of the pool
        less this one's, and a leg that did not answer counts as 0."""
        cosine, bm25, coverage = self.cosine or 0.0, self.bm25 or 0.0, self.coverage or 0.0
        return {
            "cosine": cosine,
            "cosine_squared": cosine * cosine,
            "cosine_gap": (self.best_cosine or 0.0) - cosine,
            "bm25": bm25,
            "bm25_gap": (self.best_bm25 or 0.0) - bm25,
            "coverage": coverage,
            "coverage_gap": (self.best_coverage or 0.0) - coverage,
            "personal": float(self.personal),
            "number_missing": float(self.number_missing),
            "name_share": self._name_share,
            "log_pool": math.log1p(self.pool),
            "log_words": math.log1p(self.words),
        }

    @property
    def _name_share(self) -> float:
        """How much of the cosine is the names' alone; 0 without names."""
        if self.cosine is None or self.nameless_cosine is None:
            return 0.0
        return max(self.cosine - self.nameless_cosine, 0.0)


class Coefficients(BaseModel):
    """log-odds = intercept + Σ coefficient · feature, by the names of `MemoryEvidence.features`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intercept: float
    cosine: float = 0.0
    cosine_squared: float = 0.0
    cosine_gap: float = 0.0
    bm25: float = 0.0
    bm25_gap: float = 0.0
    coverage: float = 0.0
    coverage_gap: float = 0.0
    personal: float = 0.0
    number_missing: float = 0.0
    name_share: float = 0.0
    log_pool: float = 0.0
    log_words: float = 0.0


class AnswerCoefficients(Coefficients):
    """Of a memory that was read together with the question: what that says counts too, by the names
    of `memory.understanding.cross_encoder.PairLogits`."""

    answers: float = 0.0
    related: float = 0.0


Chosen = TypeVar("Chosen", bound=Coefficients)


class LegCoefficients(BaseModel, Generic[Chosen]):
    """One set of coefficients for each combination of legs that answered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    both: Chosen
    keyword: Chosen
    vector: Chosen

    def of(self, evidence: MemoryEvidence) -> Chosen | None:
        """Those for the legs that answered; None where none did."""
        has_vector = evidence.cosine is not None and evidence.best_cosine is not None
        has_keyword = evidence.bm25 is not None
        if has_vector and has_keyword:
            return self.both
        if has_vector:
            return self.vector
        return self.keyword if has_keyword else None


# For a model that was never calibrated: even odds at a cosine of 0.45 or at half of the
# question's words, which suits models whose unrelated texts lie around 0.1–0.2. What reading a
# memory together with the question says holds for any.
_BY_LEGS = LegCoefficients(
    both=Coefficients(intercept=-4.5, cosine=9.0, cosine_gap=-2.0, bm25=1.0, coverage=2.0),
    keyword=Coefficients(intercept=-2.5, bm25=2.0, coverage=4.0),
    vector=Coefficients(intercept=-4.5, cosine=10.0, cosine_gap=-2.0),
)
_READ = AnswerCoefficients(intercept=-0.5, answers=0.7)


class Calibration(LegCoefficients[Coefficients]):
    """Of the probability that a memory helps; and of the one that it answers by itself, where it
    was `read` together with the question and where it was not."""

    read: LegCoefficients[AnswerCoefficients] = LegCoefficients(
        both=_READ, keyword=_READ, vector=_READ
    )
    unread: LegCoefficients[Coefficients] = _BY_LEGS


DEFAULT_CALIBRATION = Calibration(
    both=_BY_LEGS.both, keyword=_BY_LEGS.keyword, vector=_BY_LEGS.vector
)


@cache
def load_calibration(embedding_model: str) -> Calibration:
    """The coefficients for an embedding model, or `DEFAULT_CALIBRATION` where there are none."""
    folder = files("memory.retrieval").joinpath("calibration")
    entry = folder.joinpath(f"{embedding_model.replace('/', '_')}.json")
    if not entry.is_file():
        return DEFAULT_CALIBRATION
    return Calibration(**json.loads(entry.read_text(encoding="utf-8"))["coefficients"])


def relevance(evidence: MemoryEvidence, calibration: Calibration) -> float:
    """The probability in [0, 1] under the coefficients for the legs that answered; 0 where none
    did."""
    odds = log_odds_of(evidence, calibration)
    return 0.0 if odds is None else sigmoid(odds)


def log_odds_of(
    evidence: MemoryEvidence, calibration: LegCoefficients[Coefficients]
) -> float | None:
    """The log-odds under the coefficients for the legs that answered; None where none did."""
    by = calibration.of(evidence)
    return None if by is None else log_odds(evidence, by)


def log_odds(evidence: MemoryEvidence, by: Coefficients) -> float:
    weighed: float = sum(getattr(by, name) * x for name, x in evidence.features.items())
    return by.intercept + weighed


def sigmoid(x: float) -> float:
    """1 / (1 + e⁻ˣ) without overflow."""
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))


WeighedMemory = tuple[SearchCandidate, MemoryEvidence]
# Candidates come by fused rank: those far down hardly ever pass the cut, and to read
# the names in one takes some hundredths of a millisecond.
NAMES_READ = 40
_NOT_FOUND = KeywordHit(UUID(int=0), 0.0, 0.0)


class _Shared(TypedDict):
    best_cosine: float | None
    best_bm25: float | None
    best_coverage: float | None
    personal: bool
    words: int


def collect_evidence(
    query: str, found: SearchResults, rows: list[SearchCandidate]
) -> list[WeighedMemory]:
    """The candidates in their order, each with its evidence.

    A memory without a vector can only have been found by its words, so its pool is what the
    keyword leg found: a calibration of that leg alone has seen no other.
    """
    answered = found.keyword is not None
    by_id = {hit.id: hit for hit in found.keyword or ()}
    hits = [by_id.get(row.id, _NOT_FOUND) for row in rows]
    shared = _shared(query, answered, rows, hits)
    wants_number = asks_for_number(query)
    found_by_words = sum(row.id in by_id for row in rows)
    strangers = find_strangers(query, [row.content for row in rows[:NAMES_READ]])
    strangers += [False] * (len(rows) - len(strangers))
    return [
        (
            row,
            MemoryEvidence(
                cosine=row.cosine,
                bm25=hit.bm25 if answered else None,
                coverage=hit.coverage if answered else None,
                nameless_cosine=row.nameless_cosine,
                number_missing=wants_number and not holds_number(row.content),
                pool=found_by_words if row.cosine is None else len(rows),
                stranger=stranger,
                **shared,
            ),
        )
        for row, hit, stranger in zip(rows, hits, strangers, strict=True)
    ]


def _shared(
    query: str, answered: bool, rows: list[SearchCandidate], hits: list[KeywordHit]
) -> _Shared:
    return _Shared(
        best_cosine=max((row.cosine for row in rows if row.cosine is not None), default=None),
        best_bm25=max((hit.bm25 for hit in hits), default=0.0) if answered else None,
        best_coverage=max((hit.coverage for hit in hits), default=0.0) if answered else None,
        personal=is_personal(query),
        words=len(query.split()),
    )
