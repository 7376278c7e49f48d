from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config import LOCAL_MODEL
from memory.retrieval.message_relevance import (
    DEFAULT_MESSAGE_CALIBRATION,
    MessageEvidence,
    Signals,
    load_message_calibration,
    message_probability,
)

SHARES = st.floats(0, 1)
NOTHING = Signals(0.0, 0.0, 0.0)


def evidence(cosine: float | None, bm25: float | None, **fields: object) -> MessageEvidence:
    own = Signals(cosine, bm25, bm25)
    return MessageEvidence(own=own, best=own, characters=100, **fields)  # type: ignore[arg-type]


@given(SHARES, SHARES, st.booleans(), st.booleans())
def test_it_is_a_probability_that_grows_with_either_leg(
    cosine: float, bm25: float, has_vector: bool, has_words: bool
) -> None:
    why = evidence(cosine if has_vector else None, bm25 if has_words else None)
    score = message_probability(why, DEFAULT_MESSAGE_CALIBRATION)
    assert 0 <= score <= 1
    if not has_vector and not has_words:
        assert score == 0
    better = evidence(1.0 if has_vector else None, 1.0 if has_words else None)
    assert message_probability(better, DEFAULT_MESSAGE_CALIBRATION) >= score


@pytest.mark.parametrize(("cosine", "bm25"), [(0.5, 0.0), (None, 0.5)])
def test_the_default_is_as_it_says(cosine: float | None, bm25: float | None) -> None:
    """Even odds at a cosine of 0.5, or at half of the question's words."""
    assert message_probability(
        evidence(cosine, bm25), DEFAULT_MESSAGE_CALIBRATION
    ) == pytest.approx(0.5, abs=0.15)


def test_by_default_an_answer_to_the_same_question_passes_and_stands_above_it() -> None:
    asked = evidence(1.0, 1.0, asks=True)
    answer = evidence(0.2, 0.0, before=Signals(1.0, 0.9, 1.0), answers=True)
    unrelated = evidence(0.2, 0.0)
    assert message_probability(answer, DEFAULT_MESSAGE_CALIBRATION) > 0.6
    assert message_probability(unrelated, DEFAULT_MESSAGE_CALIBRATION) < 0.1
    assert message_probability(asked, DEFAULT_MESSAGE_CALIBRATION) < 1


def test_a_model_without_a_file_gets_the_default() -> None:
    assert load_message_calibration("nobody/has-this") is DEFAULT_MESSAGE_CALIBRATION
    assert load_message_calibration(LOCAL_MODEL) is not None
