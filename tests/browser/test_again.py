"""Retry, and editing the last message."""

from __future__ import annotations

import pytest
from agents import Model
from playwright.async_api import Page, expect

from memory.service import MemoryService
from tests.browser.chat_page import answered, last_turn, open_chat, say, tell, turns
from tests.browser.pouring import Pouring


class TestWithTwoAnswers:
    @pytest.fixture
    def model(self) -> Model:
        return Pouring(("The first answer.",), ("The second answer.",)).model

    async def test_the_same_message_is_answered_again(self, page: Page) -> None:
        await open_chat(page)
        await expect(await say(page, "What is a kayak?")).to_contain_text("The first answer.")

        await last_turn(page).get_by_role("button", name="Answer again").click()
        await answered(page)

        for _ in range(2):
            await expect(turns(page)).to_have_count(1)
            await expect(last_turn(page)).to_contain_text("The second answer.")
            await expect(last_turn(page)).to_contain_text("What is a kayak?")
            await expect(page.get_by_text("The first answer.")).to_have_count(0)
            await page.reload()


async def test_an_edited_message_takes_back_what_was_learned(
    page: Page, memory: MemoryService, user_id: str
) -> None:
    await open_chat(page)
    await tell(page, "I live in Oslo.")

    await last_turn(page).get_by_role("button", name="Edit this message").click()
    await page.get_by_role("textbox", name="Edit your message").fill("I live in Bergen.")
    await page.get_by_role("button", name="Send instead").click()
    await expect(last_turn(page)).to_contain_text("Noted:")

    for _ in range(2):
        await expect(turns(page)).to_have_count(1)
        await expect(last_turn(page)).to_contain_text("I live in Bergen.")
        await expect(page.get_by_role("main").get_by_text("Oslo")).to_have_count(0)
        await page.reload()
    [only] = await memory.list_recent(user_id)
    assert "Bergen" in only.content


async def test_only_the_last_message_can_be_edited(page: Page) -> None:
    await open_chat(page)
    await say(page, "Good morning")
    await say(page, "Thanks")

    edits = page.get_by_role("button", name="Edit this message")
    await expect(edits).to_have_count(1)
    await expect(last_turn(page).get_by_role("button", name="Edit this message")).to_have_count(1)


async def test_an_edit_can_be_left(page: Page) -> None:
    await open_chat(page)
    turn = await say(page, "Good morning")
    await turn.get_by_role("button", name="Edit this message").click()
    await page.keyboard.press("Escape")

    await expect(turn).to_contain_text("Good morning")
    await expect(turn.get_by_role("button", name="Edit this message")).to_be_focused()
