"""A page for who follows a wrong link, with a way back."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import FileResponse

from app.web.pages import CACHING, HERE, MEDIA_TYPES

# What programs ask, also where a browser shows the answer.
_OF_PROGRAMS = ("/v1", "/mcp", "/openapi.json", "/static")


def is_person(request: Request) -> bool:
    """Whether a browser asks for a page, as it does for an address that somebody opened."""
    is_page = not request.url.path.startswith(_OF_PROGRAMS)
    return is_page and request.method == "GET" and _takes_html(request.headers.getlist("accept"))


def lost_page() -> FileResponse:
    headers = {**CACHING, "Vary": "Accept"}
    return FileResponse(HERE / "lost.html", 404, headers, media_type=MEDIA_TYPES[".html"])


def _takes_html(accept: list[str]) -> bool:
    """Named by itself: “*/*”, which programs send, asks for nothing in particular."""
    kinds = (kind.partition(";")[0].strip() for each in accept for kind in each.split(","))
    return "text/html" in kinds
