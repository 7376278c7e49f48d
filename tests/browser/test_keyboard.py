"""The main path without a mouse: the focus is always seen, and never lost."""

from __future__ import annotations

import re

from playwright.async_api import Page, expect

from tests.browser.chat_page import answered, last_turn, message_field, open_chat, turns
from tests.browser.focus import expect_focus_kept, tab_to
from tests.browser.memory_page import card
from tests.browser.phone import PHONE

TOLD = "I prefer uv over pip."
ASKED = "Which package manager do I prefer?"


async def type_message(page: Page, text: str) -> None:
    """Where the focus is."""
    count = await turns(page).count()
    await page.keyboard.type(text)
    await page.keyboard.press("Enter")
    await expect(turns(page)).to_have_count(count + 1)
    await answered(page)
    await expect(message_field(page)).to_be_focused()


async def test_the_chat(page: Page) -> None:
    await open_chat(page)
    await expect(message_field(page)).to_be_focused()
    await type_message(page, TOLD)
    await expect(last_turn(page)).to_contain_text("Noted:")

    await tab_to(page, page.get_by_role("button", name="New chat", exact=True), back=True)
    await page.keyboard.press("Enter")
    await expect(message_field(page)).to_be_focused()
    await type_message(page, ASKED)

    await tab_to(page, page.get_by_text(re.compile(r"^Memories used")), back=True)
    await page.keyboard.press("Enter")
    await tab_to(page, last_turn(page).get_by_role("button", name="Pin: "))
    await page.keyboard.press("Enter")
    await expect(last_turn(page).get_by_role("button", name="Unpin: ")).to_be_focused()
    await tab_to(page, page.get_by_text("Why these?"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("list", name="The memories it rests on")).to_be_visible()

    await tab_to(page, last_turn(page).get_by_role("button", name="Forget: "), back=True)
    await page.keyboard.press("Enter")
    await expect(last_turn(page)).to_contain_text("Forgotten.")
    await expect_focus_kept(page)
    await tab_to(page, last_turn(page).get_by_role("button", name="Undo: "))
    await page.keyboard.press("Enter")
    await expect(last_turn(page).get_by_role("button", name="Forget: ")).to_be_focused()


async def test_the_memory_page_and_back(page: Page) -> None:
    await open_chat(page)
    await type_message(page, TOLD)
    await expect(last_turn(page)).to_contain_text("Noted:")
    await tab_to(page, page.get_by_role("link", name="Memory", exact=True), back=True)
    await page.keyboard.press("Enter")
    cards = card(page, "uv")
    await expect(cards).to_have_count(1)

    await tab_to(page, page.get_by_role("searchbox", name="Search the memories"))
    await page.keyboard.type("package")
    await expect(
        page.get_by_role("heading", name="Nothing that is remembered matches")
    ).to_be_visible()
    await page.keyboard.press("Control+A")
    await page.keyboard.type("uv")
    await expect(cards).to_have_count(1)

    await tab_to(page, cards.get_by_role("button", name="Details…: "))
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("What is to be remembered")).to_be_focused()
    await page.keyboard.press("Control+A")
    await page.keyboard.type("I prefer uv to everything")
    await tab_to(page, page.get_by_role("button", name="Save"))
    await page.keyboard.press("Enter")
    await expect(cards).to_contain_text("uv to everything")
    await expect(cards.get_by_role("button", name="Details…: ")).to_be_focused()

    await tab_to(page, page.get_by_role("link", name="Chat", exact=True), back=True)
    await page.keyboard.press("Enter")
    await expect(message_field(page)).to_be_focused()


async def test_the_drawer_on_a_phone_takes_the_focus_and_gives_it_back(page: Page) -> None:
    await page.set_viewport_size(PHONE)
    await open_chat(page)
    await tab_to(page, page.get_by_role("button", name="Conversations"), back=True)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="New chat", exact=True)).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Conversations")).to_be_focused()


async def test_a_dialog_takes_the_focus_and_gives_it_back(page: Page) -> None:
    await open_chat(page)
    await type_message(page, "Good morning")
    delete = page.get_by_role("button", name="Delete “")
    await tab_to(page, delete, back=True)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(delete).to_be_focused()

    await page.keyboard.press("Enter")
    await tab_to(page, page.get_by_role("button", name="Delete", exact=True))
    await page.keyboard.press("Enter")
    await expect(turns(page)).to_have_count(0)
    await expect_focus_kept(page)
