"""The application of the front doors over a test's own memory, and a client that needs no port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from prometheus_client import CollectorRegistry
from starlette.requests import HTTPConnection

from agent.assistant import Assistant
from app.api.application import make_application
from app.api.auth.caller import Caller, Identifier
from app.api.auth.modes import make_identifier
from app.api.dependencies import ApiServices
from app.api.limits import make_rate_limits
from app.api.middleware import HttpMetrics
from app.api.turns import TurnRegistry
from memory.config import Settings
from memory.errors import NotSignedIn
from memory.service import MemoryService

URL = "http://localhost"


class NamedCaller:
    """An Identifier that believes the Authorization header: the user is the word after Bearer."""

    async def identify(self, connection: HTTPConnection) -> Caller:
        kind, _, name = connection.headers.get("authorization", "").partition(" ")
        if kind != "Bearer" or not name:
            raise NotSignedIn
        return Caller(name)


class LocalUsers:
    """The mode local for several users: which of them it is, the request says."""

    HEADER = "X-Test-User"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def identify(self, connection: HTTPConnection) -> Caller:
        named = {"keepsake_user": connection.headers[self.HEADER]}
        local = make_identifier(self._settings.model_copy(update=named), None)
        return await local.identify(connection)


def make_served(
    settings: Settings,
    memory: MemoryService,
    assistant: Assistant,
    identifier: Identifier | None = None,
) -> ApiServices:
    async def ready() -> None:
        await memory.space_settings("-", settings.keepsake_space)

    return ApiServices(
        settings=settings,
        memory=memory,
        assistant=assistant,
        chats=TurnRegistry(assistant, resume_seconds=settings.resume_seconds),
        limits=make_rate_limits(settings),
        metrics=HttpMetrics(CollectorRegistry()),
        identifier=identifier or NamedCaller(),
        ready=ready,
    )


@asynccontextmanager
async def serving(served: ApiServices) -> AsyncIterator[httpx2.AsyncClient]:
    """Requests as nobody; add `headers=as_user(name)` to be somebody."""
    transport = httpx2.ASGITransport(app=make_application(served), raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=URL) as client:
        yield client


def as_user(user_id: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {user_id}"}


def on_this_machine(user_id: str) -> dict[str, str]:
    return {LocalUsers.HEADER: user_id}
