"""No page has a serious accessibility fault in any of its states, light or dark."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from memory.service import MemoryService
from memory.types import NewMemory, Origin
from tests.browser.accessibility import serious_faults
from tests.browser.chat_page import (
    begin_incognito_chat,
    begin_new_chat,
    last_turn,
    message_field,
    notice,
    open_chat,
    open_memories_used,
    open_why,
    past_conversations,
    say,
    tell,
)
from tests.browser.conftest import Seen
from tests.browser.memory_page import PARTS, open_part
from tests.browser.phone import PHONE, WIDE, expect_fits


@pytest.fixture
async def remembered(memory: MemoryService, user_id: str) -> None:
    """Three memories, one of them pinned, and a doubt."""
    cello = await memory.remember(user_id, NewMemory(content="I play the cello", bank="Interests"))
    await memory.entries.pin(user_id, cello.item.id, Origin())
    for town in ("Oslo", "Bergen"):
        await memory.remember(user_id, NewMemory(content=f"My sister Maria lives in {town}"))


async def test_the_first_run(page: Page) -> None:
    await open_chat(page)
    assert await serious_faults(page) == []


async def test_an_answer_with_its_memories_opened(page: Page) -> None:
    await open_chat(page)
    await tell(page, "I prefer uv over pip.")
    await begin_new_chat(page)
    used = await open_memories_used(await say(page, "Which package manager do I prefer?"))
    await open_why(used)
    assert await serious_faults(page) == []

    await used.get_by_role("button", name="Fix: ").click()
    await expect(used.get_by_label("The right words")).to_be_focused()
    assert await serious_faults(page) == []

    await page.keyboard.press("Escape")
    await used.get_by_role("button", name="Forget: ").click()
    await expect(notice(page, "Forgotten.")).to_be_visible()
    assert await serious_faults(page) == []


async def test_the_last_message_being_edited(page: Page) -> None:
    await open_chat(page)
    turn = await say(page, "Good morning")
    await turn.get_by_role("button", name="Edit this message").click()
    assert await serious_faults(page) == []


async def test_the_drawer_on_a_phone(page: Page) -> None:
    await page.set_viewport_size(PHONE)
    await open_chat(page)
    await say(page, "Good morning")
    assert await serious_faults(page) == []

    await page.get_by_role("button", name="Conversations").click()
    await expect(past_conversations(page)).to_have_count(1)
    assert await serious_faults(page) == []


async def test_an_incognito_chat(page: Page) -> None:
    await open_chat(page)
    await begin_incognito_chat(page)
    assert await serious_faults(page) == []

    await say(page, "I live in Oslo.")
    assert await serious_faults(page) == []


async def test_the_dialogs_and_the_menu_of_the_chat(page: Page) -> None:
    await open_chat(page)
    await say(page, "Good morning")
    for name in ("Rename “", "Delete “"):
        await past_conversations(page).hover()
        await page.get_by_role("button", name=name).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await serious_faults(page) == []
        await page.keyboard.press("Escape")

    await page.get_by_role("button", name="Account and theme").click()
    await expect(page.get_by_role("group", name="Theme")).to_be_visible()
    assert await serious_faults(page) == []


async def test_a_message_that_was_not_sent(page: Page) -> None:
    await open_chat(page)
    await page.route("**/v1/chat", lambda route: route.abort())
    await message_field(page).fill("Good morning")
    await message_field(page).press("Enter")
    await expect(last_turn(page).get_by_role("alert")).to_be_visible()
    assert await serious_faults(page) == []


async def test_a_page_that_could_not_be_opened(page: Page) -> None:
    await page.goto("/c/00000000-0000-0000-0000-000000000000")
    await expect(page.get_by_role("alert").first).to_be_visible()
    assert await serious_faults(page) == []

    await page.route("**/v1/**", lambda route: route.abort())
    for path in ("/", "/memory"):
        await page.goto(path)
        await expect(page.get_by_role("alert").first).to_be_visible()
        assert await serious_faults(page) == []


async def test_the_memory_page_when_empty(page: Page) -> None:
    for part in PARTS:
        await open_part(page, part)
        assert await serious_faults(page) == [], part


@pytest.mark.usefixtures("remembered")
async def test_the_memory_page(page: Page, seen: Seen) -> None:
    """In a wide window and on a phone."""
    for size in (WIDE, PHONE):
        await page.set_viewport_size(size)
        for part in PARTS:
            await open_part(page, part)
            assert await serious_faults(page) == [], part
            await expect_fits(page)
    assert (seen.complaints, seen.elsewhere) == ([], [])


@pytest.mark.usefixtures("remembered")
async def test_the_forms_of_the_memory_page(page: Page) -> None:
    await open_part(page, "memories")
    await page.get_by_text("Filters", exact=False).first.click()
    await page.get_by_role("checkbox", name="Select: I play the cello").check()
    assert await serious_faults(page) == []

    for name in ("Add a memory", "Details…: I play the cello", "For good…: I play the cello"):
        await page.get_by_role("button", name=name).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await serious_faults(page) == []
        await page.keyboard.press("Escape")


@pytest.mark.usefixtures("remembered")
async def test_erasing_asks(page: Page) -> None:
    await open_part(page, "settings")
    await page.get_by_role("button", name="Erase everything…").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    assert await serious_faults(page) == []
