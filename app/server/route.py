"""Which route a request went to, by its template: what a log or a metric may say of a path."""

from __future__ import annotations

from starlette.types import Scope

UNKNOWN = "unknown"


def route_of(scope: Scope) -> str:
    """The template of the route ("/v1/memory/entries/{entry_id}"), or the place of an application
    that is mounted; never a path as it was sent. Known only once the request was routed."""
    template = getattr(scope.get("route"), "path", None)
    if isinstance(template, str):
        return template
    return scope.get("root_path") or UNKNOWN
