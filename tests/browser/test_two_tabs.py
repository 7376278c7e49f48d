"""Two tabs of one browser: what one does, the other sees."""

from __future__ import annotations

import pytest
from agents import Model
from playwright.async_api import BrowserContext, Page, expect

from memory.service import MemoryService
from memory.types import NewMemory
from tests.browser.chat_page import answered, last_turn, open_chat, say, send, turns, words_of
from tests.browser.memory_page import card
from tests.browser.pouring import Pouring

# Without a window a browser takes every tab for the one that is looked at: it never says so itself.
LOOK_AT = "document.dispatchEvent(new Event('visibilitychange')); dispatchEvent(new Event('focus'))"


@pytest.fixture
async def other(context: BrowserContext, page: Page) -> Page:
    """The second tab."""
    return await context.new_page()


async def look_at(page: Page) -> None:
    await page.bring_to_front()
    await page.evaluate(LOOK_AT)


async def test_what_is_forgotten_in_one_is_gone_from_the_other(
    page: Page, other: Page, memory: MemoryService, user_id: str
) -> None:
    await memory.remember(user_id, NewMemory(content="I play the cello"))
    await memory.remember(user_id, NewMemory(content="I own a kayak"))
    for each in (page, other):
        await each.goto("/memory")
        await expect(card(each, "cello")).to_be_visible()

    await page.get_by_role("button", name="Forget: I play the cello").click()
    await expect(card(page, "cello")).to_have_count(0)

    await look_at(other)
    await expect(card(other, "cello")).to_have_count(0)
    await expect(card(other, "kayak")).to_be_visible()


async def test_what_is_said_in_one_is_read_in_the_other(page: Page, other: Page) -> None:
    await open_chat(page)
    await say(page, "Good morning")
    await open_chat(other, page.url)
    await expect(turns(other)).to_have_count(1)

    await expect(await say(page, "Thanks")).to_contain_text("You are welcome.")

    await look_at(other)
    await expect(turns(other)).to_have_count(2)
    await expect(last_turn(other)).to_contain_text("You are welcome.")
    await say(other, "Good evening")
    await look_at(page)
    await expect(turns(page)).to_have_count(3)


class TestWhileItIsAnswered:
    @pytest.fixture
    def pouring(self) -> Pouring:
        return Pouring(("Good day.",), ("A kayak ", "is a boat."), ("Gladly.",))

    @pytest.fixture
    def model(self, pouring: Pouring) -> Model:
        return pouring.model

    @pytest.fixture
    async def asked(self, page: Page, other: Page) -> None:
        """Both have the conversation open, and the first tab asked something in it."""
        await open_chat(page)
        await say(page, "Good morning")
        await open_chat(other, page.url)
        await expect(turns(other)).to_have_count(1)
        await expect(words_of(await send(page, "What is a kayak?"))).to_have_text("A kayak")

    @pytest.mark.usefixtures("asked")
    async def test_both_read_the_same_answer(
        self, page: Page, other: Page, pouring: Pouring
    ) -> None:
        await look_at(other)
        await expect(words_of(last_turn(other))).to_have_text("A kayak")
        pouring.go_on()

        for each in (page, other):
            await answered(each)
            await expect(turns(each)).to_have_count(2)
            await expect(words_of(last_turn(each))).to_have_text("A kayak is a boat.")

    @pytest.mark.usefixtures("asked")
    async def test_a_message_of_the_other_is_told_to_wait_and_is_not_lost(
        self, page: Page, other: Page, pouring: Pouring
    ) -> None:
        """The other tab has not heard that the conversation is being answered."""
        turn = await send(other, "Write it down")
        await expect(turn.get_by_role("alert")).to_contain_text("is being answered")
        pouring.go_on()
        await answered(page)
        await look_at(other)
        await expect(turns(other)).to_have_count(3)
        await expect(words_of(turns(other).nth(1))).to_have_text("A kayak is a boat.")

        turn = last_turn(other)
        await expect(turn).to_contain_text("Write it down")
        await turn.get_by_role("button", name="Try again").click()
        await expect(words_of(last_turn(other))).to_have_text("Gladly.")
        await expect(turns(other)).to_have_count(3)
