"""A browser profile that several tests use one after another."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from playwright.async_api import Browser, BrowserContext, Page

# Only a test that fails waits so long; a machine that runs other tests too is slow.
TIMEOUT_MS = 60_000
_STORED = "local_storage,indexeddb,cache_storage,service_workers"


@dataclass(frozen=True)
class Profile:
    """Its pages share cookies and storage, as the tabs of a browser do."""

    context: BrowserContext
    site: str
    blank: Page

    async def clear(self) -> None:
        """Nothing is left of its pages but the HTTP cache, which has the scripts."""
        for page in self.context.pages:
            if page is not self.blank:
                await page.close()
        await self.context.clear_cookies()
        session = await self.context.new_cdp_session(self.blank)
        stored = {"origin": self.site, "storageTypes": _STORED}
        await session.send("Storage.clearDataForOrigin", stored)
        await session.detach()


@asynccontextmanager
async def open_profile(browser: Browser, site: str) -> AsyncIterator[Profile]:
    context = await browser.new_context(base_url=site)
    context.set_default_timeout(TIMEOUT_MS)
    yield Profile(context, site, await context.new_page())
    await context.close()
