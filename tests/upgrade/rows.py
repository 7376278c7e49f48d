"""Rows as an earlier version of Keepsake left them, whichever it was."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID, uuid4

import asyncpg
from pgvector import HalfVector
from pgvector.asyncpg import register_vector

from memory.config import LOCAL_MODEL
from memory.embeddings.protocol import Embedding

USER = "ada"
FACT = "User's boat is called Aurora"
UNEMBEDDED = "User drinks green tea"
REPLACED = "User's boat is called Borealis"
FORGOTTEN = "User has a scar on the knee"
SAID = "My boat is called Aurora, by the way."
NOW = datetime(2026, 1, 5, tzinfo=UTC)
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def fill(url: str, vectors: Mapping[str, Embedding]) -> None:
    """One user with something in every table that there is, as its owner sees it; `vectors` by the
    texts that have one."""
    owner = await asyncpg.connect(url)
    try:
        await register_vector(owner)
        said = await _conversation(owner, vectors)
        items = await _memories(owner, said, vectors)
        await _around(owner, items)
    finally:
        await owner.close()


async def _conversation(owner: Connection, vectors: Mapping[str, Embedding]) -> UUID:
    chat, said = uuid4(), uuid4()
    await _insert(owner, "conversations", id=chat, title="Boats")
    common: dict[str, Any] = {"conversation_id": chat, "correlation_id": uuid4()}
    await _insert(
        owner, "messages", id=said, role="user", content=SAID, **common, **_vector(SAID, vectors)
    )
    await _insert(owner, "messages", id=uuid4(), role="assistant", content="Noted.", **common)
    return said


async def _memories(
    owner: Connection, said: UUID, vectors: Mapping[str, Embedding]
) -> dict[str, UUID]:
    ids = {text: uuid4() for text in (FACT, UNEMBEDDED, REPLACED, FORGOTTEN)}
    later: dict[str, dict[str, Any]] = {
        FACT: {"pinned": True, "source_message_id": said, "tags": ["boat"]},
        REPLACED: {"superseded_by": ids[FACT], "valid_to": NOW},
        FORGOTTEN: {"deleted_at": NOW, "removed_because": "forgotten"},
    }
    for text, item_id in ids.items():
        extra = {"type": "fact", "created_at": NOW} | later.get(text, {})
        await _insert(
            owner, "memory_items", id=item_id, content=text, **extra, **_vector(text, vectors)
        )
    return ids


async def _around(owner: Connection, items: Mapping[str, UUID]) -> None:
    fact = items[FACT]
    await _insert(owner, "memory_usage", item_id=fact, access_count=3, last_accessed_at=NOW)
    await _insert(owner, "memory_settings", space="secret", memory_mode="off")
    await _insert(owner, "audit_log", action="kept", item_id=fact)
    await _insert(owner, "episodes", task="mend the sail", outcome_score=0.3, completed_at=NOW)
    if await _version(owner) >= 4:  # nothing was forgotten by a program before
        await _insert(
            owner,
            "tombstones",
            item_id=items[FORGOTTEN],
            digest=b"d" * 32,
            simhash=7,
            expires_at=NOW + timedelta(days=1),
            erase_after=NOW + timedelta(days=1),
        )
    await _insert(
        owner,
        "doubts",
        older_id=items[REPLACED],
        newer_id=fact,
        answer=await _answer(owner),
        answered_at=NOW,
    )
    await _insert(owner, "api_keys", digest=b"k" * 32, name="laptop")
    await _insert(owner, "idempotency_keys", key=b"1", request=b"2", attempt=uuid4(), begun_at=NOW)


async def _answer(owner: Connection) -> str:
    """Of a doubt: 0011 gave the answers other names."""
    return "newer" if await _version(owner) >= 11 else "replaced"


async def _version(owner: Connection) -> int:
    return int(await owner.fetchval("SELECT max(version) FROM schema_migrations"))


def _vector(text: str, vectors: Mapping[str, Embedding]) -> dict[str, Any]:
    if text not in vectors:
        return {}
    vector = HalfVector(vectors[text])
    return {"embedding": vector, "embedding_model": LOCAL_MODEL, "needs_embedding": False}


async def _insert(owner: Connection, table: str, **values: Any) -> None:
    """Of the values those that the table has a column for; nothing where there is no table."""
    known = await owner.fetch(
        "SELECT column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name = $1",
        table,
    )
    columns = {row["column_name"] for row in known}
    if not columns:
        return
    given = {name: value for name, value in {"user_id": USER, **values}.items() if name in columns}
    places = ", ".join(f"${place}" for place in range(1, len(given) + 1))
    await owner.execute(
        f"INSERT INTO {table} ({', '.join(given)}) VALUES ({places})", *given.values()
    )
