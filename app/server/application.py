"""The application that answers on the one port: REST, health, later the web and MCP."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from fastapi import APIRouter, FastAPI

from app.rest import whoami
from app.server import health, problems
from app.server.correlation import Correlation
from app.server.served import Served

ROUTERS: Sequence[APIRouter] = (
    health.router,
    whoami.router,
)


def make_application(served: Served) -> FastAPI:
    """Routes and middleware over the parts; nothing is opened or closed here."""
    app = FastAPI(
        title="Keepsake",
        version=version("keepsake"),
        summary="An assistant that remembers what you let it, shows why, and forgets when told.",
        docs_url=None,
        redoc_url=None,
    )
    app.state.served = served
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router)
    app.add_middleware(Correlation)
    return app
