"""What was forgotten leaves the page wherever it is shown, also on the pages before the newest."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest
from playwright.async_api import Locator, Page, expect

from memory.service import MemoryService
from memory.store.messages import NewMessage
from tests.browser.chat_page import last_turn, open_chat, say, turns

SAID = "The Vossmeer fountain was dry again."
FORGET = "Forget what I said about the Vossmeer fountain"
NO_ANSWER = "No answer to this was stored."
TURNS = 31


def stored_turn(said: str, answer: str | None) -> list[NewMessage]:
    turn_id = uuid4()
    sides = [NewMessage("user", said, turn_id)]
    return sides if answer is None else [*sides, NewMessage("assistant", answer, turn_id)]


async def keep(memory: MemoryService, user_id: str, messages: Sequence[NewMessage]) -> UUID:
    """A conversation of them."""
    conversation_id = uuid4()
    for each in messages:
        await memory.conversations.add_message(user_id, conversation_id, each)
    return conversation_id


@pytest.fixture
async def long_talk(memory: MemoryService, user_id: str) -> UUID:
    """The first turn is about the fountain; the last one was never answered, so that a page of
    forty messages ends between the sides of a turn."""
    messages = stored_turn(SAID, "That is a pity.")
    for number in range(1, TURNS - 1):
        messages += stored_turn(f"Counting {number}", f"Counted {number}.")
    return await keep(memory, user_id, [*messages, *stored_turn("Are you there?", None)])


def earlier(page: Page) -> Locator:
    return page.get_by_role("button", name="Show earlier messages")


async def show_all(page: Page, conversation_id: UUID) -> None:
    await open_chat(page, f"/c/{conversation_id}")
    await expect(last_turn(page)).to_contain_text("Are you there?")
    await earlier(page).click()
    await expect(turns(page)).to_have_count(TURNS)
    await expect(earlier(page)).to_be_hidden()


async def test_what_was_only_said_leaves_the_page(page: Page) -> None:
    await open_chat(page)
    await say(page, SAID)

    await expect(await say(page, FORGET)).to_contain_text("Shall I?")
    await say(page, "yes")

    await expect(turns(page).first).not_to_contain_text("Vossmeer")
    await expect(turns(page)).to_have_count(3)


async def test_a_turn_on_two_pages_is_shown_whole(page: Page, long_talk: UUID) -> None:
    await show_all(page, long_talk)

    await expect(page.get_by_text(NO_ANSWER)).to_have_count(1)
    for number, turn in enumerate(await turns(page).all()):
        said = SAID if number == 0 else f"Counting {number}"
        await expect(turn).to_contain_text(said if number < TURNS - 1 else "Are you there?")


async def test_older_pages_lose_the_words_too(page: Page, long_talk: UUID) -> None:
    await show_all(page, long_talk)
    await expect(turns(page).first).to_contain_text("Vossmeer")

    await say(page, FORGET)
    await say(page, "yes")

    await expect(turns(page).first).not_to_contain_text("Vossmeer")
    await expect(turns(page)).to_have_count(TURNS + 2)


async def test_messages_that_were_deleted_are_gone_from_older_pages(
    page: Page, long_talk: UUID
) -> None:
    await show_all(page, long_talk)

    await say(page, FORGET)
    await say(page, "yes, and delete the messages")

    await expect(page.get_by_text("Vossmeer fountain was dry")).to_have_count(0)
    await expect(turns(page).nth(1)).to_contain_text("Counting")
