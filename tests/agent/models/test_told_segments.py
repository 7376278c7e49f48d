"""What is made of a model's answer, over what the offline reader has read."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from agent.models.reading_answers import (
    UNSTATED,
    UnreadableAnswer,
    confidence_of,
    ids_of,
    segments_in,
)
from agent.models.told_segments import reading_of
from memory.understanding import Kind, KnownMemory, Message, Reading, Related, Segment
from memory.write.extraction import statements_in
from tests.agent.models.malformed import MARIA, MOVED, REFUSED, TEXT, UNDERSTOOD, answer

AT = datetime(2026, 6, 17, tzinfo=UTC)
MEMORIES = tuple(KnownMemory(uuid4(), text) for text in ("I live in Oslo", "I have a cat"))


def offline(*told: tuple[str, Kind], text: str = TEXT) -> Reading:
    """As it was read before, each segment of one sure kind."""
    return Reading(
        tuple(
            Segment(words, text.find(words), text.find(words) + len(words), kind, {kind: 1.0})
            for words, kind in told
        )
    )


FIRST = offline((MOVED["text"], "fact"), (MARIA["text"], "fact"))


def read(said: str, *, first: Reading = FIRST, text: str = TEXT) -> Reading:
    return reading_of(segments_in(said), Message(text, AT, known=MEMORIES), first)


def texts(reading: Reading) -> list[str]:
    return [each.text for each in reading.segments]


@pytest.mark.parametrize("said", UNDERSTOOD.values(), ids=UNDERSTOOD)
def test_a_malformed_answer_is_taken_for_what_can_be_understood_of_it(said: str) -> None:
    moved, maria = read(said).segments
    assert (moved.text, moved.kind) == (MOVED["text"], "update")
    assert (maria.text, maria.kind, maria.bank) == (MARIA["text"], "fact", "Relationships")


@pytest.mark.parametrize("said", REFUSED.values(), ids=REFUSED)
def test_of_an_answer_without_any_segment_nothing_is_made_and_soon(said: str) -> None:
    began = time.process_time()
    with pytest.raises(UnreadableAnswer):
        read(said)
    assert time.process_time() - began < 1


def test_a_segment_has_what_the_model_says_of_it() -> None:
    [moved, _] = read(answer(MOVED | {"alone": False, "lifetime": "days"})).segments
    assert (moved.category, moved.bank, moved.lifetime) == ("identity", "Personal", "days")
    assert (moved.start, moved.end, moved.alone) == (0, len(MOVED["text"]), False)
    assert moved.kinds == {"update": 0.95, "fact": pytest.approx(0.05)}


def test_what_no_segment_of_the_model_covers_stays_as_it_was_read_offline() -> None:
    assert texts(read(answer(MARIA | {"text": "Maria moved out"}, MOVED))) == [
        MOVED["text"],
        MARIA["text"],
    ]
    part = answer(MARIA | {"text": "My sister Maria is"})
    assert texts(read(part)) == [MOVED["text"], "My sister Maria is"]


def test_a_part_of_a_message_is_read_where_it_stands_now() -> None:
    """What was obeyed was taken out of the text, and not out of the places in the reading."""
    rest = offline((MARIA["text"], "fact"))
    [maria] = read(answer(MARIA | {"kind": "small_talk"}), first=rest, text=MARIA["text"]).segments
    assert (maria.start, maria.kinds["small_talk"]) == (0, 0.95)


def test_the_same_words_are_found_one_after_the_other() -> None:
    again = MOVED | {"text": "I moved."}
    both = read(answer(again, again), text="I moved. I moved.", first=Reading()).segments
    assert [each.start for each in both] == [0, 9]


def test_apostrophes_and_quotation_marks_may_be_others() -> None:
    said = "I’m called „Bo“"
    reading = read(answer(MOVED | {"text": 'I\'m called "Bo"'}), text=said, first=Reading())
    assert texts(reading) == [said]


# Kept is what is told with a probability of 0.12, whoever says so.
@pytest.mark.parametrize(
    ("kind", "confidence", "kept"),
    [
        ("small_talk", 0.95, False),
        ("small_talk", 0.4, True),
        ("question", "high", True),
        ("fact", 0.3, True),
        ("passing", 0.99, False),
    ],
)
def test_only_what_the_model_is_sure_of_is_left_out(
    kind: str, confidence: object, kept: bool
) -> None:
    reading = read(answer(MOVED | {"kind": kind, "confidence": confidence}, MARIA))
    told = [each.text for each in statements_in(reading.segments)]
    assert (MOVED["text"] in told) is kept
    assert MARIA["text"] in told


def test_what_is_to_be_left_out_or_forgotten_is_not_kept() -> None:
    left_out = read(answer(MOVED | {"kind": "do_not_remember"}, MARIA))
    assert statements_in(left_out.segments) == []
    forgets = read(answer(MOVED | {"kind": "forget"}, MARIA))
    assert [each.text for each in statements_in(forgets.segments)] == [MARIA["text"]]


@pytest.mark.parametrize("kind", ["forget", "control", "do_not_remember", "remember"])
def test_what_the_model_says_commands_nothing(kind: Kind) -> None:
    reading = read(answer(MOVED | {"kind": kind, "memories": ["m1"], "relation": "ends"}))
    assert reading.orders == ()
    assert reading.segments[0].kind != "remember"


def test_that_it_is_to_be_kept_is_heard_where_it_was_heard_offline() -> None:
    asked = offline((MOVED["text"], "remember"), (MARIA["text"], "fact"))
    moved, maria = read(
        answer(MOVED | {"kind": "remember"}, MARIA | {"kind": "remember"}), first=asked
    ).segments
    assert (moved.kind, maria.kind) == ("remember", "fact")


@pytest.mark.parametrize(
    ("relation", "memories", "related"),
    [
        ("replaces", ["m1"], Related("replaces", MEMORIES[:1], 0.95)),
        ("Adds to", "m2, m1", Related("adds_to", MEMORIES[::-1], 0.95)),
        ("ends", ["m1", "m1", "m9", "m0"], Related("ends", MEMORIES[:1], 0.95)),
        ("ends", ["m3"], None),
        ("ends", [str(MEMORIES[0].id)], None),
        ("ends", None, None),
        ("erases", ["m1"], None),
        (["ends"], ["m1"], None),
        ("new", ["m1"], Related("new", MEMORIES[:1], 0.95)),
    ],
)
def test_a_relation_is_to_memories_that_were_shown(
    relation: object, memories: object, related: Related | None
) -> None:
    said = answer(MOVED | {"relation": relation, "memories": memories})
    assert read(said).segments[0].related == related


USABLE: list[tuple[Any, float]] = [(0.3, 0.3), (1, 1.0), (80, 0.8), ("85 %", 0.85), ("0.4", 0.4)]
UNUSABLE: list[Any] = [None, True, "sure", -1, 101, [], float("inf")]


@pytest.mark.parametrize(
    ("given", "share"), [*USABLE, *((each, UNSTATED) for each in UNUSABLE)], ids=str
)
def test_a_confidence_is_read_as_a_share(given: Any, share: float) -> None:
    assert confidence_of({"confidence": given}) == pytest.approx(share)


def test_short_ids_are_read_from_a_list_or_from_words() -> None:
    assert ids_of({"memories": "M1 and m12, m1"}) == ["m1", "m12"]
    assert ids_of({"memories": [{"id": "m2"}, 3, "m2000"]}) == ["m2"]
    assert ids_of({}) == []
