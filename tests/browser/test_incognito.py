"""An incognito chat looks different, and nothing is left of it."""

from __future__ import annotations

import pytest
from playwright.async_api import BrowserContext, Page, expect

from memory.local_services.services import ServiceAddresses
from tests.acceptance.stores import open_stores
from tests.browser.chat_page import (
    answered,
    begin_incognito_chat,
    begin_new_chat,
    enter,
    incognito_note,
    incognito_switch,
    last_turn,
    message_field,
    open_chat,
    past_conversations,
    say,
    tell,
    turns,
)

# The stores also hold what other tests' users say; nobody else says these.
SAID = "I live in Ostrawinkel and my cat is called Melchisedek."
ASKED = "remember that my locker is beside the Krummbach fountain"
TYPED = "Wolkenstein, not sent yet"
WORDS = ("ostrawinkel", "melchisedek", "krummbach", "wolkenstein")
KEPT_HERE = "JSON.stringify([{...localStorage}, {...sessionStorage}, history.state, location.href])"
PRIVACY = "document.documentElement.dataset.privacy"
COLOUR = "getComputedStyle(document.body).backgroundColor"


async def kept_by_browser(context: BrowserContext, page: Page) -> str:
    """All that the browser keeps for the page, in small letters."""
    state = await context.storage_state(indexed_db=True)
    return f"{state}{await page.evaluate(KEPT_HERE)}".lower()


async def test_nothing_of_it_is_in_the_stores_or_in_the_browser(
    context: BrowserContext, page: Page, database_url: str, services: ServiceAddresses
) -> None:
    await open_chat(page)
    await begin_incognito_chat(page)
    await expect(await say(page, SAID)).to_contain_text("All right.")
    await say(page, ASKED)
    await message_field(page).press_sequentially(TYPED)

    kept = await kept_by_browser(context, page)
    assert [word for word in WORDS if word in kept] == []
    async with open_stores(database_url, services.redis_url) as stores:
        assert await stores.places_of(*WORDS) == []

    await page.reload()
    await expect(message_field(page)).to_have_value("")
    await expect(turns(page)).to_have_count(0)
    await expect(past_conversations(page)).to_have_count(0)
    kept = await kept_by_browser(context, page)
    assert [word for word in WORDS if word in kept] == []


async def test_what_is_said_openly_would_be_found(
    context: BrowserContext, page: Page, database_url: str, services: ServiceAddresses
) -> None:
    """So the test above can fail."""
    await open_chat(page)
    await say(page, "I live in Rabenstadt.")
    await message_field(page).press_sequentially("Rabenstadt, not sent yet")

    assert "rabenstadt, not" in await kept_by_browser(context, page)
    async with open_stores(database_url, services.redis_url) as stores:
        assert "table messages" in await stores.places_of("Rabenstadt")


async def test_it_looks_different(page: Page) -> None:
    await open_chat(page)
    await expect(incognito_switch(page)).to_have_attribute("aria-checked", "false")
    await expect(incognito_note(page)).to_have_count(0)
    usual = await page.evaluate(COLOUR)

    await incognito_switch(page).click()

    await expect(incognito_switch(page)).to_have_attribute("aria-checked", "true")
    await expect(incognito_note(page)).to_contain_text("Nothing of this is kept")
    assert await page.evaluate(PRIVACY) == "incognito"
    await expect(page.get_by_role("heading", name="An incognito chat")).to_be_visible()
    assert await page.evaluate(COLOUR) != usual

    await begin_new_chat(page)
    await expect(incognito_note(page)).to_have_count(0)
    assert await page.evaluate(COLOUR) == usual


async def test_going_incognito_in_mid_conversation_and_back(
    page: Page, database_url: str, services: ServiceAddresses
) -> None:
    await open_chat(page)
    await say(page, "I live in Hohenzell.")
    await incognito_switch(page).click()
    await expect(incognito_note(page)).to_be_visible()
    await say(page, SAID)
    await incognito_switch(page).click()
    await expect(incognito_note(page)).to_have_count(0)
    await say(page, "Thanks")

    async with open_stores(database_url, services.redis_url) as stores:
        assert await stores.places_of(*WORDS) == []
        assert "table messages" in await stores.places_of("Hohenzell")
    await page.reload()
    await expect(last_turn(page)).to_contain_text("You are welcome.")
    await expect(turns(page)).to_have_count(2)


@pytest.mark.parametrize("how", ["switch", "words"])
async def test_the_chat_goes_on_stored_after_it(page: Page, how: str) -> None:
    """Also where nothing of the conversation was stored before."""
    await open_chat(page)
    await begin_incognito_chat(page)
    await say(page, SAID)
    if how == "switch":
        await incognito_switch(page).press("Enter")
    else:
        await enter(page, "end incognito")
    await expect(incognito_note(page)).to_have_count(0)
    await answered(page)

    await tell(page, "I live in Hohenzell.")

    await page.reload()
    await expect(turns(page)).to_have_count(1)
    await expect(last_turn(page)).to_contain_text("I live in Hohenzell.")


async def go_incognito(page: Page) -> None:
    """In the conversation that is open."""
    await incognito_switch(page).press("Enter")
    await expect(incognito_note(page)).to_be_visible()


async def test_what_was_said_in_it_is_in_no_other_tab_and_gone_after_a_reload(
    context: BrowserContext, page: Page
) -> None:
    await open_chat(page)
    await say(page, "I live in Hohenzell.")
    await go_incognito(page)
    await say(page, SAID)
    await expect(page.get_by_text(SAID)).to_be_visible()

    other = await context.new_page()
    for each in (other, page):
        await open_chat(each, page.url)
        await expect(turns(each)).to_have_count(1)
        await expect(last_turn(each)).to_contain_text("I live in Hohenzell.")
        await expect(incognito_note(each)).to_be_visible()
        await expect(each.get_by_text(SAID)).to_have_count(0)


async def test_what_was_said_in_it_stays_while_another_conversation_is_looked_at(
    page: Page,
) -> None:
    await open_chat(page)
    await say(page, "I live in Hohenzell.")
    await go_incognito(page)
    await say(page, SAID)

    await begin_new_chat(page)
    await past_conversations(page).first.press("Enter")

    await expect(turns(page)).to_have_count(2)
    await expect(last_turn(page)).to_contain_text(SAID)
    await expect(incognito_note(page)).to_be_visible()


@pytest.mark.parametrize("how", ["switch", "words"])
async def test_what_was_said_in_it_leaves_the_screen_at_its_end(page: Page, how: str) -> None:
    await open_chat(page)
    await say(page, "I live in Hohenzell.")
    await go_incognito(page)
    await say(page, SAID)

    if how == "switch":
        await incognito_switch(page).press("Enter")
    else:
        await enter(page, "end incognito")
        await expect(last_turn(page)).to_contain_text("Incognito has ended")

    await expect(incognito_note(page)).to_have_count(0)
    await expect(page.get_by_text(SAID)).to_have_count(0)
    await expect(turns(page).first).to_contain_text("I live in Hohenzell.")
    await expect(turns(page)).to_have_count(1 if how == "switch" else 2)


async def test_the_page_says_what_of_the_conversation_is_kept(page: Page) -> None:
    """“Nothing of this” is said of a conversation of which nothing is kept."""
    await open_chat(page)
    await say(page, "I live in Hohenzell.")
    await go_incognito(page)
    await expect(incognito_note(page)).to_contain_text("what was said before is")
    await expect(incognito_note(page)).not_to_contain_text("Nothing")

    await begin_incognito_chat(page)
    await say(page, SAID)
    await expect(incognito_note(page)).to_contain_text("Nothing of this is kept")


async def test_an_ended_one_of_which_nothing_is_kept_is_a_new_chat(page: Page) -> None:
    await open_chat(page)
    await begin_incognito_chat(page)
    await say(page, SAID)

    await incognito_switch(page).press("Enter")

    await expect(turns(page)).to_have_count(0)
    await expect(page.get_by_role("list", name="Examples")).to_be_visible()
