"""The server as a whole: in this process with a model of the tests' own, and as a process."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

import httpx2
import pytest
from agents.items import TResponseStreamEvent
from openai.types.responses import ResponseTextDeltaEvent
from pydantic import SecretStr

from agent.models.offline import OfflineModel
from app.api.auth.modes import Authentication
from app.api.server import make_api_services, run_server
from app.bootstrap import Keepsake, open_keepsake
from app.runner import Shutdown
from memory.config import Settings
from memory.errors import ServerStopping
from memory.local_services.services import ServiceAddresses
from memory.types import StoredMessage
from tests.agent.turns import assists
from tests.app.program import Program
from tests.app.serving import NamedCaller
from tests.app.streaming import Event, events_of, text_of
from tests.memory.embedded.conftest import eventually

SECONDS = 60


class HeldModel(OfflineModel):
    """Begins its answer, and goes on when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.may_go_on = asyncio.Event(), asyncio.Event()

    async def stream_response(
        self, *arguments: Any, **named: Any
    ) -> AsyncIterator[TResponseStreamEvent]:
        async for event in super().stream_response(*arguments, **named):
            yield event
            if isinstance(event, ResponseTextDeltaEvent):
                self.begun.set()
                await self.may_go_on.wait()


@dataclass
class Running:
    """A server in this process, and the signals that it is told."""

    keepsake: Keepsake
    leaving: Shutdown
    ending: asyncio.Task[int]
    url: str

    async def chat(self, told: list[Event]) -> None:
        async with (
            httpx2.AsyncClient(base_url=self.url, timeout=SECONDS) as client,
            client.stream("POST", "/v1/chat", json={"message": "What is a kayak?"}) as answer,
        ):
            assert answer.status_code == 200
            told.extend([event async for event in events_of(answer)])

    async def stored(self, told: list[Event]) -> list[StoredMessage]:
        conversation_id = UUID(told[0].data["conversation_id"])
        user_id = self.keepsake.settings.keepsake_user
        return await self.keepsake.memory.conversations.read_recent(user_id, conversation_id, 10)

    async def refuses(self) -> bool:
        """Whether nobody is let in any more."""
        try:
            async with httpx2.AsyncClient(base_url=self.url) as client:
                await client.get("/healthz")
        except httpx2.TransportError:
            return True
        return False


Run: TypeAlias = Callable[..., Any]


@pytest.fixture
async def keepsake(
    own_database_url: str, services: ServiceAddresses, settings: Settings, user_id: str
) -> AsyncIterator[Keepsake]:
    """The whole program, over a database of the test's own."""
    addressed = settings.model_copy(
        update={
            "database_url": SecretStr(own_database_url),
            "redis_url": SecretStr(services.redis_url),
            "keepsake_user": user_id,
        }
    )
    async with open_keepsake(addressed, lambda _: None) as opened:
        yield opened


@asynccontextmanager
async def running(
    keepsake: Keepsake, model: OfflineModel, drain_seconds: float = SECONDS
) -> AsyncIterator[Running]:
    settings = keepsake.settings.model_copy(update={"drain_seconds": drain_seconds})
    leaving = Shutdown()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with assists(keepsake.memory, keepsake.cache) as assist:
            own = replace(keepsake, settings=settings, assistant=assist(model))
            serving: Coroutine[Any, Any, int] = run_server(own, listener, leaving, worker=False)
            ending = asyncio.create_task(leaving.watch(serving))
            try:
                yield Running(own, leaving, ending, url)
            finally:
                ending.cancel()
                await asyncio.wait({ending})


def done(told: list[Event]) -> dict[str, Any]:
    [event] = [each for each in told if each.name == "done"]
    return event.data


async def test_sigterm_in_mid_stream_loses_no_word(keepsake: Keepsake) -> None:
    model, told = HeldModel(), list[Event]()
    async with running(keepsake, model) as server:
        chatting = asyncio.create_task(server.chat(told))
        await model.begun.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        await eventually(server.refuses)
        assert not server.ending.done()
        model.may_go_on.set()
        await chatting
        assert await server.ending == 0
        assert done(told)["status"] == "complete"
        assert told[-1].name == "end"
        said = await server.stored(told)
    assert [each.status for each in said] == ["complete", "complete"]
    assert said[-1].content == text_of(told) != ""


async def test_what_does_not_end_in_time_is_stored_as_far_as_it_went(keepsake: Keepsake) -> None:
    model, told = HeldModel(), list[Event]()
    async with running(keepsake, model, drain_seconds=0.2) as server:
        chatting = asyncio.create_task(server.chat(told))
        await model.begun.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        await chatting
        assert await server.ending == 0
        assert (done(told)["status"], done(told)["saved"]) == ("interrupted", True)
        assert told[-1].name == "end"
        said = await server.stored(told)
    assert said[-1].status == "interrupted"
    assert said[-1].content == text_of(told).strip() != ""


async def test_a_second_ctrl_c_cuts_the_waiting_short(keepsake: Keepsake) -> None:
    model, told = HeldModel(), list[Event]()
    async with running(keepsake, model, drain_seconds=10 * SECONDS) as server:
        chatting = asyncio.create_task(server.chat(told))
        await model.begun.wait()
        os.kill(os.getpid(), signal.SIGINT)
        await eventually(server.refuses)
        os.kill(os.getpid(), signal.SIGINT)
        async with asyncio.timeout(45):  # less than it would drain
            await chatting
            with pytest.raises(asyncio.CancelledError):
                await server.ending
        assert server.leaving.exit_code == 130
        assert done(told)["status"] == "interrupted"


async def test_while_it_closes_it_is_not_ready(keepsake: Keepsake) -> None:
    served = make_api_services(keepsake, Authentication(NamedCaller()))
    await served.ready()
    await served.chats.drain(0)
    with pytest.raises(ServerStopping):
        await served.ready()


async def test_what_the_memory_counts_is_in_the_metrics(keepsake: Keepsake) -> None:
    served = make_api_services(keepsake, Authentication(NamedCaller()))
    assert served.metrics.registry.get_sample_value("keepsake_supersedes_total") == 0


async def test_metrics_are_told_without_a_key_at_a_port_of_their_own(keepsake: Keepsake) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    asking = keepsake.settings.model_copy(update={"auth_mode": "token", "serve_metrics_port": port})
    metrics = f"http://127.0.0.1:{port}/metrics"
    async with running(replace(keepsake, settings=asking), OfflineModel()) as server:
        await eventually(lambda: _answers(metrics))
        async with httpx2.AsyncClient(timeout=SECONDS) as client:
            assert (await client.get(f"{server.url}/v1/me")).status_code == 401
            told = (await client.get(metrics)).text
    assert 'route="/v1/me",status="4xx"' in told
    assert "keepsake_recall_seconds_bucket" in told
    assert not await _answers(metrics)


async def _answers(url: str) -> bool:
    try:
        async with httpx2.AsyncClient() as client:
            return (await client.get(url)).status_code == 200
    except httpx2.TransportError:
        return False


@pytest.fixture
def program(tmp_path: Path, own_database_url: str, services: ServiceAddresses) -> Program:
    """On a database of the test's own, as a process."""
    return Program(
        tmp_path, DATABASE_URL=own_database_url, REDIS_URL=services.redis_url, SERVE_PORT="0"
    )


def address_told(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
    assert found, process.communicate()
    return found[0]


def test_it_says_where_it_is_and_ends_on_sigterm(program: Program) -> None:
    process = program.start("serve")
    try:
        address = address_told(process)
        assert httpx2.get(f"{address}/readyz", timeout=SECONDS).json() == {"status": "ok"}
        process.terminate()
        assert process.wait(SECONDS) == 0
    finally:
        process.kill()
        process.communicate()
    log = (program.home / "logs" / "keepsake.log").read_text()
    assert '"event": "server closed"' in log


def test_a_port_in_use_is_one_clear_sentence(program: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = program.run("serve", "--port", str(port), code=1)
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert f"127.0.0.1:{port}: another program is there already" in ended.stderr


def test_without_credentials_it_is_for_this_machine_alone(program: Program) -> None:
    ended = program.run("serve", "--host", "0.0.0.0", code=1)
    assert "AUTH_MODE" in ended.stderr
    assert ended.stdout == ""
