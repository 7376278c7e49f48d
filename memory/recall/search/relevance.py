"""The probability that a memory helps with a question.

A logistic model over what both legs say of a candidate. Its coefficients are
data, one file per embedding model in `calibration/`, fitted by
`python -m eval calibrate`; a model without a file gets `DEFAULT`.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from importlib.resources import files

from pydantic import BaseModel, ConfigDict


@dataclass(frozen=True)
class Evidence:
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
    """log-odds = intercept + Σ coefficient · feature, by the names of `Evidence.features`."""

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


class Calibration(BaseModel):
    """One set of coefficients for each combination of legs that answered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    both: Coefficients
    keyword: Coefficients
    vector: Coefficients


# For a model that was never calibrated: even odds at a cosine of 0.45 or at half of the
# question's words, which suits models whose unrelated texts lie around 0.1–0.2.
DEFAULT = Calibration(
    both=Coefficients(intercept=-4.5, cosine=9.0, cosine_gap=-2.0, bm25=1.0, coverage=2.0),
    keyword=Coefficients(intercept=-2.5, bm25=2.0, coverage=4.0),
    vector=Coefficients(intercept=-4.5, cosine=10.0, cosine_gap=-2.0),
)


def load_calibration(embedding_model: str) -> Calibration:
    """The coefficients for an embedding model, or `DEFAULT` where there are none."""
    folder = files("memory.recall").joinpath("calibration")
    entry = folder.joinpath(f"{embedding_model.replace('/', '_')}.json")
    if not entry.is_file():
        return DEFAULT
    return Calibration(**json.loads(entry.read_text(encoding="utf-8"))["coefficients"])


def relevance(evidence: Evidence, calibration: Calibration) -> float:
    """The probability in [0, 1] under the coefficients for the legs that answered; 0 where none
    did."""
    odds = log_odds_of(evidence, calibration)
    return 0.0 if odds is None else sigmoid(odds)


def log_odds_of(evidence: Evidence, calibration: Calibration) -> float | None:
    """The log-odds under the coefficients for the legs that answered; None where none did."""
    has_vector = evidence.cosine is not None and evidence.best_cosine is not None
    has_keyword = evidence.bm25 is not None
    if not has_vector and not has_keyword:
        return None
    chosen = calibration.both
    if not has_vector:
        chosen = calibration.keyword
    elif not has_keyword:
        chosen = calibration.vector
    return log_odds(evidence, chosen)


def log_odds(evidence: Evidence, by: Coefficients) -> float:
    weighed: float = sum(getattr(by, name) * x for name, x in evidence.features.items())
    return by.intercept + weighed


def sigmoid(x: float) -> float:
    """1 / (1 + e⁻ˣ) without overflow."""
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))
