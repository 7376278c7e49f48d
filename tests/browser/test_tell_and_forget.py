"""The main path: what was told is used, shown, forgotten and brought back."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.browser.chat_page import (
    SCORE_PARTS,
    begin_new_chat,
    notice,
    open_chat,
    open_memories_used,
    open_why,
    say,
    tell,
)

TOLD = "I prefer uv over pip."
ASKED = "Which package manager do I prefer?"
KNOWN = "prefer uv over pip"
UNKNOWN = "I have nothing about that in memory."


async def test_what_was_told_is_used_forgotten_and_brought_back(page: Page) -> None:
    await open_chat(page)
    await tell(page, TOLD)

    await begin_new_chat(page)
    turn = await say(page, ASKED)
    await expect(turn).to_contain_text(KNOWN)

    used = await open_memories_used(turn)
    rested_on = await open_why(used)
    for part in SCORE_PARTS:
        await expect(rested_on.get_by_role("meter", name=part)).to_be_visible()

    await used.get_by_role("button", name="Forget: ").click()
    await expect(used.get_by_role("listitem").first).to_contain_text("Forgotten")
    # A notice stays as long as the pointer is on it.
    forgotten = notice(page, "Forgotten.")
    await forgotten.hover()

    await begin_new_chat(page)
    await expect(await say(page, ASKED)).to_contain_text(UNKNOWN)

    await forgotten.get_by_role("button", name="Undo").click()
    await expect(notice(page, "It is back.")).to_be_visible()
    await begin_new_chat(page)
    await expect(await say(page, ASKED)).to_contain_text(KNOWN)


async def test_a_forgetting_is_taken_back_under_the_answer(page: Page) -> None:
    await open_chat(page)
    await tell(page, TOLD)
    await begin_new_chat(page)
    used = await open_memories_used(await say(page, ASKED))

    await used.get_by_role("button", name="Forget: ").click()
    memory = used.get_by_role("listitem").first
    await expect(memory).not_to_contain_text(KNOWN)
    await memory.get_by_role("button", name="Undo: ").click()

    await expect(memory).to_contain_text(KNOWN)
    await begin_new_chat(page)
    await expect(await say(page, ASKED)).to_contain_text(KNOWN)


async def test_a_memory_is_put_right_under_the_answer(page: Page) -> None:
    await open_chat(page)
    await tell(page, TOLD)
    await begin_new_chat(page)
    used = await open_memories_used(await say(page, ASKED))

    await used.get_by_role("button", name="Fix: ").click()
    await used.get_by_label("The right words").fill("I prefer poetry over pip")
    await used.get_by_role("button", name="Save").click()

    await expect(used).to_contain_text("poetry over pip")
    await begin_new_chat(page)
    await expect(await say(page, ASKED)).to_contain_text("poetry over pip")
