"""The pages of the browser door. They hold no data, so they need no credential: what they show,
their scripts ask of `/v1`."""

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
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
# Kept by the browser, but asked about each time: after an update nothing old is run.
CACHING = {"Cache-Control": "no-cache"}

router = APIRouter(include_in_schema=False)
READ = ["GET", "HEAD"]


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
        response.headers.update(CACHING)
        kind = MEDIA_TYPES.get(Path(full_path).suffix)
        if kind is not None and response.status_code == status_code:
            response.headers["Content-Type"] = f"{kind}; charset=utf-8"
        return response


_files = PageFiles(directory=HERE / "static")


def _page(name: str) -> FileResponse:
    return FileResponse(HERE / f"{name}.html", media_type="text/html", headers=CACHING)


@router.api_route("/", methods=READ)
async def begin() -> FileResponse:
    """The chat, with a conversation yet to begin."""
    return _page("chat")


@router.api_route("/c/{conversation_id}", methods=READ)
async def conversation(conversation_id: str) -> FileResponse:
    """The chat; its script reads the id from the address and asks for the conversation."""
    return _page("chat")


@router.api_route("/memory", methods=READ)
async def memory() -> FileResponse:
    return _page("memory")


@router.api_route("/sign-in", methods=READ)
async def sign_in() -> FileResponse:
    return _page("sign-in")


@router.api_route("/favicon.ico", methods=READ)
async def icon() -> FileResponse:
    """Browsers ask here even where a page names another."""
    return FileResponse(HERE / "static" / "icon.svg", media_type=MEDIA_TYPES[".svg"])


@router.api_route("/static/{path:path}", methods=READ)
async def static(path: str, request: Request) -> Response:
    """404 outside of the folder."""
    return await _files.get_response(path, request.scope)
