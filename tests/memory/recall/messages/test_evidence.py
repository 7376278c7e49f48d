from __future__ import annotations

import math
from uuid import UUID

import pytest

from memory.retrieval.hybrid_search import SearchResults
from memory.retrieval.message_relevance import MessageEvidence, collect_message_evidence
from memory.store.search import KeywordHit, MessageCandidate
from memory.types import Role
from tests.memory.recall.messages.said import beside, row


def found(*hits: tuple[UUID, float, float], answered: bool = True) -> SearchResults:
    keyword = [KeywordHit(*hit) for hit in hits] if answered else None
    return SearchResults(keyword, [], None, 0.0)


def of(query: str, said: MessageCandidate, *hits: tuple[UUID, float, float]) -> dict[str, float]:
    [(_, why)] = collect_message_evidence(query, found(*hits), [said])
    return why.features


def test_gaps_are_to_the_best_of_each() -> None:
    one, two = row("one", cosine=0.9), row("two", cosine=0.4)
    weighed = collect_message_evidence(
        "q", found((two.id, 0.5, 0.7), (one.id, 0.1, 0.2)), [one, two]
    )
    first, second = (why.features for _, why in weighed)
    assert (first["cosine"], first["cosine_gap"]) == (0.9, 0)
    assert second["cosine_gap"] == pytest.approx(0.5)
    assert (second["bm25_gap"], second["coverage_gap"]) == (0, 0)
    assert first["bm25_gap"] == pytest.approx(0.4)
    assert first["coverage_gap"] == pytest.approx(0.5)


def test_a_question_makes_no_answer_look_far() -> None:
    asked, told = row("Where is the cat?", cosine=0.99), row("On the sofa.", cosine=0.3)
    weighed = collect_message_evidence("the cat", found((asked.id, 0.9, 1.0)), [asked, told])
    question, answer = (why.features for _, why in weighed)
    for name in ("cosine_gap", "bm25_gap", "coverage_gap"):
        assert (question[name], answer[name]) == (0, 0)


def test_the_neighbours_speak_with_their_own_words() -> None:
    before, after = beside("Who is it?", cosine=0.8), beside("Ah.", cosine=0.1)
    said = row("Nyx.", before=before, after=after)
    features = of("q", said, (before.id, 0.6, 0.6), (after.id, 0.2, 0.2))
    assert (features["before_cosine"], features["before_bm25"]) == (0.8, 0.6)
    assert (features["after_cosine"], features["after_bm25"]) == (0.1, 0.2)
    assert (features["answers_cosine"], features["answers_bm25"]) == (0.8, 0.6)


def test_what_follows_a_statement_answers_nothing() -> None:
    before = beside("It is late.", cosine=0.8)
    features = of("q", row("Nyx.", before=before), (before.id, 0.6, 0.6))
    assert features["before_bm25"] == 0.6
    assert (features["answers_cosine"], features["answers_bm25"]) == (0, 0)


@pytest.mark.parametrize("before", ["Who is your mother", "Long day. Who is it?", "what is it?"])
def test_a_question_before_it_is_one_with_or_without_a_mark(before: str) -> None:
    assert of("q", row("Nyx.", before=beside(before)))["answers_cosine"] == 0.5


@pytest.mark.parametrize(
    ("query", "role", "fits"),
    [
        ("What did I say about it?", "user", 1),
        ("What did I say about it?", "assistant", -1),
        ("What did you say about it?", "assistant", 1),
        ("When did we talk about it?", "user", 0),
        ("Where is it?", "assistant", 0),
    ],
)
def test_whose_words_are_asked_for(query: str, role: Role, fits: int) -> None:
    features = of(query, row("It is here.", role))
    assert features["speaker_fits"] == fits
    assert features["by_user"] == (role == "user")


def test_a_number_is_missing_where_one_is_asked_for() -> None:
    assert of("How old is it?", row("It is old."))["number_missing"] == 1
    assert of("How old is it?", row("It is 7 years old."))["number_missing"] == 0
    assert of("When did we talk about the cat?", row("The cat is old."))["number_missing"] == 0


def test_what_is_longer_than_a_paragraph_is_less_likely_for_it() -> None:
    short, long = (of("q", row("x" * length))["log_length"] for length in (150, 300))
    assert short == 0
    assert long == pytest.approx(math.log(2))


def test_a_leg_that_did_not_answer_is_told_from_one_that_found_nothing() -> None:
    said = row("here", cosine=None)
    [(_, silent)] = collect_message_evidence("q", found(answered=False), [said])
    [(_, empty)] = collect_message_evidence("q", found(), [said])
    assert (silent.own.bm25, silent.own.cosine) == (None, None)
    assert empty.own.bm25 == 0.0
    assert silent.features == empty.features


def test_every_feature_has_a_coefficient() -> None:
    from memory.retrieval.message_relevance import DEFAULT_MESSAGE_CALIBRATION

    [(_, why)] = collect_message_evidence("q", found(), [row("here")])
    assert isinstance(why, MessageEvidence)
    assert set(why.features) == set(DEFAULT_MESSAGE_CALIBRATION.both.model_dump()) - {"intercept"}
