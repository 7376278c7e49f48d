from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.messages import LearningQueue, NewMessage


async def say(database: Database, user_id: str, content: str, **fields: Any) -> NewMessage:
    new = NewMessage("user", content, uuid4(), **{"needs_learning": True} | fields)
    await DatabaseConversations(database).add_message(user_id, uuid4(), new, "work")
    return new


async def waiting(database: Database, user_id: str, limit: int = 9) -> list[str]:
    """What one learner takes after the other, which it gives back."""
    marks, found = LearningQueue(database), list[str]()
    while len(found) < limit and (one := await marks.claim_next(user_id, "a learner")):
        found.append(one.content)
    await marks.release(user_id, "a learner")
    return found


async def test_messages_wait_in_their_order_until_they_are_learned(
    database: Database, user_id: str
) -> None:
    marks = LearningQueue(database)
    said = [await say(database, user_id, content) for content in ("one", "two", "three")]
    await say(database, f"{user_id}-other", "not mine")
    assert await waiting(database, user_id) == ["one", "two", "three"]
    assert await waiting(database, user_id, 2) == ["one", "two"]
    assert await marks.needs_learning(user_id, said[0].id)
    await marks.learned(f"{user_id}-other", said[0].id)
    assert await marks.needs_learning(user_id, said[0].id)
    await marks.learned(user_id, said[0].id)
    assert not await marks.needs_learning(user_id, said[0].id)
    assert await waiting(database, user_id) == ["two", "three"]


async def test_a_waiting_message_knows_its_space_and_turn(database: Database, user_id: str) -> None:
    said = await say(database, user_id, "hello")
    found = await LearningQueue(database).claim_next(user_id, "a learner")
    assert found is not None
    assert (found.id, found.role, found.space) == (said.id, "user", "work")
    assert (found.correlation_id, found.recalled) == (said.correlation_id, ())


async def test_what_does_not_wait(database: Database, user_id: str) -> None:
    plain = await say(database, user_id, "not to be learned", needs_learning=False)
    await say(database, user_id, "withheld", status="withheld")
    old = await say(database, user_id, "a week old")
    async with database.as_user(user_id) as connection:
        await connection.execute(
            "UPDATE messages SET created_at = now() - $2::interval WHERE id = $1",
            old.id,
            timedelta(days=7, minutes=1),
        )
    assert await waiting(database, user_id) == []
    marks = LearningQueue(database)
    assert not await marks.needs_learning(user_id, plain.id)
    assert not await marks.needs_learning(user_id, uuid4())
