"""An answer that is under way: a reload, a lost connection, stop."""

from __future__ import annotations

import pytest
from agents import Model
from playwright.async_api import BrowserContext, Page, Request, expect

from tests.browser.chat_page import answered, last_turn, open_chat, send, stop, turns, words_of
from tests.browser.pouring import Pouring
from tests.browser.relay import relay_to

PIECES = ("A kayak ", "is a narrow ", "boat.")
WHOLE = "A kayak is a narrow boat."
ASKED = "What is a kayak?"


@pytest.fixture
def pouring() -> Pouring:
    return Pouring(PIECES)


@pytest.fixture
def model(pouring: Pouring) -> Model:
    return pouring.model


async def begin_answer(page: Page, url: str = "") -> None:
    """Asks, and waits until the first words are there."""
    await open_chat(page, f"{url}/")
    turn = await send(page, ASKED)
    await expect(words_of(turn)).to_have_text("A kayak")


async def expect_whole_once(page: Page) -> None:
    """The question once, and the answer once with every word once."""
    await answered(page)
    await expect(turns(page)).to_have_count(1)
    await expect(words_of(last_turn(page))).to_have_text(WHOLE)
    assert (await last_turn(page).inner_text()).count(ASKED) == 1


async def test_after_a_reload_the_answer_goes_on_and_is_whole_once(
    page: Page, pouring: Pouring
) -> None:
    await begin_answer(page)
    await page.reload()
    await expect(words_of(last_turn(page))).to_have_text("A kayak")
    pouring.go_on()

    await expect_whole_once(page)
    await page.reload()
    await expect_whole_once(page)


async def test_a_lost_connection_goes_on_by_the_last_event(
    context: BrowserContext, site: str, pouring: Pouring
) -> None:
    async with relay_to(site) as (relay, url):
        page = await context.new_page()
        await begin_answer(page, url)
        relay.cut()
        await expect(last_turn(page)).to_contain_text("The connection was lost.")

        async with page.expect_response("**/v1/chat/*/events") as answer:
            relay.mend()
        pouring.go_on()

        await expect_whole_once(page)
        assert await last_event_id((await answer.value).request) >= 2
        await expect(last_turn(page)).not_to_contain_text("connection")
        await page.close()


async def last_event_id(request: Request) -> int:
    return int((await request.all_headers())["last-event-id"])


async def test_stop_keeps_what_was_said(page: Page) -> None:
    await begin_answer(page)
    await stop(page)

    await answered(page)
    for _ in range(2):
        await expect(words_of(last_turn(page))).to_have_text("A kayak")
        await expect(last_turn(page)).to_contain_text("This answer was stopped before its end.")
        await page.reload()


async def test_escape_stops_too(page: Page) -> None:
    await begin_answer(page)
    await page.keyboard.press("Escape")

    await expect(last_turn(page)).to_contain_text("This answer was stopped before its end.")
    await expect(words_of(last_turn(page))).to_have_text("A kayak")
