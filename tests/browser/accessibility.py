"""What axe-core finds on a page as it stands, in both colour schemes."""

from __future__ import annotations

from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.async_api import Page

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SERIOUS = {"serious", "critical"}
RUN = "axe.run({ resultTypes: ['violations'] }).then((results) => results.violations)"


async def serious_faults(page: Page) -> list[str]:
    """Each with the elements that have it. Nothing moves meanwhile."""
    found = []
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    for scheme in SCHEMES:
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        violations: list[dict[str, Any]] = await page.evaluate(RUN)
        found += [_told(scheme, each) for each in violations if each["impact"] in SERIOUS]
    return found


def _told(scheme: str, violation: dict[str, Any]) -> str:
    where = [(node["html"], node["failureSummary"]) for node in violation["nodes"]]
    return f"{scheme}: {violation['id']}: {where}"
