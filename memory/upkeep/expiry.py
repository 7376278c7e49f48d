"""The end of what is only a record: the audit log, and the tombstones of what was erased."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from memory.store.upkeep.expiry import ExpiryStore

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Expired:
    """How many of each are gone."""

    audit_entries: int
    tombstones: int


class Expiry:
    def __init__(self, store: ExpiryStore, *, audit: timedelta, tombstones: timedelta) -> None:
        self._store = store
        self._audit = audit
        self._tombstones = tombstones

    async def run(self, user_id: str, now: datetime) -> Expired:
        """Removes what is older than it is kept of the user's audit log, and the tombstones of what
        was erased longer ago. What still keeps a memory from coming back, or waits for its
        erasure, stays."""
        entries = await self._store.expire_audit(user_id, now - self._audit)
        stones = await self._store.expire_tombstones(user_id, now - self._tombstones)
        if entries or stones:
            _log.info("records_expired", audit_entries=entries, tombstones=stones)
        return Expired(entries, stones)
