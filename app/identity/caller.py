"""Who sent a request, and how that is found out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol
from uuid import UUID

from starlette.requests import HTTPConnection

AuthMode = Literal["local", "token", "jwt", "proxy"]


@dataclass(frozen=True)
class Caller:
    """`by_cookie` says that the browser sent the credential by itself, so that a page of another
    site could have made it do so; `key_id` names the API key, where it was one."""

    user_id: str
    by_cookie: bool = False
    key_id: UUID | None = None


class Identifier(Protocol):
    """One of the modes of AUTH_MODE."""

    async def identify(self, connection: HTTPConnection) -> Caller:
        """Raises NotSignedIn for a credential that is missing, wrong, revoked or expired: the
        answer is the same for each."""
        ...
