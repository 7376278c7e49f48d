from __future__ import annotations

from uuid import UUID, uuid4

from app.api.events import TextEvent
from app.api.streaming import MAX_ENDED_TURNS, ChatTurn, EndedTurns, TurnRequest


def ended(text: str = "a") -> ChatTurn:
    turn = ChatTurn(TurnRequest("ada", uuid4(), "default", "Hello", uuid4()), 0.0)
    turn.tell("text", TextEvent(text=text))
    turn.end()
    return turn


async def test_of_too_many_the_oldest_go() -> None:
    gone: list[UUID] = []
    kept = EndedTurns(gone.append)
    turns = [ended() for _ in range(MAX_ENDED_TURNS + 2)]

    for turn in turns:
        kept.keep(turn)

    assert gone == [turns[0].id, turns[1].id]
    kept.clear()
    assert gone == [turn.id for turn in turns]


async def test_of_what_takes_too_much_the_oldest_go_and_the_last_one_stays() -> None:
    gone: list[UUID] = []
    kept = EndedTurns(gone.append, most_bytes=10_000)
    small, large, huge = ended(), ended("a" * 9_000), ended("a" * 20_000)

    kept.keep(small)
    kept.keep(large)
    assert gone == []
    kept.keep(huge)

    assert gone == [small.id, large.id]
    kept.clear()
