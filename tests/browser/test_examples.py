"""The examples that a new chat begins with."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.browser.chat_page import begin_new_chat, message_field, open_chat, say, turns


async def test_one_is_put_into_the_field_and_not_sent(page: Page) -> None:
    """On the page of somebody new, and in a new chat of somebody who knows it."""
    await open_chat(page)
    for _ in range(2):
        example = page.get_by_role("list", name="Examples").get_by_role("button").first
        words = await example.inner_text()
        await example.press("Enter")

        await expect(message_field(page)).to_have_value(words)
        await expect(message_field(page)).to_be_focused()
        await expect(turns(page)).to_have_count(0)

        await say(page, "Good morning")
        await begin_new_chat(page)
