from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from agent.talks.dialogue import AskedWhichHolds, News
from agent.turn.events import TurnClosed
from app.chats.events import DoneEvent, LearnedEvent
from memory.models import KeptItem, Outcome
from memory.recalls import LeftOut


def kept(text: str) -> KeptItem:
    return KeptItem(
        id=uuid4(),
        content=text,
        type="fact",
        space="default",
        bank="General",
        role="user",
        tags=(),
        importance=0.5,
        pinned=False,
        manually_saved=False,
        created_at=datetime.now(UTC),
        occurred_at=None,
        source_message_id=None,
        repeat_count=0,
        superseded_by=None,
        deleted_at=None,
    )


def test_a_doubt_is_told_with_both_of_its_memories() -> None:
    older, newer, doubt = kept("I live in Bergen"), kept("I live in Oslo"), uuid4()
    outcome = Outcome("doubtful", newer, (older,), (doubt,))

    noted = News("noted: I live in Oslo", "noted", outcome=outcome)
    question = News("Does Oslo replace Bergen?", "asked", AskedWhichHolds(doubt), outcome)

    told = LearnedEvent.of([noted, question, News("not noted: x", "left_out")])

    assert told.notices == ["noted: I live in Oslo", "Does Oslo replace Bergen?", "not noted: x"]
    assert told.others == ["not noted: x"]
    assert [each.id for each in told.kept] == [newer.id]
    [asked] = told.doubts
    assert (asked.id, asked.older.id, asked.newer.id) == (doubt, older.id, newer.id)
    assert "Bergen" in asked.question
    assert told.replaced == []


def test_what_was_replaced_asks_nothing() -> None:
    newer, older = kept("I live in Oslo"), kept("I live in Bergen")
    outcome = Outcome("replaced", newer, (older,))

    told = LearnedEvent.of([News("noted", "replaced", outcome=outcome)])

    assert told.doubts == []
    [replaced] = told.replaced
    assert (replaced.entry, [each.id for each in replaced.older]) == (newer.id, [older.id])


def test_the_end_says_why_a_memory_was_left_out() -> None:
    left = LeftOut(id=str(uuid4()), content="I own a kayak", relevance=0.2, why="score")

    [told] = DoneEvent.of(TurnClosed("complete", left_out=(left,), min_relevance=0.3)).left_out

    assert (told.text, told.reason, told.said) == (
        "I own a kayak",
        "score",
        "below the cut of 0.30",
    )


def test_what_was_unsaid_is_not_repeated() -> None:
    told = DoneEvent.of(TurnClosed("complete", unsaid=("I own a kayak",)))

    assert told.unsaid
    assert "kayak" not in told.model_dump_json()
