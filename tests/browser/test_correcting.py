"""What a command changed can be taken back where it stands, and which one it means be chosen."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.browser.chat_page import open_chat, say, turns


async def test_a_correction_shows_what_was_before_and_is_taken_back(page: Page) -> None:
    await open_chat(page)
    await say(page, "Remember that I live in Oslo")
    turn = await say(page, "Change Oslo to Hamar in what you know about me")
    row = turn.get_by_role("listitem").filter(has_text="Changed: I live in Hamar")
    await expect(row).to_contain_text("Before: “I live in Oslo”")

    await row.get_by_role("button", name="Undo").click()

    await expect(turn.get_by_role("listitem")).to_contain_text("Changed back: I live in Oslo")
    turn = await say(page, "Where do I live?")
    await expect(turn).to_contain_text("“I live in Oslo”")


async def test_which_one_is_chosen_by_a_button(page: Page) -> None:
    await open_chat(page)
    for each in ("My sister lives in Oslo", "My sister plays the cello"):
        await say(page, f"Remember that {each}")
    turn = await say(page, "Pin the memory about my sister")
    await expect(turn).to_contain_text("Which one shall I pin?")

    await turn.get_by_role("button", name="My sister plays the cello").click()

    await expect(turns(page).last).to_contain_text("never trimmed: “My sister plays the cello”")
