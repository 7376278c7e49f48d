"""`Idempotency-Key` on POST: a request that is sent twice with one key is done once.

A route asks for `Idempotent`, answers again where it was done before, and says what came of it:

    @router.post("/entries", status_code=201)
    async def keep(new: NewEntry, asking: CurrentUser, once: Idempotent) -> Kept:
        if once.done is not None:
            return await told(once.done.outcome, once.done.ids["entry"], once.done.ids["older"])
        outcome = await ...
        await once.finish(
            201, outcome="kept", ids={"entry": [entry.id], "older": [each.id for each in older]}
        )
        return ...

- Ask for `Idempotent` only where the route also asks who is asking (`CurrentUser`): the key is that
  user's.
- `once.done` is set for a replay: the status (already set on the answer of a route that returns a
  model), an outcome in a word of ours, ids and counts by name. Read everything else anew by its
  id, so that the answer says what is true now; what was forgotten meanwhile is 404.
- `await once.finish(...)` right after the work is done and before the answer. Without a key it does
  nothing, so a route need not look whether there was one. Ids and counts only: the names, and the
  outcome, are words of the program (a-z, 0-9, "_", "."), never something a user wrote.
- A route that raises, or that returns without `finish`, gives the key back: nothing is kept, and
  the same request may be sent again at once. While the route runs, the claim is renewed, however
  long that takes; a process that dies in between leaves it claimed for 60 s.
- Of a body that is spooled, which a route asks for before `Idempotent`, the digest stands for it.
- The answer of a replay carries `Idempotent-Replayed: true` by itself, whatever it is.

A chat calls `finish(200, ids={"turn": [turn_id]})` as soon as its turn is opened, not at the end of
the stream, and answers a replay with the stream of that turn from its first event (404 when it is
gone). An incognito chat does not call `finish`: then not even a digest of it is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import structlog
from fastapi import Depends, Header, Request, Response

from app.api.dependencies import CurrentUser, Services
from app.api.limits import SpooledBody
from memory.errors import DatabaseUnavailable
from memory.store.idempotency import CRASHED_AFTER, CompletedRequest, IdempotencyStore, RequestClaim

REPLAYED_HEADER = "Idempotent-Replayed"
MAX_KEY_CHARS = 255
RENEWED_SECONDS = CRASHED_AFTER.total_seconds() / 3
_log = structlog.get_logger(__name__)

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="Any unguessable text of your own. The same request sent again with it within "
        "a day is not done again; another request with it is refused.",
        min_length=1,
        max_length=MAX_KEY_CHARS,
        pattern=r"^[\x21-\x7e]+$",
    ),
]


class IdempotentRequest:
    """One request, with or without a key. `done` is what came of it when it was sent before."""

    def __init__(
        self,
        store: IdempotencyStore,
        user_id: str,
        held: RequestClaim | CompletedRequest | None = None,
    ) -> None:
        self._store = store
        self._user_id = user_id
        self._claim = held if isinstance(held, RequestClaim) else None
        self.done = held if isinstance(held, CompletedRequest) else None

    async def finish(
        self,
        status: int,
        *,
        outcome: str | None = None,
        ids: Mapping[str, Collection[UUID]] | None = None,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """Says what came of it. Where the database is away by now, the work is done all the same:
        the key is free again after a minute. Raises ValidationError for words that are no names."""
        if self._claim is None:
            return
        named = {name: tuple(found) for name, found in (ids or {}).items()}
        done = CompletedRequest(status=status, outcome=outcome, ids=named, counts=counts or {})
        claim, self._claim = self._claim, None
        try:
            await self._store.finish(self._user_id, claim, done)
        except DatabaseUnavailable as error:
            _log.warning("idempotency_key_not_finished", reason=str(error))

    async def stay(self, pause: float) -> None:
        """Renews the claim again and again, until it is finished or this is cancelled: what takes
        minutes is not begun a second time beside it."""
        while True:
            await asyncio.sleep(pause)
            if self._claim is None:
                return
            try:
                await self._store.renew(self._user_id, self._claim, datetime.now(UTC))
            except DatabaseUnavailable as error:
                _log.warning("idempotency_key_not_renewed", reason=str(error))

    async def release(self) -> None:
        """Gives the key back where nothing was finished."""
        if self._claim is None:
            return
        claim, self._claim = self._claim, None
        try:
            await self._store.release(self._user_id, claim)
        except DatabaseUnavailable as error:
            _log.warning("idempotency_key_not_released", reason=str(error))


async def _idempotent_request(
    request: Request,
    response: Response,
    asking: CurrentUser,
    parts: Services,
    key: IdempotencyKey = None,
) -> AsyncIterator[IdempotentRequest]:
    store = parts.memory.idempotency
    if key is None:
        yield IdempotentRequest(store, asking.user_id)
        return
    spooled: SpooledBody | None = getattr(request.state, "spooled", None)
    body = await request.body() if spooled is None else spooled.digest.encode()
    asked = await asyncio.to_thread(_request_text, request.url.path, request.url.query, body)
    route = f"{request.method} {request.scope['route'].path}"
    held = await store.begin(asking.user_id, route, key, asked, datetime.now(UTC))
    attempt = IdempotentRequest(store, asking.user_id, held)
    if attempt.done is not None:
        request.state.replayed = True
        response.status_code = attempt.done.status
    staying = asyncio.create_task(attempt.stay(RENEWED_SECONDS))
    try:
        yield attempt
    except Exception:
        await attempt.release()
        raise
    finally:
        staying.cancel()
        await asyncio.gather(staying, return_exceptions=True)
    # Not after a cancellation: nobody knows how far the work went.
    await attempt.release()


Idempotent = Annotated[IdempotentRequest, Depends(_idempotent_request, scope="function")]


def _request_text(path: str, query: str, body: bytes) -> str:
    return f"{path}?{query}\n{body.decode('utf-8', 'surrogateescape')}"
