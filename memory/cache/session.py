"""The newest messages of a conversation, kept at hand."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, TypeAlias, cast
from uuid import uuid4

import structlog
from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter
from redis.asyncio import Redis
from redis.exceptions import WatchError
from redis.typing import EncodableT, FieldT

from memory.cache.connection import Cache, key

SECONDS_TO_LIVE = 24 * 60 * 60

logger = structlog.get_logger()


def _well_formed(text: str) -> str:
    """Without lone surrogates, which neither the database nor JSON can hold."""
    return text.encode("utf-8", "ignore").decode()


Text: TypeAlias = Annotated[str, AfterValidator(_well_formed)]


class CachedMessage(BaseModel):
    """One message as the agent reads it."""

    model_config = ConfigDict(frozen=True)

    role: Text
    content: Text


class SessionState(BaseModel):
    """The end of a conversation, oldest message first.

    `last_position` is the position of the newest message held: where the database has a
    later one, the state is stale.
    """

    model_config = ConfigDict(frozen=True)

    last_position: int
    messages: tuple[CachedMessage, ...]
    goal: Text | None = None


Fields: TypeAlias = Mapping[bytes, bytes]

MESSAGES = TypeAdapter(tuple[CachedMessage, ...])


class SessionCache:
    """`session:{user_id}:{conversation_id}`, a hash that lives 24 hours after its last save.

    A turn begins before it stores or reads a word of the conversation, and saves at its end. Where
    something was forgotten between the two, its words must not come back with what the turn has of
    them: `drop` takes the stamp away that `begin` gave, and nothing is saved without it.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def begin(self, user_id: str, conversation_id: str) -> bytes | None:
        """The stamp under which `save` may keep what is stored and read after this; None where
        Redis is away."""
        name = key("session", user_id, conversation_id)

        async def stamp(redis: Redis) -> bytes | None:
            async with redis.pipeline(transaction=True) as pipeline:
                pipeline.hsetnx(name, "stamp", uuid4().hex)
                pipeline.expire(name, SECONDS_TO_LIVE, nx=True)
                pipeline.hget(name, "stamp")
                held: bytes | None = (await pipeline.execute())[-1]
            return held

        return await self._cache.run(stamp, otherwise=None)

    async def load(self, user_id: str, conversation_id: str) -> SessionState | None:
        """None where nothing (readable) is kept, or Redis is away."""
        name = key("session", user_id, conversation_id)

        async def read(redis: Redis) -> Fields:
            return cast(Fields, await redis.hgetall(name))

        nothing: Fields = {}
        return _from_fields(await self._cache.run(read, otherwise=nothing))

    async def save(
        self, user_id: str, conversation_id: str, state: SessionState, stamp: bytes | None
    ) -> bool:
        """Replaces the whole state at once and starts its 24 hours anew; whether the stamp still
        held."""
        name = key("session", user_id, conversation_id)
        fields = _to_fields(state, stamp or b"")

        async def replace(redis: Redis) -> bool:
            async with redis.pipeline(transaction=True) as pipeline:
                await pipeline.watch(name)
                if await pipeline.hget(name, "stamp") != stamp:
                    return False
                pipeline.multi()  # type: ignore[no-untyped-call]
                pipeline.delete(name)
                pipeline.hset(name, mapping=fields)
                pipeline.expire(name, SECONDS_TO_LIVE)
                with suppress(WatchError):
                    await pipeline.execute()
                    return True
                return False

        return stamp is not None and await self._cache.run(replace, otherwise=False)

    async def drop(self, user_id: str, conversation_id: str) -> bool:
        """Forgets the state; False where Redis is away, and it may stay up to 24 hours."""
        name = key("session", user_id, conversation_id)

        async def remove(redis: Redis) -> bool:
            await redis.delete(name)
            return True

        return await self._cache.run(remove, otherwise=False)


def _to_fields(state: SessionState, stamp: bytes) -> Mapping[FieldT, EncodableT]:
    fields: dict[FieldT, EncodableT] = {
        "stamp": stamp,
        "last_position": state.last_position,
        "messages": MESSAGES.dump_json(state.messages),
    }
    # A hash holds no null: no goal is a missing field.
    return fields if state.goal is None else fields | {"goal": state.goal}


def _from_fields(fields: Fields) -> SessionState | None:
    if not fields.keys() - {b"stamp"}:
        return None
    try:
        goal = fields.get(b"goal")
        return SessionState(
            last_position=int(fields[b"last_position"]),
            messages=MESSAGES.validate_json(fields[b"messages"]),
            goal=goal.decode() if isinstance(goal, bytes) else goal,
        )
    except (KeyError, ValueError) as error:
        logger.warning("cached_session_unreadable", reason=type(error).__name__)
        return None
