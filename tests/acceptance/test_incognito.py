"""An incognito conversation leaves no trace, in both modes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from uuid import UUID, uuid4

import asyncpg
import pytest
from structlog.testing import capture_logs

from agent.commands.parser import Command
from memory.actions.entries import MemoryChanges
from memory.actions.import_rows import ForeignMemories
from memory.errors import Incognito, MemoryOff
from memory.ingestion.extraction import ExtractionInput
from memory.service import MemoryService
from memory.store.messages import NewMessage
from memory.types import MemoryMode, MemoryQueryRequest, NewMemory, Origin, Privacy
from tests.acceptance.chat import Chat, knows
from tests.acceptance.conftest import Alone
from tests.acceptance.stores import Stores
from tests.tables import is_refused_later

USER = Origin()
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
KEPT_ID = UUID(int=7)
KNOWN = "My favourite tea is Lapsang"
STARTS: dict[Privacy, str] = {
    "incognito": "start incognito for this chat",
    "incognito_read_only": "go incognito, but you may read my memories",
}
TURNS = (
    "My name is Balthazar and I live in Quimperville.",
    "I'm allergic to shellfish.",
    "What is my favourite tea?",
    "remember that my locker is beside the Vossmeer fountain",
    "pin that",
    "forget about my favourite tea",
    "yes",
    "undo that",
    "what do you know about me?",
    "what do you remember about tea?",
    "turn memory off",
    "My password is hunter2swordfish",
    "thanks",
)


async def everything(stores: Stores) -> tuple[dict[str, list[str]], dict[bytes, bytes], bytes]:
    """Every row with all of its columns, every key of Redis with its value, and the dump, in which
    the sequences stand too."""
    return await stores.tables(), await stores.cached(), await stores.dump()


async def known_user(alone: Alone, user_id: str) -> Chat:
    """A user with a history, and nothing left to do behind it."""
    chat = Chat(alone.assistant, user_id)
    await chat.say_all([f"remember that {KNOWN}", "What is my favourite tea?"])
    await alone.memory.embed_waiting(user_id)
    await alone.memory.aclose()  # what the recall left to be counted is written
    return chat


@pytest.mark.parametrize("privacy", STARTS)
async def test_the_stores_are_byte_for_byte_the_same_after_it(
    alone: Alone, user_id: str, privacy: Privacy
) -> None:
    """Talk, questions, commands, a failing “remember” and the end of it change no byte of the
    database or of Redis, and the log has no word of it."""
    await known_user(alone, user_id)
    before = await everything(alone.stores)
    chat = Chat(alone.assistant, user_id)
    with capture_logs() as logs:
        await chat.say_all([STARTS[privacy]])
        now = await alone.assistant.privacy(user_id, chat.conversation, chat.space)
        assert now == privacy
        await chat.say_all([*TURNS, "end incognito"])
    await alone.assistant.aclose()
    assert await everything(alone.stores) == before
    said = "\n".join(map(str, logs)).lower()
    for word in ("balthazar", "quimperville", "shellfish", "vossmeer", "hunter2swordfish"):
        assert await alone.stores.places_of(word) == []
        assert word not in said


@pytest.mark.parametrize("privacy", STARTS)
async def test_so_they_are_after_one_that_breaks_off(
    alone: Alone, user_id: str, privacy: Privacy
) -> None:
    """A listener who goes away in mid-reply, a button, and a program that ends before it does."""
    await known_user(alone, user_id)
    before = await everything(alone.stores)
    chat = Chat(alone.assistant, user_id)
    await chat.say_all([STARTS[privacy], "I live in Quimperville."])
    turn = alone.assistant.answer(user_id, chat.conversation, "What is my favourite tea?")
    async for event in turn:
        if type(event).__name__ == "TextDelta":
            break
    await turn.aclose()  # type: ignore[attr-defined]
    await alone.assistant.obey(user_id, chat.conversation, Command("list"))
    await alone.assistant.aclose()
    assert await everything(alone.stores) == before


async def test_a_conversation_that_begins_incognito_by_setting_leaves_none_either(
    alone: Alone, user_id: str
) -> None:
    """000's `incognito_default` of a space holds from the first word of each conversation in it."""
    await known_user(alone, user_id)
    await alone.memory.modes.change(user_id, "default", USER, incognito_default=True)
    before = await everything(alone.stores)
    chat = Chat(alone.assistant, user_id)
    heard = await chat.say_all([*TURNS[:4], "what do you know about me?"])
    await alone.assistant.aclose()
    assert not any("Lapsang" in each.whole for each in heard)
    assert await everything(alone.stores) == before


async def test_plain_incognito_recalls_nothing_and_read_only_recalls(
    alone: Alone, user_id: str
) -> None:
    """The two modes differ in what may be read: questions, lists and searches."""
    await known_user(alone, user_id)
    asked = ("What is my favourite tea?", "what do you know about me?", "what do you know of tea?")
    heard: dict[Privacy, str] = {}
    for privacy, start in STARTS.items():
        chat = Chat(alone.assistant, user_id)
        await chat.say(start)
        heard[privacy] = "\n".join([(await chat.say(text)).text for text in asked])
    assert "Lapsang" not in heard["incognito"]
    assert heard["incognito_read_only"].count("Lapsang") == 3


async def test_what_was_said_in_it_is_known_in_it_and_gone_after_it(
    alone: Alone, user_id: str
) -> None:
    """“remember that” cannot bring back, after the end, what was said before it."""
    chat = Chat(alone.assistant, user_id)
    await chat.say_all(["go incognito", "I live in Quimperville."])
    refused = await chat.say("remember that")
    assert "incognito" in refused.text
    ended = await chat.say("end incognito")
    assert "Incognito has ended" in ended.text
    assert "Quimperville" not in (await chat.say("remember that")).text
    assert await knows(alone.memory, user_id) == []
    assert await alone.stores.places_of("Quimperville") == []


async def test_a_turn_before_and_after_it_is_stored_as_ever(alone: Alone, user_id: str) -> None:
    """It is one conversation of a user that is private, from its start to its end."""
    chat, other = Chat(alone.assistant, user_id), Chat(alone.assistant, user_id)
    await chat.say_all(["I like rye bread.", "go incognito", "I like secret bread."])
    await other.say("I like white bread.")
    await chat.say_all(["end incognito", "I like brown bread."])
    assert await knows(alone.memory, user_id) == [
        "I like brown bread",
        "I like rye bread",
        "I like white bread",
    ]


WRITES: dict[str, Callable[[MemoryService, str], Awaitable[object]]] = {
    "remember": lambda memory, user: memory.remember(user, NewMemory(content="I live in Oslo")),
    "remember_all": lambda memory, user: memory.remember_all(user, [NewMemory(content="I ski")]),
    "learn": lambda memory, user: memory.learn(
        user,
        "default",
        ExtractionInput(text="I live in Oslo.", said_at=NOW),
        origin=Origin("learning"),
    ),
    "pin": lambda memory, user: memory.entries.pin(user, KEPT_ID, USER),
    "edit": lambda memory, user: memory.entries.edit(
        user, KEPT_ID, MemoryChanges(bank="Work"), USER
    ),
    "forget": lambda memory, user: memory.forgetting.forget(user, [KEPT_ID], USER),
    "undo": lambda memory, user: memory.forgetting.undo(user, None, USER),
    "erase_due": lambda memory, user: memory.forgetting.erase_due(user, NOW),
    "modes": lambda memory, user: memory.modes.change(user, "default", USER, memory_mode="off"),
    "import": lambda memory, user: memory.portability.import_(
        user, ForeignMemories([NewMemory(content="I ski")]), USER
    ),
    "erase_everything": lambda memory, user: memory.portability.erase_everything(user),
    "embed_waiting": lambda memory, user: memory.embed_waiting(user),
    "learn_waiting": lambda memory, user: memory.learn_waiting(user),
    "recall": lambda memory, user: memory.recall(
        MemoryQueryRequest(user_id=user, query="What is my favourite tea?")
    ),
    "add_message": lambda memory, user: memory.conversations.add_message(
        user, uuid4(), NewMessage("user", "I live in Quimperville.", uuid4())
    ),
}
# These may go through, and leave nothing behind.
HARMLESS = {"recall", "add_message", "undo", "erase_due", "embed_waiting", "learn_waiting"}


async def test_a_forgotten_check_elsewhere_cannot_write(alone: Alone, user_id: str) -> None:
    """Every door of the memory that an incognito conversation is given refuses, or writes
    nothing: it is the database that says no."""
    await known_user(alone, user_id)
    await alone.stores.owner.execute(
        "WITH used AS (DELETE FROM memory_usage) UPDATE memory_items SET id = $1", KEPT_ID
    )
    before = await everything(alone.stores)
    for privacy in STARTS:
        for door, write in WRITES.items():
            private = alone.memory.for_privacy(privacy)
            refused = await is_refused_later(Incognito, write(private, user_id))
            assert refused or door in HARMLESS, (door, privacy)
            # What a dump has beside these, its sequences, no other door can turn back.
            rows_and_keys = await alone.stores.tables(), await alone.stores.cached()
            assert rows_and_keys == before[:2], (door, privacy)
    assert await everything(alone.stores) == before


@pytest.mark.parametrize("mode", ["off", "read_only"])
async def test_off_and_read_only_are_enforced_by_the_database(
    alone: Alone, user_id: str, mode: MemoryMode
) -> None:
    """A direct INSERT as the application's role is refused, whichever check was forgotten; in
    another space, and for another user, it is not."""
    await alone.memory.modes.change(user_id, "default", USER, memory_mode=mode)
    insert = "INSERT INTO memory_items (user_id, content, type, space) VALUES ($1, 'x', 'fact', $2)"
    with pytest.raises(MemoryOff) as refusal:
        async with alone.database.as_user(user_id) as connection:
            await connection.execute(insert, user_id, "default")
    assert isinstance(refusal.value.__cause__, asyncpg.PostgresError)
    async with alone.database.as_user(user_id) as connection:
        await connection.execute(insert, user_id, "another")
    async with alone.database.as_user(f"{user_id}-other") as connection:
        await connection.execute(insert, f"{user_id}-other", "default")
    rows = await alone.stores.rows("SELECT user_id, space FROM memory_items ORDER BY 1, 2")
    assert rows == [
        {"user_id": user_id, "space": "another"},
        {"user_id": f"{user_id}-other", "space": "default"},
    ]
