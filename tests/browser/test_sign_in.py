"""Signing in with an API key, in the mode token."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect
from pydantic import SecretStr

from agent.assistant import Assistant
from app.api.application import make_application
from app.api.auth.api_keys import key_digest, make_key
from app.api.auth.modes import open_authentication
from memory.config import Settings
from memory.service import MemoryService
from memory.store.credentials import ApiKeyStore, EndedSessionStore
from memory.store.database import Database
from tests.app.listening import listening
from tests.app.serving import make_served
from tests.browser.accessibility import serious_faults
from tests.browser.chat_page import message_field, say
from tests.browser.conftest import Seen
from tests.browser.kept_scripts import with_kept_scripts
from tests.browser.phone import PHONE, expect_fits
from tests.browser.profile import Profile, open_profile


@pytest.fixture(scope="module")
def keys(shared_database: Database) -> ApiKeyStore:
    return ApiKeyStore(shared_database)


@pytest.fixture(scope="module")
async def site(
    settings: Settings,
    memory: MemoryService,
    assistant: Assistant,
    keys: ApiKeyStore,
    shared_database: Database,
) -> AsyncIterator[str]:
    by_key = settings.model_copy(update={"auth_mode": "token"})
    async with open_authentication(by_key, keys, EndedSessionStore(shared_database)) as identity:
        served = replace(
            make_served(by_key, memory, assistant, identity.identifier),
            signing_in=identity.signing_in,
        )
        async with listening(with_kept_scripts(make_application(served))) as url:
            yield url
            await served.chats.aclose()


@pytest.fixture(scope="module")
async def profile(browser: Browser, site: str) -> AsyncIterator[Profile]:
    async with open_profile(browser, site) as opened:
        yield opened


@pytest.fixture
def key() -> SecretStr:
    return make_key()


@pytest.fixture
async def key_id(keys: ApiKeyStore, key: SecretStr, user_id: str) -> UUID:
    """Of the key, which is the user's."""
    ends = datetime.now(UTC) + timedelta(days=1)
    return (await keys.add(user_id, key_digest(key), "laptop", ends)).id


async def sign_in(page: Page, credential: str) -> None:
    await page.get_by_label("API key or token").fill(credential)
    await page.get_by_role("button", name="Sign in").click()


async def expect_sign_in_page(page: Page) -> None:
    await expect(page.get_by_role("heading", name="Sign in to Keepsake")).to_be_visible()


@pytest.fixture
async def signed_in(page: Page, key: SecretStr, key_id: UUID) -> Page:
    await page.goto("/")
    await sign_in(page, key.get_secret_value())
    await expect(message_field(page)).to_be_visible()
    return page


async def test_a_wrong_key_is_told_and_the_right_one_opens_the_page_that_was_asked_for(
    page: Page, key: SecretStr, key_id: UUID
) -> None:
    await page.goto("/memory?text=kayak")
    await expect_sign_in_page(page)

    await sign_in(page, make_key().get_secret_value())
    await expect(page.get_by_role("alert")).to_contain_text("not valid")
    await expect(page.get_by_label("API key or token")).to_be_focused()

    await sign_in(page, key.get_secret_value())
    await expect(page.get_by_role("heading", name="Memory", level=1)).to_be_visible()
    await expect(page).to_have_url("/memory?text=kayak")


async def test_the_page_is_quiet_fits_on_a_phone_and_has_no_serious_fault(
    page: Page, seen: Seen
) -> None:
    await page.set_viewport_size(PHONE)
    await page.goto("/sign-in")
    await expect(page.get_by_label("API key or token")).to_be_focused()
    # The page asks who is there; that nobody is, is what a browser complains of.
    assert [each for each in seen.complaints if not each.endswith("/v1/me")] == []
    assert seen.elsewhere == []
    assert await serious_faults(page) == []
    await expect_fits(page)

    await sign_in(page, "wrong")
    await expect(page.get_by_role("alert")).to_be_visible()
    assert await serious_faults(page) == []
    await expect_fits(page)


async def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(
    context: BrowserContext, signed_in: Page, key: SecretStr
) -> None:
    """On this machine without TLS it cannot be `Secure`; elsewhere it is, see test_session.py."""
    [cookie] = await context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("keepsake", True, "Strict")
    assert key.get_secret_value() not in cookie["value"]
    assert await signed_in.evaluate("document.cookie") == ""
    kept = str(await context.storage_state(indexed_db=True))
    assert key.get_secret_value() not in kept


async def test_signing_out_leaves_nothing_in_the_browser(
    context: BrowserContext, signed_in: Page
) -> None:
    await say(signed_in, "Good morning")
    await message_field(signed_in).press_sequentially("A draft")
    await signed_in.get_by_role("button", name="Account and theme").click()
    await signed_in.get_by_role("button", name="Sign out").click()

    await expect_sign_in_page(signed_in)
    assert await context.cookies() == []
    assert "A draft" not in str(await context.storage_state())
    await signed_in.goto("/")
    await expect_sign_in_page(signed_in)


async def test_signing_out_in_one_tab_clears_the_others(
    context: BrowserContext, signed_in: Page
) -> None:
    """What they show would be read by whoever comes after, without a click."""
    await say(signed_in, "Good morning")
    other = await context.new_page()
    await other.goto("/memory")
    await expect(other.get_by_role("heading", name="Memory", level=1)).to_be_visible()
    await other.get_by_role("button", name="Account and theme").click()
    await other.get_by_role("button", name="Sign out").click()

    await expect_sign_in_page(signed_in)
    await expect_sign_in_page(other)


async def test_a_session_ends_with_its_key(
    context: BrowserContext, signed_in: Page, keys: ApiKeyStore, key_id: UUID, user_id: str
) -> None:
    await say(signed_in, "Good morning")
    [cookie] = await context.cookies()
    await keys.revoke(user_id, key_id)

    answer = await context.request.get("/v1/me", headers={"Cookie": f"keepsake={cookie['value']}"})
    assert answer.status == 401
    # In a tab of its own: the first one may be asking already, and then goes there by itself.
    other = await context.new_page()
    await other.goto("/")
    await expect_sign_in_page(other)


async def test_a_link_to_another_site_is_not_followed_after_signing_in(
    page: Page, key: SecretStr, key_id: UUID, site: str
) -> None:
    for elsewhere in ("//evil.example/", "https://evil.example/", "/\\evil.example/"):
        await page.goto(f"/sign-in?next={elsewhere}")
        await sign_in(page, key.get_secret_value())
        await expect(message_field(page)).to_be_visible()
        assert page.url.startswith(site)
