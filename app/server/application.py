"""The application that answers on the one port: REST, the web page, MCP and health."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.middleware.cors import CORSMiddleware

from app.mcp.endpoint import make_routes as make_mcp_routes
from app.rest import chat, conversations, episodes, memory, session, whoami
from app.server import health, problems, scrape
from app.server.access_log import AccessLog
from app.server.body import BodyLimit
from app.server.compressed import Compressed
from app.server.correlation import HEADER, Correlation
from app.server.crashes import Crashes
from app.server.crowd import Crowd
from app.server.headers import Headers
from app.server.heads import Heads
from app.server.metrics import Metered
from app.server.openapi.credentials import say_credentials
from app.server.openapi.description import say_events, say_summaries
from app.server.openapi.introduction import INTRODUCTION, SERVERS, TAGS
from app.server.problems import Problem
from app.server.served import Served
from app.web import pages

ROUTERS: Sequence[APIRouter] = (
    health.router,
    scrape.router,
    whoami.router,
    session.router,
    memory.router,
    episodes.router,
    chat.router,
    conversations.router,
    pages.router,
)
# What a page of a listed origin may send and read besides the simple headers.
ASKED_HEADERS = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Protocol-Version",
    "Mcp-Session-Id",
)
TOLD_HEADERS = (
    HEADER,
    "Content-Disposition",
    "ETag",
    "Idempotent-Replayed",
    "Keepsake-Turn",
    "Location",
    "Retry-After",
)


class Application(FastAPI):
    """Its description also has the problems, which every route can answer with."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is not None:
            return self.openapi_schema
        document = super().openapi()
        say_summaries(document)
        say_events(document)
        say_credentials(document, self.state.served.settings.auth_mode)
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.setdefault("Problem", Problem.model_json_schema())
        return document


def make_application(served: Served) -> FastAPI:
    """Routes and middleware over the parts; nothing is opened or closed here."""
    app = Application(
        title="Keepsake",
        version=version("keepsake"),
        summary="An assistant that remembers what you let it, shows why, and forgets when told.",
        description=INTRODUCTION,
        openapi_tags=[dict(tag) for tag in TAGS],
        servers=[dict(server) for server in SERVERS],
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would redirect to whatever host a request names
    )
    app.state.served = served
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router)
    app.router.routes.extend(make_mcp_routes(served))
    served.memory.forgetting.hearers.add(served.chats.words_forgotten)
    served.metrics.watch_turns(lambda: served.chats.running, lambda: served.chats.listeners)
    _add_middleware(app, served)
    return app


def _add_middleware(app: FastAPI, served: Served) -> None:
    """From the innermost to the outermost: whatever answers, a crash too, its answer passes
    through those after it."""
    app.add_middleware(Compressed)
    app.add_middleware(Heads)
    app.add_middleware(BodyLimit, most=served.settings.max_body_bytes)
    app.add_middleware(Crashes)
    app.add_middleware(Crowd)
    if served.settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=served.settings.cors_origins,
            allow_methods=("GET", "POST", "PATCH", "DELETE"),
            allow_headers=ASKED_HEADERS,
            expose_headers=TOLD_HEADERS,
        )
    app.add_middleware(Metered, metrics=served.metrics)
    app.add_middleware(AccessLog)
    app.add_middleware(Headers)
    app.add_middleware(Correlation)
