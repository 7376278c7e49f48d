"""The probability that a past message helps with a question.

A logistic model like that of memories (`memory.recall.search.relevance`), with features of its
own. Its coefficients are data, one file per embedding model in `calibration/messages/`; a model
without a file gets `DEFAULT`.
"""

from __future__ import annotations

import json
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from memory.recall.messages.evidence import MessageEvidence
from memory.recall.search.relevance import sigmoid


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
    asks: float = 0.0
    repeats: float = 0.0
    log_length: float = 0.0


class MessageCalibration(BaseModel):
    """One set of coefficients for each combination of legs that answered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    both: MessageCoefficients
    keyword: MessageCoefficients
    vector: MessageCoefficients


# For a model that was never calibrated, set by hand: even odds for a sentence of a hundred
# characters at a cosine of about 0.5, or at half of the question's words; behind a question that
# asked the same, at half of either.
_BESIDE = {"by_user": 0.3, "speaker_fits": 0.7, "number_missing": -0.5, "asks": -1.5}
_FORM = {"repeats": -1.0, "log_length": 0.2}
DEFAULT = MessageCalibration(
    both=MessageCoefficients(
        intercept=-5.6,
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
        **_FORM,
    ),
    keyword=MessageCoefficients(
        intercept=-3.6,
        bm25=2.0,
        coverage=4.0,
        before_bm25=0.5,
        after_bm25=0.5,
        answers_bm25=3.5,
        **_BESIDE,
        **_FORM,
    ),
    vector=MessageCoefficients(
        intercept=-5.6,
        cosine=10.0,
        cosine_gap=-2.0,
        before_cosine=0.7,
        after_cosine=0.5,
        answers_cosine=4.0,
        **_BESIDE,
        **_FORM,
    ),
)


def load_message_calibration(embedding_model: str) -> MessageCalibration:
    """The coefficients for an embedding model, or `DEFAULT` where there are none."""
    folder = files("memory.recall").joinpath("calibration", "messages")
    entry = folder.joinpath(f"{embedding_model.replace('/', '_')}.json")
    if not entry.is_file():
        return DEFAULT
    return MessageCalibration(**json.loads(entry.read_text(encoding="utf-8"))["coefficients"])


def relevance(evidence: MessageEvidence, calibration: MessageCalibration) -> float:
    """The probability in [0, 1] under the coefficients for the legs that answered."""
    has_vector, has_keyword = evidence.own.cosine is not None, evidence.own.bm25 is not None
    if not has_vector and not has_keyword:
        return 0.0
    chosen = calibration.both
    if not has_vector:
        chosen = calibration.keyword
    elif not has_keyword:
        chosen = calibration.vector
    return sigmoid(log_odds(evidence, chosen))


def log_odds(evidence: MessageEvidence, by: MessageCoefficients) -> float:
    weights: dict[str, float] = by.model_dump()
    return by.intercept + sum(weights[name] * x for name, x in evidence.features.items())
