"""Two tabs that change the same thing: neither overwrites the other without being told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from memory.service import MemoryService
from memory.types import NewMemory
from tests.browser.chat_page import incognito_note, incognito_switch, open_chat, say, send, turns

HAPPENED = datetime(2026, 3, 5, 12, tzinfo=UTC)


@pytest.fixture
async def other(context: BrowserContext, page: Page) -> Page:
    """The second tab."""
    return await context.new_page()


@pytest.fixture
async def remembered(memory: MemoryService, user_id: str, page: Page, other: Page) -> None:
    """One memory, which both tabs show."""
    await memory.remember(user_id, NewMemory(content="I play the cello", occurred_at=HAPPENED))
    for each in (page, other):
        await each.goto("/memory")
        await expect(act(each, "fix")).to_be_visible()


def act(page: Page, name: str) -> Locator:
    return page.locator(f".entry [data-act={name}]")


async def begin_fix(page: Page) -> Locator:
    await act(page, "fix").click()
    words = page.get_by_label("The right words")
    await expect(words).to_be_focused()
    return words


@pytest.mark.usefixtures("remembered")
class TestAMemory:
    async def test_the_second_to_fix_it_is_told_and_may_do_it_again(
        self, page: Page, other: Page, memory: MemoryService, user_id: str
    ) -> None:
        theirs, ours = await begin_fix(other), await begin_fix(page)
        await theirs.fill("I play the viola")
        await theirs.press("Control+Enter")
        await expect(other.locator(".entry-text")).to_have_text("I play the viola")

        await ours.fill("I play the harp")
        await ours.press("Control+Enter")
        told = page.get_by_role("alert").filter(has_text="changed elsewhere meanwhile")
        await expect(told).to_contain_text("I play the viola")
        assert [each.content for each in await memory.list_recent(user_id)] == ["I play the viola"]

        await page.get_by_role("button", name="Save").click()
        await expect(page.locator(".entry-text")).to_have_text("I play the harp")

    async def test_leaving_shows_what_it_is_now(self, page: Page, other: Page) -> None:
        theirs, ours = await begin_fix(other), await begin_fix(page)
        await theirs.fill("I play the viola")
        await theirs.press("Control+Enter")
        await expect(other.locator(".entry-text")).to_have_text("I play the viola")
        await ours.fill("I play the harp")
        await ours.press("Control+Enter")
        await expect(page.get_by_role("alert").filter(has_text="meanwhile")).to_be_visible()

        await ours.press("Escape")

        await expect(page.locator(".entry-text")).to_have_text("I play the viola")
        await expect(act(page, "fix")).to_be_focused()

    async def test_a_form_writes_only_what_was_changed_in_it(
        self, page: Page, other: Page, memory: MemoryService, user_id: str
    ) -> None:
        await act(page, "edit").click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        theirs = await begin_fix(other)
        await theirs.fill("I play the viola")
        await theirs.press("Control+Enter")
        await expect(other.locator(".entry-text")).to_have_text("I play the viola")

        await page.get_by_label("Tags").fill("music")
        await page.get_by_role("button", name="Save").click()
        told = page.get_by_role("dialog").get_by_role("alert")
        await expect(told).to_contain_text("I play the viola")
        await page.get_by_role("button", name="Save").click()

        await expect(page.get_by_role("dialog")).to_have_count(0)
        [only] = await memory.list_recent(user_id)
        assert (only.content, only.tags) == ("I play the viola", ("music",))

    async def test_a_day_can_be_emptied(
        self, page: Page, memory: MemoryService, user_id: str
    ) -> None:
        await act(page, "edit").click()
        await page.get_by_label("When it happened").fill("")
        await page.get_by_role("button", name="Save").click()

        await expect(page.get_by_role("dialog")).to_have_count(0)
        [only] = await memory.list_recent(user_id)
        assert only.occurred_at is None


async def test_a_tab_that_has_not_heard_of_incognito_stores_nothing(
    page: Page, other: Page, memory: MemoryService, user_id: str
) -> None:
    await open_chat(page)
    await say(page, "Good morning")
    await open_chat(other, page.url)
    await expect(turns(other)).to_have_count(1)
    await incognito_switch(other).click()
    await expect(incognito_note(other)).to_be_visible()

    turn = await send(page, "I live in Quimperville.")

    await expect(turn.get_by_role("alert")).to_contain_text("incognito now")
    await expect(incognito_note(page)).to_be_visible()
    await turn.get_by_role("button", name="Edit the message").click()
    await page.keyboard.press("Enter")
    await expect(turns(page).last).to_contain_text("Quimperville")
    await expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)
    assert await memory.list_recent(user_id) == []
