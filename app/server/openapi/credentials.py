"""Which credentials an address takes, as the OpenAPI document says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.identity.caller import AuthMode
from app.identity.cookies import COOKIE, PLAIN_COOKIE

Security = Sequence[Mapping[str, Sequence[str]]]
_BEARER, _SESSION = "bearer", "session"
_SCHEMES: Mapping[str, Mapping[str, str]] = {
    _BEARER: {
        "type": "http",
        "scheme": "bearer",
        "description": "An API key (`python -m app keys add`) where AUTH_MODE is token; a token of "
        "the identity provider where it is jwt.",
    },
    _SESSION: {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The session of a browser, from `POST /v1/session`. Over plain HTTP on the "
        f"server's own machine the cookie is called `{PLAIN_COOKIE}`.",
    },
}
# For `openapi_extra` of the routes that differ from what the mode asks.
NONE_NEEDED: dict[str, Any] = {"security": []}
ALSO_WITHOUT: dict[str, Any] = {"security": [{}, {_BEARER: []}, {_SESSION: []}]}


def say_credentials(document: dict[str, Any], mode: AuthMode) -> None:
    """Says what a request has to bring, in place: a key or token, or the cookie of a session; in
    the modes local and proxy nothing that a program would have to send."""
    document.setdefault("components", {})["securitySchemes"] = _SCHEMES
    taken: Security = [{_BEARER: []}, {_SESSION: []}] if mode in {"token", "jwt"} else []
    document["security"] = taken
