"""Modes in which a request carries a credential, and how often a peer may offer wrong ones."""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol
from uuid import UUID

import structlog
from pydantic import SecretStr
from starlette.requests import HTTPConnection

from app.api.auth.caller import Address, Caller, network_of, peer_of
from app.api.auth.sessions import BrowserSession, SessionSealer, read_session_cookie, session_end
from memory.errors import NotSignedIn, TooManyRequests

MAX_FAILURES_PER_MINUTE = 30
MOST_PEERS = 4096
_WINDOW = 60.0
_log = structlog.get_logger(__name__)


class FailedAttempts:
    """Counts within windows of a minute that begin with a peer's first attempt. In this process
    alone; of more than `most_peers` the one that began longest ago is forgotten."""

    def __init__(
        self,
        per_minute: int = MAX_FAILURES_PER_MINUTE,
        most_peers: int = MOST_PEERS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._per_minute = per_minute
        self._most_peers = most_peers
        self._clock = clock
        self._counted: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def admit(self, peer: Address | None) -> None:
        """Raises TooManyRequests for one who has used up this minute's attempts."""
        began, count = self._of(network_of(peer))
        if count >= self._per_minute:
            raise TooManyRequests(retry_after=math.ceil(began + _WINDOW - self._clock()))

    def count(self, peer: Address | None) -> None:
        """One more was made."""
        name = network_of(peer)
        began, count = self._of(name)
        if count == 0:
            self._counted.pop(name, None)
        self._counted[name] = (began, count + 1)
        if len(self._counted) > self._most_peers:
            self._counted.popitem(last=False)

    def _of(self, name: str) -> tuple[float, int]:
        """When the peer's window began, and how many attempts there were in it."""
        now = self._clock()
        began, count = self._counted.get(name, (now, 0))
        return (began, count) if now < began + _WINDOW else (now, 0)


MAX_CREDENTIAL_CHARS = 8192
# RFC 6750: a scheme in any case, a space, and a token68.
_BEARER = re.compile(r"bearer +(?P<credential>[a-z0-9._~+/-]+=*)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class VerifiedCredential:
    """What a credential says. `ends` None: it does not expire."""

    user_id: str
    ends: datetime | None
    key_id: UUID | None = None


class CredentialVerifier(Protocol):
    """What a mode knows of its credentials."""

    async def verify(self, credential: SecretStr) -> VerifiedCredential:
        """Raises NotSignedIn."""
        ...

    async def holds(self, session: BrowserSession) -> bool:
        """Whether what a session was begun with is still good."""
        ...

    async def aclose(self) -> None: ...


class EndedSessionLookup(Protocol):
    """`memory.store.credentials.EndedSessionStore` is one. Both raise DatabaseUnavailable: while
    nobody can say whether a session was signed out, it opens nothing."""

    async def end(self, session_id: UUID, ends_at: datetime) -> None: ...

    async def has_ended(self, session_id: UUID) -> bool: ...


class CredentialIdentifier:
    """Reads a credential from `Authorization: Bearer`, or a session from the cookie of a browser
    that is signed in; nothing from a URL. Of a wrong credential each peer has a number of attempts
    a minute; above it the answer to a wrong one is to wait. A right one always passes: behind one
    address there may be many, whom a neighbour must not shut out, and it is not the counting that
    keeps 256 random bits, or a signature, from being guessed. A session counts for nothing; a
    browser that sent one which is good no more is to forget it (see `has_stale_session`)."""

    def __init__(
        self,
        verifier: CredentialVerifier,
        sessions: SessionSealer,
        ended: EndedSessionLookup,
        attempts: FailedAttempts,
    ) -> None:
        self._verifier = verifier
        self._sessions = sessions
        self._ended = ended
        self._attempts = attempts

    async def identify(self, connection: HTTPConnection) -> Caller:
        """Raises NotSignedIn, TooManyRequests, and what the mode's verifier cannot do."""
        credential = parse_bearer(connection.headers.getlist("authorization"))
        if credential is None:
            return await self._by_session(connection)
        verified = await self._verify(connection, credential)
        return Caller(verified.user_id, key_id=verified.key_id)

    async def begin_session(
        self, connection: HTTPConnection, credential: SecretStr, now: datetime
    ) -> tuple[BrowserSession, str]:
        """A session for a credential, and how it is sealed. Raises what `identify` does."""
        verified = await self._verify(connection, credential, "sign-in")
        session = BrowserSession(verified.user_id, session_end(now, verified.ends), verified.key_id)
        if session.expires_at <= now:
            raise NotSignedIn
        return session, self._sessions.seal(session)

    async def end_session(self, connection: HTTPConnection) -> None:
        """Of the session that a browser sent no copy is good any more, in any process; what is no
        session is left alone. Raises DatabaseUnavailable."""
        sealed = read_session_cookie(connection)
        if sealed is None:
            return
        try:
            session = self._sessions.open(sealed)
        except NotSignedIn:
            return
        await self._ended.end(session.id, session.expires_at)

    async def _verify(
        self, connection: HTTPConnection, credential: SecretStr, what: str = "credential"
    ) -> VerifiedCredential:
        try:
            return await self._verifier.verify(credential)
        except NotSignedIn:
            self._attempts.admit(peer_of(connection))
            self._attempts.count(peer_of(connection))
            self._log_refused(connection, what)
            raise

    async def _by_session(self, connection: HTTPConnection) -> Caller:
        sealed = read_session_cookie(connection)
        if sealed is None:
            raise NotSignedIn
        try:
            session = await self._opened(sealed)
        except NotSignedIn:
            connection.state.stale_session = True
            self._log_refused(connection, "session")
            raise
        return Caller(session.user_id, by_cookie=True, key_id=session.key_id)

    async def _opened(self, sealed: str) -> BrowserSession:
        session = self._sessions.open(sealed)
        if session.expires_at <= datetime.now(UTC) or await self._ended.has_ended(session.id):
            raise NotSignedIn
        if not await self._verifier.holds(session):
            raise NotSignedIn
        return session

    def _log_refused(self, connection: HTTPConnection, what: str) -> None:
        _log.warning("not_signed_in", what=what, peer=str(peer_of(connection)))

    async def aclose(self) -> None:
        await self._verifier.aclose()


def has_stale_session(connection: HTTPConnection) -> bool:
    """Whether the cookie that it was asked with is good for nothing any more."""
    return bool(connection.scope.get("state", {}).get("stale_session"))


def parse_bearer(headers: list[str]) -> SecretStr | None:
    """The credential of the Authorization headers; None where there is none, or only one of another
    scheme (a proxy's own password, say). Raises NotSignedIn for several headers, and for what is
    no credential."""
    if len(headers) > 1:
        raise NotSignedIn
    if not headers or headers[0].partition(" ")[0].lower() != "bearer":
        return None
    found = _BEARER.fullmatch(headers[0].strip(" \t"))
    if found is None or len(found["credential"]) > MAX_CREDENTIAL_CHARS:
        raise NotSignedIn
    return SecretStr(found["credential"])
