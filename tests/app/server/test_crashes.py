from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
import httpx2
import pytest
from fastapi.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from app.api.application import make_application
from app.api.dependencies import ApiServices
from app.api.middleware import SECURITY_HEADERS
from app.api.problems import ErrorMiddleware, is_client_disconnect

SECRET = "the safe opens with 4711"


@pytest.fixture
async def crashing(served: ApiServices) -> AsyncIterator[httpx2.AsyncClient]:
    app = make_application(served)

    @app.get("/crash")
    async def crash() -> None:
        raise RuntimeError(SECRET)

    @app.get("/half")
    async def half() -> StreamingResponse:
        async def parts() -> AsyncIterator[bytes]:
            yield b"half"
            raise RuntimeError(SECRET)

        return StreamingResponse(parts())

    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=True)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def test_a_crash_is_a_problem_that_tells_nothing(crashing: httpx2.AsyncClient) -> None:
    answer = await crashing.get("/crash")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["correlation_id"] == answer.headers["x-correlation-id"]
    assert {name: answer.headers[name] for name in SECURITY_HEADERS} == dict(SECURITY_HEADERS)
    for word in (SECRET, "RuntimeError", "Traceback", ".py"):
        assert word not in answer.text


async def test_half_an_answer_does_not_pass_for_a_whole(crashing: httpx2.AsyncClient) -> None:
    with pytest.raises(RuntimeError):
        await crashing.get("/half")


async def test_a_reader_who_went_is_no_crash() -> None:
    async def unread(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ExceptionGroup("unread", [anyio.BrokenResourceError()])

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_message: Message) -> None:
        """To nobody."""

    with capture_logs() as logs:
        await ErrorMiddleware(unread)({"type": "http"}, receive, send)
    assert logs == []


def test_something_else_beside_it_is_one() -> None:
    gone = anyio.BrokenResourceError()
    assert is_client_disconnect(ExceptionGroup("unread", [gone, anyio.ClosedResourceError()]))
    assert not is_client_disconnect(ExceptionGroup("more", [gone, RuntimeError()]))
