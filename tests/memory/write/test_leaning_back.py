"""Of whom a message speaks that leans on the one before it in its conversation."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import SaveOutcome
from tests.memory.write.test_learning import OFFLINE, learn, said

HENRIK, GO = "Henrik is our backend developer.", "He writes everything in Go."
TOGETHER = "Henrik is our backend developer. He writes everything in Go"


@pytest.mark.parametrize(
    ("before", "told", "kept"),
    [
        (HENRIK, GO, TOGETHER),
        ("Mein Bruder heißt Jens", "Er wohnt in Kiel", "Mein Bruder heißt Jens. Er wohnt in Kiel"),
        ("Mi jefa se llama Rosa", "Es de Cádiz", "Mi jefa se llama Rosa. Es de Cádiz"),
        ("Sjefen min heter Tor", "Han bor i Moss", "Sjefen min heter Tor. Han bor i Moss"),
    ],
)  # fmt: skip
async def test_it_is_kept_with_the_name(
    database: Database, user_id: str, before: str, told: str, kept: str
) -> None:
    assert await told_after(database, user_id, [before], told) == kept


async def test_what_leans_on_a_question_is_not_put_to_what_was_told_before_that(
    database: Database, user_id: str
) -> None:
    before = [HENRIK, "Any ideas for a birthday present for somebody who likes birds?"]
    told = "It's for my dad, he'll be 70 in May."
    assert not (await told_after(database, user_id, before, told)).startswith(HENRIK[:-1])


@pytest.mark.parametrize("told", ["My sister Ida plays the harp.", "It's my birthday in May."])
async def test_what_stands_alone_is_kept_by_itself(
    database: Database, user_id: str, told: str
) -> None:
    assert await told_after(database, user_id, [HENRIK], told) == told.rstrip(".")


async def test_not_with_what_was_said_long_ago_or_is_forgotten(
    database: Database, user_id: str
) -> None:
    assert await told_after(database, user_id, [HENRIK], GO, ago=timedelta(hours=3)) == GO[:-1]
    assert await told_after(database, user_id, [HENRIK], GO, forgotten=True) == GO[:-1]


async def test_nor_with_what_was_said_in_another_conversation(
    database: Database, user_id: str
) -> None:
    await _learned(database, user_id, uuid4(), HENRIK)
    assert await told_after(database, user_id, [], GO) == GO[:-1]


async def test_a_third_message_names_whom_the_first_did(database: Database, user_id: str) -> None:
    kept = await told_after(database, user_id, [HENRIK, GO], "He lives in Leeds.")
    assert kept == "Henrik is our backend developer. He lives in Leeds"


async def told_after(
    database: Database,
    user_id: str,
    before: list[str],
    told: str,
    *,
    ago: timedelta = timedelta(),
    forgotten: bool = False,
) -> str:
    """What is kept of a message after others in a conversation of their own."""
    conversation = uuid4()
    for each in before:
        await _learned(database, user_id, conversation, each)
    async with database.as_user(user_id) as connection:
        await connection.execute(
            "UPDATE messages SET created_at = created_at - $3::interval"
            " WHERE user_id = $1 AND conversation_id = $2", user_id, conversation, ago,
        )  # fmt: skip
        if forgotten:
            await connection.execute(
                "UPDATE memory_items SET deleted_at = now() WHERE user_id = $1", user_id
            )
    [kept] = await _learned(database, user_id, conversation, told)
    return kept.item.content


async def _learned(
    database: Database, user_id: str, conversation: UUID, text: str
) -> list[SaveOutcome]:
    new = await _say(database, user_id, conversation, text)
    return await learn(database, user_id, OFFLINE, said(text, new.id))


async def _say(database: Database, user_id: str, conversation: UUID, text: str) -> NewMessage:
    new = NewMessage("user", text, uuid4(), needs_learning=True)
    await DatabaseConversations(database).add_message(user_id, conversation, new)
    return new
