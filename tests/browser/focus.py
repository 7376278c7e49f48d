"""Where the focus is, for somebody who has no mouse."""

from __future__ import annotations

from playwright.async_api import Locator, Page

MOST_STEPS = 60
# A focus that is seen is in the window, and has an outline or a ring.
FAULT = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return "nowhere";
  const ring = (each) => {
    const style = getComputedStyle(each);
    const outline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
    return outline || style.boxShadow !== "none";
  };
  const box = at.getBoundingClientRect();
  const inside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const name = at.getAttribute("aria-label") || at.labels?.[0]?.textContent || at.textContent;
  const who = `${at.tagName.toLowerCase()} “${name.trim().slice(0, 60)}”`;
  if (!box.width || !box.height || !inside) return `${who} is out of sight`;
  return ring(at) || ring(at.closest("label, form") ?? at) ? "" : `${who} shows no focus`;
}"""
IS_FOCUSED = "each => each === document.activeElement"


async def tab_to(page: Page, wanted: Locator, *, back: bool = False) -> None:
    """Goes there by Tab, or by Shift+Tab; each stop on the way shows where the focus is. Only
    past the last one it may be nowhere: that is where a browser's own controls are."""
    nowhere = 0
    for _ in range(MOST_STEPS):
        await page.keyboard.press("Shift+Tab" if back else "Tab")
        fault = await page.evaluate(FAULT)
        nowhere += fault == "nowhere"
        assert fault in ("", "nowhere"), fault
        assert nowhere <= 1, "the focus was lost"
        if await wanted.count() == 1 and await wanted.evaluate(IS_FOCUSED):
            return
    raise AssertionError(f"{wanted} is not reached by Tab")


async def expect_focus_kept(page: Page) -> None:
    """After something was done the focus is somewhere, and it is seen."""
    await page.wait_for_function("document.activeElement !== document.body")
    fault = await page.evaluate(FAULT)
    assert fault == "", fault
