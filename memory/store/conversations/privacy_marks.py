"""How private a stored conversation is, beyond the life of the process that made it so."""

from __future__ import annotations

from uuid import UUID

from memory.counters import Counters
from memory.database import Database
from memory.models import Privacy
from memory.store.queries import load_queries

_SQL = load_queries("conversations/privacy_marks")


class PrivacyMarks:
    """One word on a conversation's row, and no trace of what is said; without it a conversation
    that became incognito would be stored again by a process that knows nothing of that. It is all
    that an incognito conversation may write."""

    def __init__(self, database: Database, counters: Counters | None = None) -> None:
        self._database = database
        self._counters = counters or Counters()

    async def mark(self, user_id: str, conversation_id: UUID, privacy: Privacy) -> None:
        """Without effect on a conversation of which nothing is stored: that one is gone with its
        process. Raises DatabaseUnavailable."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["mark"], user_id, conversation_id, privacy)
        self._counters.count_action("incognito off" if privacy == "normal" else "incognito on")
