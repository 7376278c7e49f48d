from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest

from agent.models.offline import OfflineModel
from app.api.dependencies import ApiServices
from memory.config import Settings
from memory.local_services.services import LocalServices
from memory.service import MemoryService
from tests.agent.turns import Assist
from tests.app.program import MakeProgram, Program
from tests.app.serving import as_user, make_served, serving
from tests.memory.embedded.conftest import copy_home, set_up_home


@pytest.fixture
def served(settings: Settings, memory: MemoryService, assist: Assist) -> ApiServices:
    """Over the offline assistant."""
    return make_served(settings, memory, assist(OfflineModel()))


@pytest.fixture
async def anyone(served: ApiServices) -> AsyncIterator[httpx2.AsyncClient]:
    """A client without a credential."""
    async with serving(served) as client:
        yield client


@pytest.fixture
async def client(served: ApiServices, user_id: str) -> AsyncIterator[httpx2.AsyncClient]:
    """A client that is signed in as the test's user."""
    async with serving(served) as client:
        client.headers.update(as_user(user_id))
        yield client


@pytest.fixture
def make_program(tmp_path: Path) -> MakeProgram:
    """Makes programs in the test's folder, with settings and a data folder of their own."""
    return functools.partial(Program, tmp_path)


@pytest.fixture(scope="session")
def finished_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which the servers have been set up and nothing was stored; to be copied."""
    home = tmp_path_factory.mktemp("finished") / "home"
    asyncio.run(set_up_home(home))
    return home


@pytest.fixture
def home(finished_home: Path, tmp_path: Path) -> Iterator[Path]:
    """Such a folder for the programs of one test, with its services kept up between them."""
    copied = copy_home(finished_home, tmp_path / "home").home.root
    services = LocalServices(copied)
    asyncio.run(services.start())
    yield copied
    asyncio.run(services.stop())
