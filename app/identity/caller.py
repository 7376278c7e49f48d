"""Who sent a request, and how that is found out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol
from uuid import UUID

from starlette.requests import HTTPConnection

from memory.settings import Settings

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


class LocalIdentifier:
    """One user, of this machine alone: whoever reaches the loopback address is that user."""

    def __init__(self, settings: Settings) -> None:
        self._user_id = settings.keepsake_user

    async def identify(self, connection: HTTPConnection) -> Caller:
        return Caller(self._user_id, by_cookie=True)
