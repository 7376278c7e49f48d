"""What Keepsake asks stands under the answer, and is answered by a button."""

from __future__ import annotations

import pytest
from agents.testing import ScriptedModel
from playwright.async_api import Page, expect

from tests.agent.scripts import calls, says
from tests.browser.chat_page import open_chat, say, turns, words_of


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel([calls("remember", content="I like rye bread"), says("Good to know.")])


async def test_a_question_stands_below_the_answer_with_a_button_for_each_way(page: Page) -> None:
    await open_chat(page)
    turn = await say(page, "Would you know that rye bread is what one likes?")
    asked = turn.get_by_role("group", name="Keepsake asks")
    await expect(words_of(turn)).to_have_text("Good to know.")
    await expect(asked).to_contain_text("Shall I remember: “I like rye bread”?")

    await asked.get_by_role("button", name="Yes").click()

    await expect(turns(page).last).to_contain_text("I will remember: “I like rye bread”")
    await expect(asked.get_by_role("button")).to_have_count(0)


async def test_what_the_answer_asks_already_is_not_asked_twice(page: Page) -> None:
    await open_chat(page)
    turn = await say(page, "Remember that I like tea")
    await expect(turn.get_by_role("group", name="Keepsake asks")).to_have_count(0)
    turn = await say(page, "Forget about tea")
    await expect(turn.get_by_text("Say yes or no.")).to_have_count(1)

    await turn.get_by_role("button", name="No").click()

    await expect(turns(page).last).to_contain_text("nothing is changed")
