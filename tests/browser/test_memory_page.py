"""The memory page: what it shows, what can be done there, and where the focus is afterwards."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Locator, Page, Route, expect

from memory.maintenance.capacity import Capacity
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.store.database import Database
from memory.types import NewMemory, Origin
from tests.browser import chat_page
from tests.browser.conftest import Seen
from tests.browser.memory_page import card

DESCRIBED = (
    "document.activeElement.closest('.entry')?.querySelector('.entry-text').textContent"
    " + '/' + (document.activeElement.dataset.act ?? '')"
)


@pytest.fixture
async def remembered(memory: MemoryService, user_id: str, page: Page) -> Page:
    """The page, opened, with three memories on it."""
    for content, bank in [
        ("I play the cello", "Interests"),
        ("I prefer trains to planes", "Personal"),
        ("I am allergic to peanuts", "Health"),
    ]:
        await memory.remember(user_id, NewMemory(content=content, bank=bank))
    await page.goto("/memory")
    await expect(page.locator(".entry")).to_have_count(3)
    return page


def act(page: Page, words: str, name: str) -> Locator:
    return card(page, words).locator(f"[data-act={name}]")


async def test_nothing_yet_says_how_memories_come_to_be(page: Page, seen: Seen) -> None:
    await page.goto("/memory")

    await expect(page.get_by_role("heading", name="Nothing is remembered yet")).to_be_visible()
    await expect(page.get_by_role("link", name="Go to the chat")).to_be_visible()
    assert (seen.complaints, seen.elsewhere) == ([], [])


async def test_a_memory_is_forgotten_and_brought_back_by_keyboard(remembered: Page) -> None:
    cards = remembered.locator(".entry")
    second = await cards.nth(1).locator(".entry-text").inner_text()
    first = await cards.nth(0).locator(".entry-text").inner_text()

    await act(remembered, first, "forget").press("Enter")
    await expect(cards).to_have_count(2)
    assert await remembered.evaluate(DESCRIBED) == f"{second}/"

    await remembered.get_by_role("button", name="Undo").press("Enter")
    await expect(cards).to_have_count(3)
    await expect(card(remembered, first)).to_be_focused()


async def test_what_is_brought_back_at_once_is_shown(remembered: Page) -> None:
    """Even where the page was still asking what is left after the forgetting."""
    cards = remembered.locator(".entry")
    first = await cards.nth(0).locator(".entry-text").inner_text()
    is_back = asyncio.Event()

    async def answer_late(route: Route) -> None:
        await is_back.wait()
        await route.continue_()

    await remembered.route("**/v1/memory/summary*", answer_late)
    await act(remembered, first, "forget").press("Enter")
    await expect(cards).to_have_count(2)
    async with remembered.expect_response("**/restore"):
        await remembered.get_by_role("button", name="Undo").press("Enter")
    is_back.set()

    await expect(cards).to_have_count(3)


async def test_the_focus_stays_on_the_pin(remembered: Page) -> None:
    await act(remembered, "cello", "pin").press("Enter")

    await expect(act(remembered, "cello", "pin")).to_have_text("Unpin")
    assert await remembered.evaluate(DESCRIBED) == "I play the cello/pin"
    await expect(remembered.locator("#memory-count")).to_have_text("3 remembered · 1 pinned")


async def test_fixed_words_keep_the_old_ones_in_the_history(remembered: Page) -> None:
    await act(remembered, "cello", "fix").click()
    await remembered.get_by_label("The right words").fill("I play the viola")
    await remembered.keyboard.press("Control+Enter")

    await card(remembered, "viola").locator("summary").click()
    history = card(remembered, "viola").locator(".history-told")
    await expect(history).to_contain_text("It replaced")
    await expect(history).to_contain_text("I play the cello")


async def test_what_was_trimmed_is_kept_again(
    remembered: Page, database: Database, memory: MemoryService, user_id: str
) -> None:
    before = {item.id for item in await memory.list_recent(user_id)}
    await Capacity(database, MemoryMetrics(), cap=2).enforce(
        user_id, "default", origin=Origin("upkeep")
    )
    await remembered.goto("/memory?include_trimmed=yes")
    past = remembered.locator(".entry.past")
    await expect(past).to_have_count(1)

    await past.get_by_role("button", name="Keep again").click()

    await expect(past).to_have_count(0)
    await expect(remembered.locator(".entry", has_text="Saved by you")).to_have_count(1)
    assert {item.id for item in await memory.list_recent(user_id)} == before


async def test_the_history_shows_the_source_and_the_last_scores(
    page: Page, memory: MemoryService
) -> None:
    await chat_page.open_chat(page)
    for said in ("Remember that I own a red kayak", "What colour is my kayak?"):
        await chat_page.say(page, said)
    await memory.recalling.usage.flush()  # what is written behind the answer
    await page.goto("/memory")

    await card(page, "kayak").locator("summary").click()

    history = card(page, "kayak").locator(".history-told")
    await expect(history).to_contain_text("Remember that I own a red kayak")
    await expect(history).to_contain_text("Recalled once")
    await expect(history).to_contain_text("Its scores when it was last ranked")


async def test_a_secret_is_refused_in_the_form(remembered: Page) -> None:
    await act(remembered, "cello", "fix").click()
    await remembered.get_by_label("The right words").fill("my password is hunter2horse")
    await remembered.keyboard.press("Control+Enter")

    await expect(remembered.get_by_role("alert")).to_contain_text("password")
    await remembered.keyboard.press("Escape")
    await expect(act(remembered, "cello", "fix")).to_be_focused()


async def test_several_are_forgotten_at_once(remembered: Page) -> None:
    for words in ["cello", "trains"]:
        await card(remembered, words).get_by_role("checkbox").check()
    chosen = remembered.get_by_role("region", name="Selected memories")
    await chosen.get_by_role("button", name="Forget").click()

    await expect(remembered.locator(".entry")).to_have_count(1)
    await remembered.get_by_role("button", name="Undo").click()
    await expect(remembered.locator(".entry")).to_have_count(3)


async def test_the_search_stays_in_the_address(remembered: Page) -> None:
    await remembered.get_by_label("Search the memories").press_sequentially("peanuts")
    await expect(remembered.locator(".entry")).to_have_count(1)
    await expect(remembered.locator("#announcer")).to_have_text("1 memory found")

    await remembered.reload()
    await expect(remembered.locator(".entry")).to_have_count(1)


@pytest.mark.parametrize("answer", ["It changed", "The old one still holds"])
async def test_a_doubt_is_answered_and_the_answer_taken_back(
    memory: MemoryService, user_id: str, page: Page, answer: str
) -> None:
    for town in ["Oslo", "Bergen"]:
        told = NewMemory(content=f"My sister Maria lives in {town}", manually_saved=True)
        await memory.remember(user_id, told)
    await page.goto("/memory#questions")
    await expect(page.locator(".views .badge")).to_contain_text("1")

    await page.get_by_role("button", name=answer).click()
    await expect(page.locator(".view")).to_contain_text("Nothing is in doubt.")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".toast", has_text="It is back.")).to_be_visible()
    assert {item.content[-4:] for item in await memory.list_recent(user_id)} == {"Oslo", "rgen"}


@pytest.mark.parametrize(
    ("answer", "out"), [("It changed", "Oslo"), ("The old one still holds", "Bergen")]
)
async def test_what_was_replaced_is_said_to_be_so_whichever_was_the_newer(
    memory: MemoryService, user_id: str, page: Page, answer: str, out: str
) -> None:
    for town in ["Oslo", "Bergen"]:
        told = NewMemory(content=f"My sister Maria lives in {town}", manually_saved=True)
        await memory.remember(user_id, told)
    await page.goto("/memory#questions")
    await page.get_by_role("button", name=answer).click()
    await expect(page.locator(".view")).to_contain_text("Nothing is in doubt.")

    await page.goto("/memory#timeline")
    await expect(page.locator(".entry")).to_have_count(2)
    replaced = page.locator(".entry", has_text="Replaced by another one")
    await expect(replaced).to_have_count(1)
    await expect(replaced.locator(".entry-text")).to_contain_text(out)
    await expect(page.locator(".view")).not_to_contain_text("newer")


async def test_what_another_tab_did_is_seen_on_coming_back(
    memory: MemoryService, user_id: str, remembered: Page
) -> None:
    await memory.remember(user_id, NewMemory(content="I own a kayak"))
    await remembered.evaluate("window.dispatchEvent(new Event('focus'))")

    await expect(card(remembered, "kayak")).to_be_visible()


async def test_a_failure_can_be_tried_again(page: Page) -> None:
    await page.route("**/v1/memory/summary*", lambda route: route.abort())
    await page.goto("/memory")
    await expect(page.get_by_role("alert")).to_contain_text("cannot be reached")

    await page.unroute("**/v1/memory/summary*")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("heading", name="Nothing is remembered yet")).to_be_visible()
