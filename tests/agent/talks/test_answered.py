from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4

from agent.explanation import make_answer_basis
from memory.types import LeftOut, MemoryItem, MemoryQueryResponse, RecalledMessage

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
USED, OTHER, WEAK = uuid4(), uuid4(), uuid4()


def recalled(item_id: UUID) -> MemoryItem:
    return MemoryItem(
        id=str(item_id),
        content="I like tea",
        type="fact",
        relevance_score=0.8,
        answer_score=0.9,
        confidence="high",
        source=None,
        created_at=NOON,
        importance=0.5,
    )


def left_out(item_id: UUID, relevance: float) -> LeftOut:
    return LeftOut(id=str(item_id), content="My secret plan", relevance=relevance, why="score")


def test_what_any_recall_used_is_not_left_out_and_nothing_is_left_out_twice() -> None:
    first = MemoryQueryResponse(left_out=(left_out(WEAK, 0.1), left_out(USED, 0.2)))
    second = MemoryQueryResponse(
        items=[recalled(USED)], left_out=(left_out(OTHER, 0.25), left_out(WEAK, 0.28))
    )
    answered = make_answer_basis([recalled(USED)], [first, second], [], 0.3)
    assert [(each.id, each.relevance) for each in answered.rested] == [(USED, 0.8)]
    assert [(each.id, each.relevance) for each in answered.unused] == [(WEAK, 0.28), (OTHER, 0.25)]
    assert answered.ids == (USED, WEAK, OTHER)
    assert answered.looked


def test_no_word_of_a_memory_or_a_message_is_kept() -> None:
    said = RecalledMessage(
        id=str(uuid4()),
        conversation_id=str(uuid4()),
        role="user",
        content="tea again",
        created_at=NOON,
        relevance_score=0.5,
        before="assistant: more tea?",
    )
    response = MemoryQueryResponse(items=[recalled(USED)], left_out=(left_out(OTHER, 0.1),))
    answered = make_answer_basis([recalled(USED)], [response], [said], 0.3)
    assert [each.relevance for each in answered.quoted] == [0.5]
    for word in ("tea", "plan"):
        assert word not in repr(answered)


def test_an_answer_for_which_memory_was_not_asked_says_so() -> None:
    assert not make_answer_basis([], [], [], 0.3).looked
