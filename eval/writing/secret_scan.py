"""Looks for secrets wherever something could have kept them: the user's rows of every table, the
keys and values of Redis, and the texts that were sent to the embedder."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from redis.asyncio import Redis

from memory.cache import Cache
from memory.database import Database
from memory.embedders.protocol import Embedder, Embedding

SCANNED_AT_ONCE = 200
_PARTING = re.compile(r"[\s-]+")
# How a key of each kind is read whole.
_READERS: dict[bytes, tuple[str, ...]] = {
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", "0", "-1"),
    b"set": ("SMEMBERS",),
    b"zset": ("ZRANGE", "0", "-1"),
    b"stream": ("XRANGE", "-", "+"),
}

# Every column of words in the tables that the application may read and that belong to users.
_COLUMNS = """
SELECT format('%I', table_name) AS name, string_agg(format('%I::text', column_name), ', ') AS words
FROM information_schema.columns AS column_of
WHERE table_schema = 'public'
  AND (data_type IN ('text', 'character varying', 'json', 'jsonb', 'tsvector', 'ARRAY'))
  AND EXISTS (SELECT FROM information_schema.columns AS own
              WHERE own.table_schema = 'public' AND own.table_name = column_of.table_name
                AND own.column_name = 'user_id')
GROUP BY table_name ORDER BY table_name
"""


def holds(text: str, secret: str) -> bool:
    """Whether the secret is in the text: as it is, as JSON writes it, in another case, or with
    other spaces and hyphens."""
    flat = _flat(text)
    return any(_flat(form) in flat for form in (secret, json.dumps(secret)[1:-1]))


async def scan_tables(database: Database, user_id: str, secret: str) -> list[str]:
    """The tables in which a row of the user holds the secret."""
    async with database.as_user(user_id) as connection:
        tables = await connection.fetch(_COLUMNS)
        found = []
        for table in tables:
            # Both names come from the catalogue, quoted by it.
            query = f"SELECT concat_ws(chr(10), {table['words']}) FROM {table['name']}"  # noqa: S608
            rows = await connection.fetch(query)
            if any(holds(row[0], secret) for row in rows):
                found.append(table["name"])
    return found


async def scan_redis(cache: Cache, secrets: Sequence[str]) -> set[str] | None:
    """The secrets that a key or a value holds; None where Redis did not answer."""
    found: set[str] = set()
    cursor = 0
    while True:
        step = await cache.run(partial(_read_some, cursor), otherwise=None)
        if step is None:
            return None
        cursor, texts = step
        found |= {secret for secret in secrets for text in texts if holds(text, secret)}
        if cursor == 0:
            return found


async def _read_some(cursor: int, redis: Redis) -> tuple[int, list[str]] | None:
    """Where to go on, and the next keys with what they hold, as text."""
    cursor, names = await redis.scan(cursor, count=SCANNED_AT_ONCE)
    async with redis.pipeline(transaction=False) as pipeline:
        for name in names:
            pipeline.type(name)
        kinds = await pipeline.execute()
        for name, kind in zip(names, kinds, strict=True):
            if kind in _READERS:  # a key may be gone by now
                command, *rest = _READERS[kind]
                pipeline.execute_command(command, name, *rest)
        values = await pipeline.execute(raise_on_error=False)
    return int(cursor), [_text(value) for value in (*names, *values)]


class WatchedEmbedder:
    """Notes which of the secrets are in the texts that the inner embedder is sent."""

    def __init__(self, inner: Embedder, secrets: Collection[str]) -> None:
        self._inner = inner
        self._secrets = secrets
        self.model = inner.model
        self.dimensions = inner.dimensions
        self.seen: set[str] = set()

    async def embed_query(self, text: str) -> Embedding:
        self._look(text)
        return await self._inner.embed_query(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        for text in texts:
            self._look(text)
        return await self._inner.embed_texts(texts)

    async def aclose(self) -> None:
        """The inner one belongs to whoever made it."""

    def _look(self, text: str) -> None:
        self.seen |= {secret for secret in self._secrets if holds(text, secret)}


def _text(value: object) -> str:
    """All words in an answer of Redis; of a vector's bytes nothing worth reading."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "ignore")
    if isinstance(value, Mapping):
        return "\n".join(_text(part) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple | set):
        return "\n".join(map(_text, value))
    return str(value)


def _flat(text: str) -> str:
    return _PARTING.sub("", text).casefold()
