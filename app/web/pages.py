"""The pages for a browser. They hold no data, so they need no credential: what they show, their
scripts ask of `/v1`."""

from __future__ import annotations

import os
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

HERE = Path(__file__).parent
# Of the kinds that are served; what the machine has registered for them differs.
MEDIA_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
# Kept by the browser, but asked about each time: after an update nothing old is run.
CACHE_HEADERS = {"Cache-Control": "no-cache"}

router = APIRouter(include_in_schema=False)


class PageFiles(StaticFiles):
    """Scripts and styles by their path, with an ETag; 304 where the browser has them."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers.update(CACHE_HEADERS)
        kind = MEDIA_TYPES.get(Path(full_path).suffix)
        if kind is not None and response.status_code == status_code:
            response.headers["Content-Type"] = f"{kind}; charset=utf-8"
        return response


_files = PageFiles(directory=HERE / "static")
_pages = PageFiles(directory=HERE)


async def _page(name: str, request: Request) -> Response:
    return await _pages.get_response(f"{name}.html", request.scope)


@router.get("/")
async def begin(request: Request) -> Response:
    """The chat, with a conversation yet to begin."""
    return await _page("chat", request)


@router.get("/c/{conversation_id}")
async def conversation(conversation_id: str, request: Request) -> Response:
    """The chat; its script reads the id from the address and asks for the conversation."""
    return await _page("chat", request)


@router.get("/memory")
async def memory(request: Request) -> Response:
    return await _page("memory", request)


@router.get("/sign-in")
async def sign_in(request: Request) -> Response:
    return await _page("sign-in", request)


@router.get("/favicon.ico")
async def icon(request: Request) -> Response:
    """Browsers ask here even where a page names another."""
    return await _files.get_response("icon.svg", request.scope)


@router.get("/static/{path:path}")
async def static(path: str, request: Request) -> Response:
    """404 outside of the folder."""
    return await _files.get_response(path, request.scope)


# What programs ask, also where a browser shows the answer.
_OF_PROGRAMS = ("/v1", "/mcp", "/openapi.json", "/static")


def wants_html_page(request: Request) -> bool:
    """Whether a browser asks for a page, as it does for an address that somebody opened."""
    is_page = not request.url.path.startswith(_OF_PROGRAMS)
    return is_page and request.method == "GET" and _takes_html(request.headers.getlist("accept"))


def not_found_page() -> FileResponse:
    headers = {**CACHE_HEADERS, "Vary": "Accept"}
    return FileResponse(HERE / "lost.html", 404, headers, media_type=MEDIA_TYPES[".html"])


def _takes_html(accept: list[str]) -> bool:
    """Named by itself: “*/*”, which programs send, asks for nothing in particular."""
    kinds = (kind.partition(";")[0].strip() for each in accept for kind in each.split(","))
    return "text/html" in kinds
