"""An answer that fails after its message was stored: the message is not said twice."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from playwright.async_api import Page, Request, Route, expect

from memory.service import MemoryService
from memory.store.messages import NewMessage
from tests.browser.chat_page import answered, last_turn, open_chat, send, turns

SAID = "Good morning"
BROKEN = "Something went wrong that Keepsake did not expect."


class BrokenTurn:
    """Answers the first message with a stream that ends with an error and without `done`."""

    def __init__(self, memory: MemoryService, user_id: str) -> None:
        self._memory = memory
        self._user_id = user_id
        self.turn_id, self.conversation_id = uuid4(), uuid4()

    async def answer(self, route: Route) -> None:
        new = NewMessage("user", SAID, self.turn_id)
        await self._memory.conversations.add_message(self._user_id, self.conversation_id, new)
        headers = {"Content-Type": "text/event-stream", "Keepsake-Turn": str(self.turn_id)}
        await route.fulfill(headers=headers, body=self._stream())

    def _stream(self) -> str:
        turn = {
            "turn_id": str(self.turn_id),
            "conversation_id": str(self.conversation_id),
            "privacy": "normal",
        }
        problem = {"type": "urn:keepsake:unexpected", "status": 500, "detail": BROKEN}
        events = [("turn", turn), ("text", {"text": "Good "}), ("error", problem), ("end", {})]
        return "".join(
            f"id: {number}\nevent: {name}\ndata: {json.dumps(data)}\n\n"
            for number, (name, data) in enumerate(events, 1)
        )


@pytest.fixture
async def broken(page: Page, memory: MemoryService, user_id: str) -> BrokenTurn:
    turn = BrokenTurn(memory, user_id)
    await page.route("**/v1/chat", turn.answer, times=1)
    return turn


async def test_trying_again_takes_back_what_was_stored(page: Page, broken: BrokenTurn) -> None:
    await open_chat(page)
    turn = await send(page, SAID)
    await expect(turn.get_by_role("alert")).to_contain_text(BROKEN)
    await expect(turn).not_to_contain_text("Your message was not sent.")
    await answered(page)

    async with page.expect_request("**/v1/chat") as asked:
        await turn.get_by_role("button", name="Try again").click()
    assert sent(await asked.value)["instead_of"] == str(broken.turn_id)

    for _ in range(2):
        await answered(page)
        await expect(turns(page)).to_have_count(1)
        await expect(last_turn(page).get_by_role("alert")).to_have_count(0)
        await page.reload()


async def test_what_got_no_answer_is_sent_again_under_its_key(page: Page) -> None:
    """Also after an answer: it may be that the first request is still under way."""
    problem = {"type": "urn:keepsake:still-under-way", "status": 409, "detail": "Still under way."}
    await page.route("**/v1/chat", lambda route: route.fulfill(status=409, json=problem), times=1)
    await open_chat(page)
    async with page.expect_request("**/v1/chat") as first:
        turn = await send(page, SAID)
    await expect(turn.get_by_role("alert")).to_contain_text("Your message was not sent.")

    async with page.expect_request("**/v1/chat") as second:
        await turn.get_by_role("button", name="Try again").click()

    await answered(page)
    assert await key_of(await first.value) == await key_of(await second.value)
    await expect(turns(page)).to_have_count(1)


def sent(request: Request) -> dict[str, object]:
    body: dict[str, object] = json.loads(request.post_data or "{}")
    return body


async def key_of(request: Request) -> str:
    return (await request.all_headers())["idempotency-key"]
