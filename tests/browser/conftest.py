"""A real browser before the real server. Skipped where no Chromium is installed.

One process of the run has them all: one browser, one server for all users and one browser profile,
whose HTTP cache has the scripts after the first page. Each test is a user of its own, and finds no
page, cookie or stored word of another test."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from agents import Model, ModelResponse
from agents.items import TResponseStreamEvent
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    async_playwright,
    expect,
)

from agent.assistant import Assistant
from agent.models.offline import OfflineModel
from app.api.application import make_application
from app.api.dependencies import ApiServices
from memory.cache import Cache, EmbeddingCache
from memory.config import Settings
from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.local import LocalEmbedder
from memory.embeddings.protocol import Embedder
from memory.factory import make_memory
from memory.local_services.services import ServiceAddresses
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from tests.agent.turns import assists
from tests.app.listening import listening
from tests.app.serving import LocalUsers, make_served, on_this_machine
from tests.browser.kept_scripts import with_kept_scripts
from tests.browser.profile import TIMEOUT_MS, Profile, open_profile
from tests.patience import PATIENCE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# As root there is no sandbox to be had; the rest keeps it from asking the network for anything.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
expect.set_options(timeout=TIMEOUT_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Two browsers on one machine would only wait for each other."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))


@dataclass
class Seen:
    """What a page did besides what it shows."""

    complaints: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def watch(self, page: Page, url: str) -> None:
        def complained(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"}:
                self.complaints.append(f"{message.text} {message.location['url']}")

        def requested(request: Request) -> None:
            if not request.url.startswith((url, "data:", "blob:")):
                self.elsewhere.append(request.url)

        page.on("console", complained)
        page.on("request", requested)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))


# What tests/conftest.py makes for each test is made once here, for the one server.


@pytest.fixture(scope="session")
async def cache(services: ServiceAddresses) -> AsyncIterator[Cache]:
    opened = Cache(services.redis_url, timeout=PATIENCE)
    yield opened
    await opened.aclose()


@pytest.fixture(scope="session")
def embedder(local_embedder: LocalEmbedder, cache: Cache) -> Embedder:
    return CachedEmbedder(local_embedder, EmbeddingCache(cache))


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The defaults, but that nothing is late on a machine that runs other tests too."""
    return Settings.model_construct(
        keepsake_home=tmp_path_factory.mktemp("browser"),
        memory_queries_per_minute=0,
        recall_timeout_seconds=PATIENCE,
        embedding_timeout_seconds=PATIENCE,
        resume_seconds=600.0,
    )


@pytest.fixture(scope="session")
async def memory(
    shared_database: Database,
    embedder: Embedder,
    cache: Cache,
    counter: TokenCounter,
    settings: Settings,
) -> AsyncIterator[MemoryService]:
    made = make_memory(shared_database, embedder, cache, counter, settings)
    yield made
    await made.aclose()


# The server: all tests' users are on this machine.


class ModelOfTest(Model):
    """Answers as the model of the test that runs."""

    def __init__(self) -> None:
        self.current: Model = OfflineModel()

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        return await self.current.get_response(*args, **kwargs)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        return self.current.stream_response(*args, **kwargs)


@pytest.fixture(scope="session")
def answering() -> ModelOfTest:
    return ModelOfTest()


@pytest.fixture(scope="session")
async def assistant(
    memory: MemoryService, cache: Cache, answering: ModelOfTest
) -> AsyncIterator[Assistant]:
    async with assists(memory, cache) as make:
        yield make(answering)


@pytest.fixture(scope="session")
def served(settings: Settings, memory: MemoryService, assistant: Assistant) -> ApiServices:
    return make_served(settings, memory, assistant, LocalUsers(settings))


@pytest.fixture(scope="session")
async def shared_site(served: ApiServices) -> AsyncIterator[str]:
    async with listening(with_kept_scripts(make_application(served))) as url:
        yield url
        await served.chats.aclose()


@pytest.fixture
def model() -> Model:
    """Answers in the conversations of the test; a test that needs another one overrides this."""
    return OfflineModel()


@pytest.fixture
async def site(
    shared_site: str, served: ApiServices, answering: ModelOfTest, model: Model, user_id: str
) -> AsyncIterator[str]:
    """The address of a server in local mode, where the test's user is at home."""
    answering.current = model
    yield shared_site
    async with served.assistant.turns.stopped(user_id):
        """Nothing of theirs is under way any more."""


# The browser.


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed; Debian's package is called chromium")
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        await launched.close()


@pytest.fixture(scope="session")
async def profile(browser: Browser, shared_site: str) -> AsyncIterator[Profile]:
    async with open_profile(browser, shared_site) as opened:
        yield opened


@pytest.fixture
async def context(profile: Profile, site: str, user_id: str) -> AsyncIterator[BrowserContext]:
    """The browser of the test's user."""
    await profile.context.set_extra_http_headers(on_this_machine(user_id))
    yield profile.context
    await profile.clear()


@pytest.fixture
async def page(context: BrowserContext, site: str, seen: Seen) -> Page:
    """A new page, which remembers what went wrong in it."""
    opened = await context.new_page()
    seen.watch(opened, site)
    return opened


@pytest.fixture
def seen() -> Seen:
    return Seen()
