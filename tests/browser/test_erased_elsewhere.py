"""Everything is erased in a chat while another one is answered."""

from __future__ import annotations

import pytest
from agents import Model
from playwright.async_api import BrowserContext, Page, expect

from tests.browser.chat_page import (
    begin_new_chat,
    enter,
    last_turn,
    open_chat,
    say,
    send,
    words_of,
)
from tests.browser.pouring import Pouring

ERASED = "Everything I had of you is erased."


@pytest.fixture
def model() -> Model:
    """Of a story that does not come to its end."""
    return Pouring(("Once upon a time", " there was a kayak.")).model


async def begin_story(page: Page) -> None:
    await open_chat(page)
    await expect(words_of(await send(page, "Tell me a story."))).to_have_text("Once upon a time")


async def erase(page: Page) -> None:
    await say(page, "Erase everything about me")
    await enter(page, "yes")


async def test_a_reply_in_another_tab_ends_and_says_why(
    page: Page, context: BrowserContext
) -> None:
    other = await context.new_page()
    await begin_story(other)
    await open_chat(page)

    await erase(page)

    await expect(last_turn(page)).to_contain_text(ERASED)
    await expect(last_turn(other)).to_contain_text("nothing of it is kept")


async def test_the_answer_that_says_so_stays_on_the_page(page: Page) -> None:
    """Also where the other reply was begun in this very tab."""
    await begin_story(page)
    await begin_new_chat(page)

    await erase(page)

    await expect(last_turn(page)).to_contain_text(ERASED)
