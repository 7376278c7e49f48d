"""The client over a real connection, which servers break in every way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest
from agents import Model, ModelSettings, ModelTracing
from openai.types.responses import ResponseTextDeltaEvent

from agent.models.middleware import is_server_trouble
from agent.models.provider import choose_model, open_model
from memory.config import Settings
from tests.agent.wire import begun_text, sent, text

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(content), content)


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[str]:
    """The base URL of a server that gives this answer to whoever connects."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await answer(reader, writer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


def keyed(settings: Settings, base_url: str, seconds: float = 30.0) -> Settings:
    return settings.model_copy(
        update={
            "openai_base_url": base_url,
            "openai_api": "chat_completions",
            "openai_timeout_seconds": seconds,
        }
    )


async def said_by(model: Model, heard: list[str]) -> None:
    events: Any = model.stream_response(
        None,
        "Hello?",
        ModelSettings(),
        [],
        None,
        [],
        ModelTracing.DISABLED,
        previous_response_id=None,
        conversation_id=None,
        prompt=None,
    )
    async for event in events:
        if isinstance(event, ResponseTextDeltaEvent):
            heard += [event.delta]


async def whole(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD)
    for event in text("chat_completions", "It ", "is ", "green."):
        writer.write(chunk(sent(event)))
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def nothing(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    """Hangs up without an answer."""


async def half_a_chunk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    [first, second] = begun_text("chat_completions", "It ", "is ")
    writer.write(HEAD + chunk(sent(first)) + chunk(sent(second))[:-9])
    await writer.drain()


async def no_end(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Every byte that was announced, but neither a reason to finish nor [DONE]."""
    [first] = begun_text("chat_completions", "It ")
    writer.write(HEAD + chunk(sent(first)) + b"0\r\n\r\n")
    await writer.drain()


async def silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD)
    await writer.drain()
    await reader.read()  # the request, and then until the client has enough of it


async def test_an_answer_comes_whole(settings: Settings) -> None:
    heard: list[str] = []
    async with answering(whole) as url, open_model(keyed(settings, url)) as model:
        await said_by(model, heard)
    assert "".join(heard) == "It is green."


@pytest.mark.parametrize(
    ("answer", "before"),
    [(nothing, ""), (half_a_chunk, "It "), (no_end, "It ")],
    ids=["no answer", "half an answer", "an answer without its end"],
)
async def test_a_connection_that_breaks_is_the_servers_trouble(
    settings: Settings, answer: Answer, before: str
) -> None:
    heard: list[str] = []
    async with answering(answer) as url, open_model(keyed(settings, url)) as model:
        with pytest.raises(openai.APIConnectionError) as caught:
            await said_by(model, heard)
    assert is_server_trouble(caught.value)
    assert not isinstance(caught.value, openai.APITimeoutError), "it was not slow"
    assert "".join(heard) == before


async def test_nobody_there_is_the_servers_trouble(settings: Settings) -> None:
    async with answering(nothing) as url:
        pass
    async with open_model(keyed(settings, url)) as model:
        with pytest.raises(openai.APIConnectionError) as caught:
            await said_by(model, [])
    assert is_server_trouble(caught.value)
    assert not isinstance(caught.value, openai.APITimeoutError), "it was not slow"


async def test_a_server_that_says_nothing_is_waited_for_as_long_as_is_set(
    settings: Settings,
) -> None:
    async with answering(silence) as url, open_model(keyed(settings, url, 0.2)) as model:
        with pytest.raises(openai.APITimeoutError):
            await said_by(model, [])


async def test_a_closed_model_has_given_its_connections_back(settings: Settings) -> None:
    gone = asyncio.Event()

    async def keep_open(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await whole(reader, writer)
        await reader.read()
        gone.set()

    async with answering(keep_open) as url:
        model = choose_model(keyed(settings, url))
        await said_by(model, [])
        assert not gone.is_set()
        await model.close()
        async with asyncio.timeout(30):
            await gone.wait()
