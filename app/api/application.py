"""The application that answers on the one port: REST, the web page, MCP and health."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.middleware.cors import CORSMiddleware

from app.api.dependencies import ApiServices
from app.api.limits import BodyLimitMiddleware, ConnectionLimitMiddleware
from app.api.middleware import (
    CORRELATION_HEADER,
    AccessLogMiddleware,
    CorrelationMiddleware,
    HeadMiddleware,
    MetricsMiddleware,
    SecurityHeadersMiddleware,
    StaticCompressionMiddleware,
)
from app.api.openapi import (
    INTRODUCTION,
    SERVERS,
    TAGS,
    describe_credentials,
    describe_events,
    describe_summaries,
)
from app.api.problems import ErrorMiddleware, Problem, install_error_handlers
from app.api.routes.chat import router as chat_router
from app.api.routes.conflicts import router as conflicts_router
from app.api.routes.conversations import router as conversations_router
from app.api.routes.episodes import router as episodes_router
from app.api.routes.health import router as health_router
from app.api.routes.mcp import make_routes as make_mcp_routes
from app.api.routes.memories import router as memories_router
from app.api.routes.memories import search_router
from app.api.routes.portability import router as portability_router
from app.api.routes.privacy import erase_router, incognito_router
from app.api.routes.privacy import router as privacy_router
from app.api.routes.session import me_router
from app.api.routes.session import router as session_router
from app.api.routes.spaces import router as spaces_router
from app.api.routes.spaces import settings_router
from app.web import pages

ROUTERS: Sequence[APIRouter] = (
    health_router,
    me_router,
    session_router,
    spaces_router,
    memories_router,
    settings_router,
    incognito_router,
    search_router,
    conflicts_router,
    privacy_router,
    portability_router,
    erase_router,
    episodes_router,
    chat_router,
    conversations_router,
    pages.router,
)
# What a page of a listed origin may send and read besides the simple headers.
CORS_REQUEST_HEADERS = (
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
CORS_RESPONSE_HEADERS = (
    CORRELATION_HEADER,
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
        describe_summaries(document)
        describe_events(document)
        describe_credentials(document, self.state.served.settings.auth_mode)
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.setdefault("Problem", Problem.model_json_schema())
        return document


def make_application(served: ApiServices) -> FastAPI:
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
    install_error_handlers(app)
    for router in ROUTERS:
        app.include_router(router)
    app.router.routes.extend(make_mcp_routes(served))
    served.memory.forgetting.hearers.add(served.chats.discard_forgotten)
    served.metrics.watch_turns(lambda: served.chats.running, lambda: served.chats.listeners)
    _add_middleware(app, served)
    return app


def _add_middleware(app: FastAPI, served: ApiServices) -> None:
    """From the innermost to the outermost: whatever answers, a crash too, its answer passes
    through those after it."""
    app.add_middleware(StaticCompressionMiddleware)
    app.add_middleware(HeadMiddleware)
    app.add_middleware(BodyLimitMiddleware, most=served.settings.max_body_bytes)
    app.add_middleware(ErrorMiddleware)
    app.add_middleware(ConnectionLimitMiddleware)
    if served.settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=served.settings.cors_origins,
            allow_methods=("GET", "POST", "PATCH", "DELETE"),
            allow_headers=CORS_REQUEST_HEADERS,
            expose_headers=CORS_RESPONSE_HEADERS,
        )
    app.add_middleware(MetricsMiddleware, metrics=served.metrics)
    app.add_middleware(AccessLogMiddleware)
    app.add_middleware(SecurityHeadersMiddleware)
    app.add_middleware(CorrelationMiddleware)
