"""One data folder for all processes that these tests start, with its services kept up between
them, and a model server that writes until it is hung up on."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

import pytest
from pydantic import SecretStr

from app.bootstrap import open_keepsake
from app.terminal.session import TerminalSession
from memory.config import Settings
from memory.local_services.services import LocalServices, ServiceAddresses
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.types import StoredMessage
from migrations.runner import migrate
from tests.app.program import Program
from tests.conftest import PROFILE

WORDS_A_SECOND = 20
MOST_WORDS = 2000


@pytest.fixture(scope="session")
def program_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("program") / "home"


@pytest.fixture(scope="session")
def program_services(program_home: Path) -> Iterator[ServiceAddresses]:
    embedded = LocalServices(program_home)
    addresses = asyncio.run(embedded.start())
    asyncio.run(migrate(addresses.database_url, PROFILE))
    yield addresses
    asyncio.run(embedded.stop())


@pytest.fixture
def program(tmp_path: Path, program_home: Path, program_services: ServiceAddresses) -> Program:
    return Program(tmp_path, program_home)


@pytest.fixture(scope="session")
def model_settings() -> Iterator[dict[str, str]]:
    """The settings that point at a server which answers everything with “word word word …”."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _WritesWithoutEnd)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    yield {"OPENAI_BASE_URL": url, "OPENAI_API": "chat_completions"}
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
async def turns(
    database_url: str, services: ServiceAddresses, settings: Settings
) -> AsyncIterator[TerminalSession]:
    """One person's turns with the whole program, over a database of the test's own."""
    addressed = settings.model_copy(
        update={
            "database_url": SecretStr(database_url),
            "redis_url": SecretStr(services.redis_url),
            "keepsake_user": f"user-{uuid4().hex[:12]}",
        }
    )
    async with open_keepsake(addressed, lambda _: None) as keepsake:
        yield TerminalSession(keepsake, addressed.keepsake_user)


async def said_by(program: Program, services: ServiceAddresses) -> list[list[StoredMessage]]:
    """What is stored of the conversations of the program's user."""
    database = await Database.open(services.database_url, connections=1)
    try:
        user_id, store = program.settings["KEEPSAKE_USER"], DatabaseConversations(database)
        found = await store.list_conversations(user_id)
        return [await store.read_recent(user_id, each.id, 20) for each in found]
    finally:
        await database.close()


class _WritesWithoutEnd(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        try:
            for _ in range(MOST_WORDS):
                self._write("word ")
                time.sleep(1 / WORDS_A_SECOND)  # the pace of a model
        except OSError:
            return  # hung up on

    def log_message(self, *_: object) -> None:
        """Nothing to the terminal of the test run."""

    def _write(self, text: str) -> None:
        choice = {"index": 0, "delta": {"role": "assistant", "content": text}}
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m"}
        self.wfile.write(b"data: " + json.dumps(chunk | {"choices": [choice]}).encode() + b"\n\n")
        self.wfile.flush()
