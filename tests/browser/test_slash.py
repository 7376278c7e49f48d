"""What is typed with a slash on the page."""

from __future__ import annotations

from playwright.async_api import Page, expect

from memory.service import MemoryService
from memory.types import NewMemory
from tests.browser.chat_page import (
    enter,
    last_turn,
    message_field,
    open_chat,
    say,
    turns,
    words_of,
)


async def test_help_and_what_does_not_exist_are_answered_and_not_kept(page: Page) -> None:
    await open_chat(page)
    await expect(await say(page, "/help")).to_contain_text("what can be said and typed")
    unknown = await say(page, "/foo")
    await expect(words_of(unknown)).to_have_text("There is no /foo. /help shows what can be typed.")
    await expect(unknown.get_by_role("button", name="Answer again")).to_have_count(0)
    await expect(unknown.get_by_role("button", name="Edit this message")).to_have_count(0)

    await say(page, "Good morning")
    await page.reload()
    await expect(turns(page)).to_have_count(1)
    await expect(last_turn(page)).to_contain_text("Good morning")


async def test_a_list_is_shown_line_by_line(
    page: Page, memory: MemoryService, user_id: str
) -> None:
    for content in ("I play the cello", "I own a kayak"):
        await memory.remember(user_id, NewMemory(content=content))
    await open_chat(page)
    shown = words_of(await say(page, "/memories"))
    first, second = (await shown.inner_text()).splitlines()
    assert first.endswith("I own a kayak")
    assert second.endswith("I play the cello")


async def test_what_was_typed_to_forget_stays_until_the_page_is_left(
    page: Page, memory: MemoryService, user_id: str
) -> None:
    await memory.remember(user_id, NewMemory(content="I play the cello"))
    await open_chat(page)
    await expect(await say(page, "/forget cello")).to_contain_text("Say yes or no")
    await say(page, "yes")
    await expect(turns(page)).to_have_count(2)
    assert await memory.list_recent(user_id) == []


async def test_new_and_space_lead_out_of_the_conversation(page: Page) -> None:
    await open_chat(page)
    await say(page, "Good morning")
    await enter(page, "/new")
    await expect(turns(page)).to_have_count(0)
    await expect(message_field(page)).to_be_focused()

    await enter(page, "/space Garden")
    await expect(page.get_by_label("Space", exact=True)).to_have_value("Garden")
    await expect(await say(page, "/space")).to_contain_text("This is the space “Garden”")


async def test_what_led_out_of_a_conversation_is_not_left_in_its_field(page: Page) -> None:
    await open_chat(page)
    await say(page, "Good morning")
    await enter(page, "/new")
    await expect(turns(page)).to_have_count(0)
    await page.go_back()
    await expect(turns(page)).to_have_count(1)
    await expect(message_field(page)).to_have_value("")
