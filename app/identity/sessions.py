"""The session of a browser that is signed in: a text that this program alone can make.

It says which it is and whose, by which key, and until when, and carries an HMAC-SHA-256 over that.
It holds as long as its time and its key do; stored is only that it was signed out before.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from app.identity.caller import AuthMode
from memory.errors import NotSignedIn

LENGTH = timedelta(hours=12)
_MAX_CHARS = 4096  # what a browser keeps of a cookie


@dataclass(frozen=True)
class Session:
    """`key_id` names the API key that it was begun with, where it was one. Whole seconds."""

    user_id: str
    expires_at: datetime
    key_id: UUID | None = None
    id: UUID = field(default_factory=uuid4)


def end_of_session(now: datetime, credential_ends: datetime | None) -> datetime:
    """12 hours from now, but never later than its credential. None: that one does not end."""
    until = now + LENGTH
    ends = until if credential_ends is None else min(until, credential_ends)
    return ends.replace(microsecond=0)


class Sessions:
    """Of one installation and one mode: another mode's sessions are forgeries here."""

    def __init__(self, digest_key: bytes, mode: AuthMode) -> None:
        self._key = hmac.digest(digest_key, f"session:{mode}".encode(), hashlib.sha256)

    def seal(self, session: Session) -> str:
        """As it stands in a cookie: letters, digits, "-", "_" and one "."."""
        key = None if session.key_id is None else str(session.key_id)
        fields = [session.user_id, int(session.expires_at.timestamp()), key, str(session.id)]
        said = _text(json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode())
        return f"{said}.{self._mark(said)}"

    def open(self, sealed: str) -> Session:
        """Raises NotSignedIn for what `seal` did not make; whether it has ended is not asked."""
        said, _, mark = sealed[:_MAX_CHARS].partition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(said).encode()):
            raise NotSignedIn
        user_id, ends, key, *ids = json.loads(_bytes(said))
        if not ids:  # of a program that could not end one
            raise NotSignedIn
        key_id = None if key is None else UUID(key)
        return Session(user_id, datetime.fromtimestamp(ends, UTC), key_id, UUID(ids[0]))

    def _mark(self, said: str) -> str:
        return _text(hmac.digest(self._key, said.encode(), hashlib.sha256))


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
