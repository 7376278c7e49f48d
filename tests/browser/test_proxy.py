"""The mode proxy, where a proxy names the user: nobody signs in here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from ipaddress import ip_network

import pytest
from playwright.async_api import Browser, Page, expect

from agent.assistant import Assistant
from app.api.application import make_application
from app.api.auth.modes import make_identifier
from memory.config import Settings
from memory.service import MemoryService
from tests.app.listening import listening
from tests.app.serving import make_served
from tests.browser.chat_page import message_field
from tests.browser.profile import Profile, open_profile

USER = "X-Forwarded-User"


@pytest.fixture
async def site(
    settings: Settings, memory: MemoryService, assistant: Assistant
) -> AsyncIterator[str]:
    changed = {
        "auth_mode": "proxy",
        "proxy_addresses": (ip_network("127.0.0.0/8"),),
        "proxy_user_header": USER,
    }
    proxied = settings.model_copy(update=changed)
    served = make_served(proxied, memory, assistant, make_identifier(proxied, None))
    async with listening(make_application(served)) as url:
        yield url
        await served.chats.aclose()


@pytest.fixture
async def profile(browser: Browser, site: str) -> AsyncIterator[Profile]:
    async with open_profile(browser, site) as opened:
        yield opened


async def test_a_proxy_that_names_nobody_is_what_the_page_tells_of(
    page: Page, user_id: str
) -> None:
    await page.goto("/")
    await expect(page.get_by_role("heading")).to_have_text("Keepsake does not know who you are")
    await expect(page.get_by_text("The proxy in front of Keepsake did not say")).to_be_visible()
    await expect(page.get_by_label("API key or token")).to_be_hidden()

    await page.set_extra_http_headers({USER: user_id})
    await page.get_by_role("link", name="Try again").click()
    await expect(message_field(page)).to_be_visible()
