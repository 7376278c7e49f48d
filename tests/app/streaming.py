"""The events of a turn as a client reads them, and a model that is held in the middle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from agents.items import TResponseStreamEvent
from agents.testing import ModelCall, ModelStep, ScriptedModel, assistant_message
from openai.types.responses import Response, ResponseCompletedEvent

from app.api.application import make_application
from app.api.dependencies import ApiServices
from tests.agent.scripts import delta
from tests.app.listening import listening

TIMEOUT = 60.0


@dataclass(frozen=True)
class Event:
    id: int
    name: str
    data: dict[str, Any]


class Held:
    """A reply in pieces: the first comes at once, the next ones when they are let go."""

    def __init__(self, *pieces: str) -> None:
        self._pieces = pieces
        self._let_go = asyncio.Event()

    @property
    def model(self) -> ScriptedModel:
        return ScriptedModel([ModelStep.stream(self._pour)])

    def let_go(self) -> None:
        self._let_go.set()

    async def _pour(self, _: ModelCall) -> AsyncIterator[TResponseStreamEvent]:
        for number, piece in enumerate(self._pieces):
            if number:
                await self._let_go.wait()
            yield delta(piece, number)
        yield completed("".join(self._pieces))


def completed(text: str) -> ResponseCompletedEvent:
    response = Response(
        id="scripted",
        created_at=0,
        model="scripted",
        object="response",
        output=[assistant_message(text)],
        tool_choice="auto",
        tools=[],
        parallel_tool_calls=False,
    )
    return ResponseCompletedEvent(type="response.completed", response=response, sequence_number=99)


@asynccontextmanager
async def connected(
    served: ApiServices, headers: dict[str, str]
) -> AsyncIterator[httpx2.AsyncClient]:
    """A client whose answers arrive as they are sent, unlike those of an ASGI transport."""
    async with listening(make_application(served)) as url:
        client = httpx2.AsyncClient(base_url=url, headers=headers, timeout=TIMEOUT)
        try:
            async with client:
                yield client
        finally:
            await served.chats.aclose()


async def events_of(answer: httpx2.Response) -> AsyncIterator[Event]:
    """As they arrive, without pings."""
    fields: dict[str, str] = {}
    async for line in answer.aiter_lines():
        name, _, value = line.partition(": ")
        if line and name:
            fields[name] = value
        elif "event" in fields:
            yield Event(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}


def text_of(events: list[Event]) -> str:
    return "".join(each.data["text"] for each in events if each.name == "text")


def done_of(events: list[Event]) -> dict[str, Any]:
    [done] = [each.data for each in events if each.name == "done"]
    return done


async def say(client: httpx2.AsyncClient, text: str, **more: Any) -> list[Event]:
    """The whole stream of a turn."""
    headers = more.pop("headers", None)
    body = {"message": text} | more
    async with client.stream("POST", "/v1/chat", json=body, headers=headers) as answer:
        assert answer.status_code == 200, await answer.aread()
        return [event async for event in events_of(answer)]
