"""What a person does on the memory page, and what they find there."""

from __future__ import annotations

from playwright.async_api import Locator, Page, expect

PARTS = ("memories", "timeline", "questions", "log", "settings")


async def open_part(page: Page, part: str) -> None:
    """One part of the page, as its link shows it."""
    await page.goto(f"/memory#{part}")
    await expect(page.locator(".view h2").first).to_be_attached()
    await expect(page.locator(".skeleton")).to_have_count(0)


def card(page: Page, words: str) -> Locator:
    return page.locator(".entry", has_text=words)
