"""A real browser before the real server. Skipped where no Chromium is installed.

To start a browser and what drives it takes longer than most of these tests, so that each process
of the run starts one; every test has a profile of its own in it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from agents import Model
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    async_playwright,
    expect,
)

from agent.models.offline import OfflineModel
from app.api.application import make_application
from app.api.auth.modes import make_identifier
from memory.config import Settings
from memory.service import MemoryService
from tests.agent.turns import Assist
from tests.app.listening import listening
from tests.app.serving import make_served

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# As root there is no sandbox to be had; the rest keeps it from asking the network for anything.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
TIMEOUT_MS = 20_000
expect.set_options(timeout=TIMEOUT_MS)


@dataclass
class Seen:
    """What a page did besides what it shows."""

    complaints: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def watch(self, page: Page, url: str) -> None:
        def complained(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"}:
                self.complaints.append(f"{message.text} {message.location['url']}")

        def requested(request: Request) -> None:
            if not request.url.startswith((url, "data:", "blob:")):
                self.elsewhere.append(request.url)

        page.on("console", complained)
        page.on("request", requested)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed; Debian's package is called chromium")
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        await launched.close()


@pytest.fixture
def model() -> Model:
    """Answers in the conversations of the test; a test that needs another one overrides this."""
    return OfflineModel()


@pytest.fixture
async def site(
    settings: Settings, memory: MemoryService, assist: Assist, user_id: str, model: Model
) -> AsyncIterator[str]:
    """The address of a server in local mode."""
    local = settings.model_copy(update={"keepsake_user": user_id})
    served = make_served(local, memory, assist(model), make_identifier(local, None))
    async with listening(make_application(served)) as url:
        yield url
        await served.chats.aclose()


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
async def context(browser: Browser, site: str) -> AsyncIterator[BrowserContext]:
    """A new browser profile; its pages share cookies and storage, as the tabs of a browser do."""
    opened = await browser.new_context(base_url=site)
    opened.set_default_timeout(TIMEOUT_MS)
    yield opened
    await opened.close()


@pytest.fixture
async def page(context: BrowserContext, site: str, seen: Seen) -> Page:
    """A new page, which remembers what went wrong in it."""
    opened = await context.new_page()
    seen.watch(opened, site)
    return opened
