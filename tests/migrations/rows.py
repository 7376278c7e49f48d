"""Rows that stand in a database before a program opens it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID, uuid4

import asyncpg

USER = "ada"
FACT = "User's boat is called Aurora"
UNEMBEDDED = "User drinks green tea"
REPLACED = "User's boat is called Borealis"
FORGOTTEN = "User has a scar on the knee"
SAID = "My boat is called Aurora, by the way."
NOW = datetime(2026, 1, 5, tzinfo=UTC)
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def fill(url: str) -> None:
    """One user with something in every table of theirs, as its owner sees it; nothing is
    embedded."""
    owner = await asyncpg.connect(url)
    try:
        items = await _memories(owner, await _conversation(owner))
        await _around(owner, items)
    finally:
        await owner.close()


async def _conversation(owner: Connection) -> UUID:
    chat, said = uuid4(), uuid4()
    await _insert(owner, "conversations", id=chat, title="Boats")
    common: dict[str, Any] = {"conversation_id": chat, "correlation_id": uuid4()}
    await _insert(owner, "messages", id=said, role="user", content=SAID, **common)
    await _insert(owner, "messages", id=uuid4(), role="assistant", content="Noted.", **common)
    return said


async def _memories(owner: Connection, said: UUID) -> dict[str, UUID]:
    ids = {text: uuid4() for text in (FACT, UNEMBEDDED, REPLACED, FORGOTTEN)}
    later: dict[str, dict[str, Any]] = {
        FACT: {"pinned": True, "source_message_id": said, "tags": ["boat"]},
        REPLACED: {"superseded_by": ids[FACT], "valid_to": NOW},
        FORGOTTEN: {"deleted_at": NOW, "removed_because": "forgotten"},
    }
    for text, item_id in ids.items():
        extra = {"type": "fact", "created_at": NOW} | later.get(text, {})
        await _insert(owner, "memory_items", id=item_id, content=text, **extra)
    return ids


async def _around(owner: Connection, items: dict[str, UUID]) -> None:
    fact, tomorrow = items[FACT], NOW + timedelta(days=1)
    await _insert(owner, "memory_usage", item_id=fact, access_count=3, last_accessed_at=NOW)
    await _insert(owner, "memory_settings", space="secret", memory_mode="off")
    await _insert(owner, "audit_log", action="kept", item_id=fact)
    await _insert(owner, "episodes", task="mend the sail", outcome_score=0.3, completed_at=NOW)
    await _insert(
        owner,
        "tombstones",
        item_id=items[FORGOTTEN],
        digest=b"d" * 32,
        simhash=7,
        expires_at=tomorrow,
        erase_after=tomorrow,
    )
    await _insert(
        owner, "doubts", older_id=items[REPLACED], newer_id=fact, answer="newer", answered_at=NOW
    )
    await _insert(owner, "api_keys", digest=b"k" * 32, name="laptop")
    await _insert(owner, "idempotency_keys", key=b"1", request=b"2", attempt=uuid4(), begun_at=NOW)


async def _insert(owner: Connection, table: str, **values: Any) -> None:
    given = {"user_id": USER, **values}
    places = ", ".join(f"${place}" for place in range(1, len(given) + 1))
    await owner.execute(
        f"INSERT INTO {table} ({', '.join(given)}) VALUES ({places})", *given.values()
    )
