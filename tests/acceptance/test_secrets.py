"""Secrets are never stored in memory, and in messages only where the user wants it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from agent.models.offline import OfflineModel
from memory.actions.entries import MemoryChanges
from memory.errors import SecretRefused
from memory.ingestion.extraction import ExtractionInput
from memory.store.messages import NewMessage
from memory.types import NewMemory, Origin
from tests.acceptance.chat import Chat, knows
from tests.acceptance.conftest import Alone, Parts
from tests.agent.turns import assists
from tests.memory.fakes import WordEmbedder

USER = Origin()
CARD = "4111 1111 1111 1111"
KEY = "sk-proj-Xq7Rt2Lm9Kd4Vw8Zb3Nf6Hs1Yc5Pg0Ja"
PASSWORD = "hunter2swordfish"
PRIVATE_KEY = (
    "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\n"
    "-----END PRIVATE KEY-----"
)
# What is said, the secret in it, what it is called, what is worth keeping beside it.
SAID = {
    "card number": (f"My card number is {CARD}, and I like lemon cake.", CARD, "I like lemon cake"),
    "API key": (f"I live in Oslo. My API key is {KEY}.", KEY, "I live in Oslo"),
    "password": (f"My password is {PASSWORD}. I like tea.", PASSWORD, "I like tea"),
    "private key": (f"I own a red Volvo.\n{PRIVATE_KEY}", "MIGHAgEAMBMG", "I own a red Volvo"),
}
KINDS = list(SAID)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_secret_in_a_message_is_stored_nowhere_and_the_user_is_told(
    alone: Alone, caplog: pytest.LogCaptureFixture, user_id: str, kind: str
) -> None:
    """Not in the message, its title, the memories, the queue of embeddings, the session in Redis,
    the log or a dump. What stands beside it is learned, and later talk goes on."""
    text, secret, kept = SAID[kind]
    chat = Chat(alone.assistant, user_id)
    with capture_logs() as logs:
        heard = await chat.say(text)
        await chat.say_all(["What did I just say?", "remember that", "list my memories"])
        await alone.memory.embed_waiting(user_id)
    assert any(kind in notice and "not stored" in notice for notice in heard.closed.notices)
    assert secret not in heard.whole
    assert await alone.stores.places_of(secret, secret.replace(" ", "")) == []
    assert secret not in "\n".join([*map(str, logs), caplog.text])
    [message, *_] = await alone.stores.rows("SELECT content FROM messages ORDER BY position")
    assert f"[{kind} removed]" in message["content"]
    assert any(kept in each for each in await knows(alone.memory, user_id))


@pytest.mark.parametrize("kind", KINDS)
async def test_asked_to_remember_a_secret_it_refuses_and_says_why(
    alone: Alone, user_id: str, kind: str
) -> None:
    """At every door: in the chat, at the memory itself, when a memory is corrected, in its tags."""
    text, secret, beside = SAID[kind]
    heard = await Chat(alone.assistant, user_id).say(f"remember that {text}")
    assert f"a secret ({kind})" in "\n".join([heard.text, *heard.closed.notices])
    kept = (await alone.memory.remember(user_id, NewMemory(content="I live in Oslo"))).item
    with pytest.raises(SecretRefused):
        await alone.memory.remember(user_id, NewMemory(content=text))
    with pytest.raises(SecretRefused):
        await alone.memory.entries.edit(user_id, kept.id, MemoryChanges(content=text), USER)
    known = await knows(alone.memory, user_id)
    assert all(each == "I live in Oslo" or beside in each for each in known)
    assert await alone.stores.places_of(secret) == []
    refused = [
        entry for entry in await alone.memory.audit.read(user_id) if "refused" in entry.action
    ]
    assert refused
    assert {entry.detail["kind"] for entry in refused} == {kind}


@pytest.mark.parametrize("kind", KINDS)
async def test_where_messages_are_kept_as_they_are_the_memory_still_is_not(
    alone: Alone, user_id: str, kind: str
) -> None:
    """With `redact_messages` off the message is stored as it was said, and its secret is in no
    memory; the user is told that too."""
    text, secret, kept = SAID[kind]
    await alone.memory.modes.change(user_id, "default", USER, redact_messages=False)
    heard = await Chat(alone.assistant, user_id).say(text)
    assert any(kind in notice and "not kept in memory" in notice for notice in heard.closed.notices)
    [message, *_] = await alone.stores.rows("SELECT content FROM messages ORDER BY position")
    assert message["content"] == text
    rows = await alone.stores.rows("SELECT * FROM memory_items")
    [row] = rows
    assert kept in row["content"]
    assert secret not in str(rows)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(
            "card number",
            marks=pytest.mark.xfail(strict=True, reason="kept with the words about the number"),
        ),
        "API key",
        "password",
        "private key",
    ],
)
async def test_what_stands_beside_a_secret_is_kept_by_itself(
    alone: Alone, user_id: str, kind: str
) -> None:
    text, _, kept = SAID[kind]
    await Chat(alone.assistant, user_id).say(text)
    assert await knows(alone.memory, user_id) == [kept]


async def test_a_message_that_was_stored_with_its_secret_is_learned_from_without_it(
    alone: Alone, user_id: str
) -> None:
    """Learning takes it out by itself, whoever hands it the message."""
    text, secret, kept = SAID["password"]
    new = NewMessage("user", text, uuid4(), needs_learning=True)
    message, _ = await alone.memory.conversations.add_message(user_id, uuid4(), new)
    said = ExtractionInput(text=text, said_at=message.created_at, message_id=message.id)
    await alone.memory.learn(user_id, "default", said, origin=Origin("learning"))
    rows = await alone.stores.rows("SELECT * FROM memory_items")
    [row] = rows
    assert kept in row["content"]
    assert secret not in str(rows)


async def test_no_vector_is_made_of_a_secret(parts: Parts, user_id: str) -> None:
    """The embedder is never given it: neither for the memory nor for the message."""
    embedder = WordEmbedder()
    memory = parts.memory(embedder=embedder)
    async with assists(memory, parts.cache) as make:
        chat = Chat(make(OfflineModel()), user_id)
        for text, *_ in SAID.values():
            await chat.say(text)
            await chat.say(f"remember that {text}")
    await memory.embed_waiting(user_id)
    given = "\n".join(embedder.texts)
    assert "lemon cake" in given
    assert not [secret for _, secret, _ in SAID.values() if secret in given]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "My order number is 4111 1111 1111 1112 and I like tea.",
            marks=pytest.mark.xfail(strict=True, reason="taken for a code"),
        ),
        "My order number is 4471 2290 and I like tea.",
        "I like the word password.",
    ],
)
async def test_what_only_looks_like_one_is_stored_as_it_is(
    alone: Alone, user_id: str, text: str
) -> None:
    """A number that fails Luhn's check is no card, a word about secrets is none."""
    heard = await Chat(alone.assistant, user_id).say(text)
    assert heard.closed.notices == ()
    [message, *_] = await alone.stores.rows("SELECT content FROM messages ORDER BY position")
    assert message["content"] == text
