"""A narrow window, as a phone has it."""

from __future__ import annotations

from playwright.async_api import Page, ViewportSize

PHONE = ViewportSize(width=360, height=780)
WIDE = ViewportSize(width=1280, height=720)
# What is wider than the window, so that a failure names it.
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const sticksOut = (each) => each.getBoundingClientRect().right > width + 1;
  return [...document.querySelectorAll("body *")].filter(sticksOut).map((each) => each.outerHTML);
}"""


async def expect_fits(page: Page) -> None:
    """It is not scrolled sideways."""
    assert await page.evaluate(TOO_WIDE) == []
