"""The database goes away under a running server, and comes back."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Browser, Page, expect

from memory.local_services.data_folder import DataFolder
from memory.local_services.process import FileLock
from tests.app.program import Program
from tests.app.server.test_reviving import postmaster_of
from tests.app.test_serve import SECONDS, address_told
from tests.browser.chat_page import answered, last_turn, open_chat, say, send, turns
from tests.browser.profile import Profile, open_profile
from tests.memory.embedded.conftest import eventually

TOLD = "I prefer uv over pip."


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """With a database of its own."""
    return Program(tmp_path_factory.mktemp("program"), SERVE_PORT="0")


@pytest.fixture(scope="module")
async def site(program: Program) -> AsyncIterator[str]:
    """`python -m app serve`."""
    process = program.start("serve")
    try:
        yield await asyncio.to_thread(address_told, process)
        process.terminate()
        assert await asyncio.to_thread(process.wait, SECONDS) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
async def profile(browser: Browser, site: str) -> AsyncIterator[Profile]:
    async with open_profile(browser, site) as opened:
        yield opened


@asynccontextmanager
async def database_away(home: Path) -> AsyncIterator[None]:
    """Kills PostgreSQL; nobody starts it again before the end."""
    change = FileLock(DataFolder(home).change_lock)
    await change.wait_exclusive(SECONDS)
    try:
        os.kill(postmaster_of(home), signal.SIGKILL)
        yield
    finally:
        change.release()


async def is_ready(site: str) -> bool:
    async with httpx2.AsyncClient(base_url=site, timeout=SECONDS) as client:
        return (await client.get("/readyz")).status_code == 200


async def test_a_message_is_told_to_wait_and_goes_through_later(
    page: Page, program: Program, site: str
) -> None:
    await open_chat(page)
    await say(page, "Good morning")
    async with database_away(program.home):
        turn = await send(page, TOLD)
        error = turn.get_by_role("alert")
        await expect(error).to_contain_text("Your message was not sent.")
        await expect(turn).to_contain_text(TOLD)
        await expect(error.get_by_role("button", name="Edit the message")).to_be_visible()

    await eventually(lambda: is_ready(site), SECONDS)
    await error.get_by_role("button", name="Try again").click()

    await answered(page)
    await expect(turns(page)).to_have_count(2)
    await expect(last_turn(page)).to_contain_text("Noted:")
    await page.reload()
    await expect(turns(page)).to_have_count(2)
    await expect(last_turn(page)).to_contain_text(TOLD)


async def test_the_pages_say_so_and_can_be_tried_again(
    page: Page, program: Program, site: str
) -> None:
    async with database_away(program.home):
        for path in ("/", "/memory"):
            await page.goto(path)
            await expect(page.get_by_role("alert").first).to_be_visible()
            await expect(page.get_by_role("button", name="Try again").first).to_be_visible()

    await eventually(lambda: is_ready(site), SECONDS)
    await page.get_by_role("button", name="Try again").first.click()
    await expect(page.locator("#memory-count")).to_contain_text("remembered")
    await expect(page.get_by_role("alert")).to_have_count(0)
