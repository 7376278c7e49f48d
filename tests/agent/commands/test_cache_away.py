"""What is said of forgetting while Redis cannot be reached."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.cache import Cache
from tests.agent.chatting import Chat


@pytest.fixture
async def cache(tmp_path: Path) -> AsyncIterator[Cache]:
    away = Cache(f"unix://{tmp_path}/no.sock")
    yield away
    await away.aclose()


async def test_for_good_is_not_said_to_be_done(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    [item] = await chat.memory.list_recent(chat.user_id)
    await chat.say("Forget that for good")

    told = await chat.say("yes")

    assert "Erased for good" not in told
    assert "within 7 days" in told
    assert "can't undo" in told
    proof = await chat.memory.forgetting.prove(chat.user_id, item.id)
    assert (proof.holds, proof.grave.erased_at) == (False, None)


async def test_for_good_cannot_be_undone_while_it_waits(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that for good")
    await chat.say("yes")

    assert await chat.say("Undo that") == "There is nothing to undo."
    assert await chat.known() == set()


async def test_a_usual_forgetting_can(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that")
    await chat.say("yes")

    assert "It is back" in await chat.say("Undo that")


async def test_erasing_everything_says_what_the_cache_still_holds(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Erase everything about me")

    told = await chat.say("yes")

    assert told.startswith("Everything I had of you is erased.")
    assert "within 7 days" in told
