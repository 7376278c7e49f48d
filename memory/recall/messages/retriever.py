"""From a question to past messages: both legs, their neighbours, a calibrated relevance, a cut, a
budget."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from memory.errors import EmbeddingOutdated
from memory.recall.failing_closed import FailingClosed, Fingerprint
from memory.recall.messages.asking import restates, topic_of
from memory.recall.messages.choosing import Chosen, Scored, choose, without
from memory.recall.messages.evidence import Weighed, weigh
from memory.recall.messages.relevance import MessageCalibration
from memory.recall.messages.showing import fit, shown
from memory.recall.question import as_searched
from memory.recall.search.fusion import fuse
from memory.recall.search.legs import Found, TwoLegs
from memory.recalls import LeftOut, MessageQueryRequest, MessageQueryResponse
from memory.store.conversations.message_search import (
    SPEAKERS,
    MessageRow,
    MessageScope,
    MessageSearch,
)
from memory.store.forgetting.erasing import Decide, Erasing
from memory.store.modes import Modes
from memory.tokens import TokenCounter

# What followed so many of the best is looked at as well.
LEADING = 30


class MessageRetriever:
    """Recalls past messages under a token budget and fails closed: empty and flagged, never an
    exception.

    `decide` says which messages an erasure that waits will touch: they are not found meanwhile.
    """

    def __init__(
        self,
        search: MessageSearch,
        legs: TwoLegs[MessageScope],
        erasing: Erasing,
        modes: Modes,
        *,
        decide: Decide,
        calibration: MessageCalibration,
        counter: TokenCounter,
        token_budget: int,
        fingerprint: Fingerprint,
    ) -> None:
        self._search = search
        self._legs = legs
        self._erasing = erasing
        self._modes = modes
        self._decide = decide
        self._calibration = calibration
        self._counter = counter
        self._token_budget = token_budget
        self._closed = FailingClosed(
            "message_recall", MessageQueryResponse, fingerprint, legs.search_timeout
        )

    async def recall(
        self,
        request: MessageQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MessageQueryResponse:
        """What was said about the query until `now`, where it is given, and one log line about it.
        The turn of `correlation_id`, in which it is asked, is left out."""
        scope = _scope(request, correlation_id, now)
        budget = self._token_budget if token_budget is None else token_budget
        answering = self._answer(request, scope, budget)
        return await self._closed.run(request, answering, correlation_id)

    async def is_off(self, request: MessageQueryRequest) -> bool:
        """See `FailingClosed.is_off`."""
        return await self._closed.is_off(self._modes.is_off(request.user_id, request.space))

    def refuse(
        self, request: MessageQueryRequest, *, correlation_id: UUID | None = None
    ) -> MessageQueryResponse:
        """See `FailingClosed.refuse`."""
        return self._closed.refuse(request, correlation_id)

    async def find(self, scope: MessageScope, query: str) -> Found:
        """Both legs for what the query is about."""
        return await self._legs.run(scope, topic_of(query))

    async def weigh(self, scope: MessageScope, query: str, found: Found) -> list[Weighed]:
        """The candidates with what speaks for each, in the order of their fused rank, the messages
        that only followed one behind them; also what a calibration is fitted on. What only asks the
        same is none."""
        rows = await self._candidates(scope, found)
        return await asyncio.to_thread(weigh, query, found, _telling(rows, query))

    async def _answer(
        self, request: MessageQueryRequest, scope: MessageScope, budget: int
    ) -> MessageQueryResponse:
        began = time.perf_counter()
        query = await asyncio.to_thread(as_searched, request.query)
        if not query:
            return self._closed.empty()
        found, weighed = await self._gather(scope, query)
        if found.is_empty_handed:
            return self._closed.unanswered(found)
        chosen = await asyncio.to_thread(choose, weighed, self._calibration, request.min_score)
        chosen = await self._without_forgotten(scope, chosen)
        return await asyncio.to_thread(
            self._respond, request, found, chosen, budget=budget, began=began
        )

    async def _gather(self, scope: MessageScope, query: str) -> tuple[Found, list[Weighed]]:
        """Once more where the vectors were swapped for another model's in the middle of it."""
        model = await self._legs.model()
        with suppress(EmbeddingOutdated):
            gathered = await self._found(scope, query)
            if await self._legs.model() == model:
                return gathered
        return await self._found(scope, query)

    async def _found(self, scope: MessageScope, query: str) -> tuple[Found, list[Weighed]]:
        found = await self.find(scope, query)
        return found, [] if found.is_empty_handed else await self.weigh(scope, query, found)

    async def _candidates(self, scope: MessageScope, found: Found) -> list[MessageRow]:
        rankings = [[hit.id for hit in leg] for leg in (found.keyword, found.vector) if leg]
        ids = [key for key, _ in fuse(rankings)]
        async with asyncio.timeout(self._legs.search_timeout):
            rows = await self._search.read_candidates(scope, ids, ids[:LEADING], found.embedding)
        place = {key: rank for rank, key in enumerate(ids)}
        return sorted(rows, key=lambda row: (place.get(row.id, len(ids)), row.created_at, row.id))

    async def _without_forgotten(self, scope: MessageScope, chosen: Chosen) -> Chosen:
        """Without what an erasure that waits will reword or take away."""
        named = [UUID(each.id) for each in chosen.left_out]
        for each in chosen.kept:
            named += [said.id for said in (each.row, each.row.before, each.row.after) if said]
        async with asyncio.timeout(self._legs.search_timeout):
            remains = await self._erasing.waiting_about(scope.user_id, named)
        if not remains.condemned:
            return chosen
        removal = await asyncio.to_thread(self._decide, remains)
        gone = frozenset({*removal.reworded, *removal.taken})
        return Chosen(
            without(chosen.kept, gone),
            tuple(each for each in chosen.left_out if UUID(each.id) not in gone),
        )

    def _respond(
        self,
        request: MessageQueryRequest,
        found: Found,
        chosen: Chosen,
        *,
        budget: int,
        began: float,
    ) -> MessageQueryResponse:
        wanted = chosen.kept[: request.limit]
        topic = topic_of(as_searched(request.query))
        items = [shown(each.row, each.score, topic) for each in wanted]
        fitted = fit(items, budget, self._counter)
        left_out = _left_out(chosen, len(fitted.items), request)
        return self._closed.answer(
            fitted, found, total=len(chosen.kept), began=began, left_out=left_out
        )


def _scope(
    request: MessageQueryRequest, correlation_id: UUID | None, until: datetime | None
) -> MessageScope:
    return MessageScope(
        request.user_id,
        space=request.space,
        roles=SPEAKERS if request.roles is None else tuple(request.roles),
        not_conversation=request.not_conversation,
        not_turn=correlation_id,
        until=until,
    )


def _telling(rows: Sequence[MessageRow], query: str) -> list[MessageRow]:
    return [row for row in rows if not restates(row.content, query)]


def _left_out(chosen: Chosen, taken: int, request: MessageQueryRequest) -> tuple[LeftOut, ...]:
    if not request.explain:
        return ()
    beyond: list[Scored] = list(chosen.kept[taken:])
    cut = [
        each.left_out("limit" if place >= request.limit else "budget")
        for place, each in enumerate(beyond, start=taken)
    ]
    return (*cut, *chosen.left_out)
