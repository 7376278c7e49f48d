"""What a person does on the chat page, and what they find there."""

from __future__ import annotations

import re

from playwright.async_api import Locator, Page, expect

SCORE_PARTS = ("relevance", "recency", "importance", "usage", "quality", "total")


def message_field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message to Keepsake")


def turns(page: Page) -> Locator:
    """What was said and answered, the oldest first."""
    return page.get_by_role("article", name="One turn")


def last_turn(page: Page) -> Locator:
    return turns(page).last


def words_of(turn: Locator) -> Locator:
    """The words of its answer."""
    return turn.locator(".markdown")


async def open_chat(page: Page, path: str = "/") -> None:
    """Waits until something can be typed."""
    await page.goto(path)
    await expect(message_field(page)).to_be_visible()


async def enter(page: Page, text: str) -> None:
    """Says something that may take other turns from the page."""
    await message_field(page).fill(text)
    await message_field(page).press("Enter")


async def send(page: Page, text: str) -> Locator:
    """Says something and does not wait for the answer. Its turn."""
    before = await turns(page).count()
    await enter(page, text)
    await expect(turns(page)).to_have_count(before + 1)
    return turns(page).nth(before)


async def say(page: Page, text: str) -> Locator:
    """Says something and waits for the end of the answer. Its turn."""
    turn = await send(page, text)
    await answered(page)
    return turn


async def tell(page: Page, text: str) -> Locator:
    """Says something and waits until it is noted. Its turn."""
    turn = await say(page, text)
    await expect(turn).to_contain_text("Noted:")
    return turn


async def answered(page: Page) -> None:
    await expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()


async def stop(page: Page) -> None:
    await page.get_by_role("button", name="Stop", exact=True).click()


async def begin_new_chat(page: Page) -> None:
    """By keyboard: the pointer stays where it is."""
    await page.get_by_role("button", name="New chat", exact=True).press("Enter")
    await expect(turns(page)).to_have_count(0)
    await expect(message_field(page)).to_be_focused()


async def begin_incognito_chat(page: Page) -> None:
    await page.get_by_role("button", name="New incognito chat").press("Enter")
    await expect(incognito_note(page)).to_be_visible()


def incognito_note(page: Page) -> Locator:
    return page.get_by_role("note", name="Incognito")


def incognito_switch(page: Page) -> Locator:
    return page.get_by_role("switch", name="Incognito")


async def open_memories_used(turn: Locator) -> Locator:
    """The list under an answer, and the part around it."""
    await turn.get_by_text(re.compile(r"^Memories used \(\d+\)$")).click()
    used = turn.get_by_role("group").filter(has_text="Memories used").first
    await expect(used).to_have_attribute("open", "")
    return used


async def open_why(used: Locator) -> Locator:
    """The scores of the memories used."""
    await used.get_by_text("Why these?", exact=True).click()
    rested_on = used.get_by_role("list", name="The memories it rests on")
    await expect(rested_on).to_be_visible()
    return rested_on


def past_conversations(page: Page) -> Locator:
    """The links in the drawer."""
    return page.get_by_role("navigation", name="Past conversations").get_by_role("link")


def notice(page: Page, words: str) -> Locator:
    """A sentence at the foot of the page, with its buttons."""
    notices = page.get_by_role("status", name="Notices")
    return notices.locator(".toast").filter(has_text=words).last
