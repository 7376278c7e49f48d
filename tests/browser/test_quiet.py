"""The pages complain of nothing, ask nobody else, and fit on a phone."""

from __future__ import annotations

from playwright.async_api import Page, expect

from memory.service import MemoryService
from memory.types import NewMemory
from tests.browser.chat_page import (
    begin_incognito_chat,
    begin_new_chat,
    incognito_note,
    incognito_switch,
    open_chat,
    open_memories_used,
    open_why,
    past_conversations,
    say,
    tell,
)
from tests.browser.conftest import Seen
from tests.browser.memory_page import PARTS, open_part
from tests.browser.phone import PHONE, expect_fits

MOVED = "My sister Maria lives in Bergen"
LONG = "unbreakable" * 40


async def test_the_main_path_is_quiet(page: Page, seen: Seen) -> None:
    await open_chat(page)
    await tell(page, "I prefer uv over pip.")
    await begin_new_chat(page)
    used = await open_memories_used(await say(page, "Which package manager do I prefer?"))
    await open_why(used)
    await used.get_by_role("button", name="Pin: ").click()
    await expect(used.get_by_role("button", name="Unpin: ")).to_be_visible()
    await begin_incognito_chat(page)
    await say(page, "I live in Oslo.")
    await past_conversations(page).first.click()
    await expect(page.get_by_role("article", name="One turn")).to_have_count(1)

    for part in PARTS:
        await open_part(page, part)

    assert (seen.complaints, seen.elsewhere) == ([], [])


async def test_what_the_policy_forbids_would_be_noticed(page: Page, seen: Seen) -> None:
    """So the test above can fail."""
    await open_chat(page)
    async with page.expect_console_message():
        await page.evaluate("new Image().src = 'http://127.0.0.2/picture.png'")

    assert "Content Security Policy" in seen.complaints[0]


async def test_the_chat_fits_on_a_phone(page: Page) -> None:
    await page.set_viewport_size(PHONE)
    await open_chat(page)
    await expect_fits(page)
    turn = await say(page, f"Remember that I call my boat {LONG}")
    await expect(turn).to_contain_text("Kept:")
    await expect_fits(page)

    await page.get_by_role("button", name="Conversations").click()
    await expect_fits(page)
    await begin_new_chat(page)
    used = await open_memories_used(await say(page, "What do I call my boat?"))
    await open_why(used)
    await expect_fits(page)
    await used.get_by_role("button", name="Fix: ").click()
    await expect_fits(page)


async def test_an_incognito_chat_fits_on_a_phone(page: Page) -> None:
    await page.set_viewport_size(PHONE)
    await open_chat(page)
    await incognito_switch(page).click()
    await expect(incognito_note(page)).to_be_visible()
    await say(page, f"My boat is called {LONG}")
    await expect_fits(page)


async def test_the_memory_page_fits_on_a_phone(
    page: Page, memory: MemoryService, user_id: str
) -> None:
    for words in (f"I call my boat {LONG}", "My sister Maria lives in Oslo", MOVED):
        await memory.remember(user_id, NewMemory(content=words, tags=("unbreakable" * 5,)))
    await page.set_viewport_size(PHONE)
    for part in PARTS:
        await open_part(page, part)
        await expect_fits(page)


async def test_a_page_that_does_not_exist_fits_on_a_phone(page: Page) -> None:
    await page.set_viewport_size(PHONE)
    await page.goto("/c/00000000-0000-0000-0000-000000000000")
    await expect(page.get_by_role("alert")).to_be_visible()
    await expect_fits(page)
