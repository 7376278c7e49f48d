"""What axe-core finds on a page as it stands, in both colour schemes."""

from __future__ import annotations

from typing import Literal

from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Page

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SERIOUS = {"serious", "critical"}


async def serious_faults(page: Page) -> list[str]:
    """Each with the elements that have it. Nothing moves meanwhile."""
    found = []
    for scheme in SCHEMES:
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        violations = (await Axe().run(page)).response["violations"]
        found += [_told(scheme, each) for each in violations if each["impact"] in SERIOUS]
    return found


def _told(scheme: str, violation: dict[str, object]) -> str:
    nodes = violation["nodes"]
    assert isinstance(nodes, list)
    return (
        f"{scheme}: {violation['id']}: {[(node['html'], node['failureSummary']) for node in nodes]}"
    )
