from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from agent.turn.events import TurnClosed
from app.terminal.answer import footer_lines, local_day
from memory.types import MemoryItem, StoredMemory

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _recalled(content: str, relevance: float) -> MemoryItem:
    return MemoryItem(
        id=str(uuid4()),
        content=content,
        type="fact",
        relevance_score=relevance,
        answer_score=0.9,
        confidence="high",
        source=None,
        created_at=NOON,
        importance=0.5,
    )


def _kept(content: str) -> StoredMemory:
    return StoredMemory(
        id=uuid4(),
        content=content,
        type="preference",
        space="default",
        bank="General",
        role="user",
        tags=(),
        importance=0.5,
        pinned=False,
        manually_saved=True,
        created_at=NOON,
        occurred_at=None,
        source_message_id=None,
        repeat_count=0,
        superseded_by=None,
        deleted_at=None,
    )


def test_memories_then_what_was_kept_then_notices() -> None:
    closed = TurnClosed(
        "complete",
        memories=(_recalled("I prefer\nuv over pip", 0.976), _recalled("I use vim", 0.05)),
        kept=(_kept("I live in Berlin"),),
        notices=("Memory was not asked.",),
    )
    assert footer_lines(closed) == [
        "memories used:",
        f"   98%  {local_day(NOON)}  I prefer uv over pip",
        f"    5%  {local_day(NOON)}  I use vim",
        "kept: I live in Berlin",
        "Memory was not asked.",
    ]


def test_an_answer_that_used_nothing_has_nothing_under_it() -> None:
    assert footer_lines(TurnClosed("complete")) == []


def test_a_memory_takes_one_line_of_the_terminal() -> None:
    closed = TurnClosed("complete", memories=(_recalled("word " * 100, 1.0),))
    line = footer_lines(closed, 60)[1]
    assert len(line) <= 60
    assert line.startswith("  100%")
    assert line.endswith("…")
