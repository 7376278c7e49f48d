"""From a question to past messages: both legs, their neighbours, a calibrated relevance, a cut, a
budget."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from uuid import UUID

import structlog

from memory.retrieval.context import ELLIPSIS, LEAST_TOKENS, FittedItems, answer_with
from memory.retrieval.hybrid_search import HybridSearch, SearchResults, fuse
from memory.retrieval.message_relevance import (
    MessageCalibration,
    MessageEvidence,
    WeighedMessage,
    collect_message_evidence,
    message_probability,
)
from memory.retrieval.prompt_injection import find_prompt_injection
from memory.retrieval.query import content_words, conversation_topic, prepare_query, restates_query
from memory.secrets import redact_quickly
from memory.store.erasure import ErasureStore, PlanErasure
from memory.store.search import (
    SPEAKERS,
    AdjacentMessage,
    MessageCandidate,
    MessageScope,
    MessageSearch,
)
from memory.tokens import TokenCounter
from memory.types import (
    ExclusionReason,
    LeftOut,
    MessageQueryRequest,
    MessageQueryResponse,
    RecalledMessage,
)
from memory.understanding.sentences import split_sentences

_WORD = re.compile(r"[^\W_]+")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ScoredMessage:
    row: MessageCandidate
    why: MessageEvidence
    score: float

    def left_out(self, why: ExclusionReason) -> LeftOut:
        return LeftOut(id=str(self.row.id), content=self.row.content, relevance=self.score, why=why)


@dataclass(frozen=True)
class MessageSelection:
    kept: tuple[ScoredMessage, ...]
    left_out: tuple[LeftOut, ...]


def choose_messages(
    weighed: Iterable[WeighedMessage], calibration: MessageCalibration, min_score: float
) -> MessageSelection:
    """The harmless messages of at least `min_score`, each wording once: what was told first, then
    replies that only repeat it, then what only asks; the most relevant first in each part."""
    scored = [
        ScoredMessage(row, why, message_probability(why, calibration)) for row, why in weighed
    ]
    scored.sort(key=lambda each: (_standing(each.why), -each.score))
    kept: list[ScoredMessage] = []
    left_out: list[LeftOut] = []
    said: set[tuple[str, ...]] = set()
    for each in scored:
        cut = _cut_reason(each, min_score, said)
        if cut is not None:
            left_out.append(each.left_out(cut))
            continue
        said.add(_wording(each.row))
        kept.append(replace(each, row=_with_harmless_neighbours(each.row)))
    return MessageSelection(tuple(kept), tuple(left_out))


def _standing(why: MessageEvidence) -> int:
    """A question outranks no answer, and no reply that quotes a memory outranks who said it."""
    if why.asks:
        return 2
    return 1 if why.repeats else 0


def _cut_reason(
    each: ScoredMessage, min_score: float, said: set[tuple[str, ...]]
) -> ExclusionReason | None:
    if each.score < min_score:
        return "score"
    if _wording(each.row) in said:
        return "similar"
    order = find_prompt_injection(each.row.content)
    if order is not None:
        _log.warning("message_kept_out", message_id=str(each.row.id), reason=order)
        return "order"
    return None


def _wording(row: MessageCandidate) -> tuple[str, ...]:
    return (row.role, *(word.casefold() for word in _WORD.findall(row.content)))


def _with_harmless_neighbours(row: MessageCandidate) -> MessageCandidate:
    return replace(row, before=_harmless(row.before), after=_harmless(row.after))


def _harmless(neighbour: AdjacentMessage | None) -> AdjacentMessage | None:
    if neighbour is None or find_prompt_injection(neighbour.content) is not None:
        return None
    return neighbour


def drop_messages(
    kept: Sequence[ScoredMessage], gone: frozenset[object]
) -> tuple[ScoredMessage, ...]:
    """Without the messages of these ids, as found ones and as neighbours."""
    return tuple(
        replace(
            each,
            row=replace(
                each.row,
                before=_unless(each.row.before, gone),
                after=_unless(each.row.after, gone),
            ),
        )
        for each in kept
        if each.row.id not in gone
    )


def _unless(neighbour: AdjacentMessage | None, gone: frozenset[object]) -> AdjacentMessage | None:
    return None if neighbour is None or neighbour.id in gone else neighbour


# Characters: a shorter message is shown with its neighbours, a longer one as a passage.
SHORT = 160
LONG = 900
BESIDE = 160


def to_recalled_message(row: MessageCandidate, score: float, query: str) -> RecalledMessage:
    """Without the secrets that are stored where the user wants them stored."""
    content = redact_quickly(row.content.strip())
    short = len(content) <= SHORT
    return RecalledMessage(
        id=str(row.id),
        conversation_id=str(row.conversation_id),
        role=row.role,
        content=best_passage(content, query),
        created_at=row.created_at,
        relevance_score=score,
        before=_beside(row.before) if short else None,
        after=_beside(row.after) if short else None,
    )


def best_passage(content: str, query: str) -> str:
    """The sentences in a row, of `LONG` characters at most, that hold the most of the question's
    words; the earliest of equals. A text that is no longer is returned as it is."""
    if len(content) <= LONG:
        return content
    pieces = [piece[:LONG] for piece in split_sentences(content)]
    asked = content_words(query)
    held = [content_words(piece) & asked for piece in pieces]
    start, end = max(_runs(pieces), key=lambda run: len(set().union(*held[run[0] : run[1]])))
    opening = "… " if start > 0 else ""
    closing = ELLIPSIS if end < len(pieces) else ""
    return opening + " ".join(pieces[start:end]) + closing


def fit_messages(
    ranked: Sequence[RecalledMessage], budget: int, counter: TokenCounter
) -> FittedItems[RecalledMessage]:
    """Takes messages in their order until `budget` cl100k tokens are used.

    The first that does not fit goes without its neighbours, or is cut if at least `LEAST_TOKENS` of
    it remain, and ends the list.
    """
    taken: list[RecalledMessage] = []
    used = 0
    for item in ranked:
        size = _size(item, counter)
        if used + size <= budget:
            taken.append(item)
            used += size
            continue
        part = _cut_to_fit(item, budget - used, counter)
        if part is not None:
            taken.append(part)
            used += _size(part, counter)
        return FittedItems(tuple(taken), used, truncated=True)
    return FittedItems(tuple(taken), used, truncated=False)


def _runs(pieces: Sequence[str]) -> list[tuple[int, int]]:
    """For each sentence how far a run from it goes."""
    runs, end, length = [], 0, 0
    for start, piece in enumerate(pieces):
        while end < len(pieces) and (end <= start or length + len(pieces[end]) < LONG):
            length += len(pieces[end]) + 1
            end += 1
        runs.append((start, end))
        length -= len(piece) + 1
    return runs


def _beside(neighbour: AdjacentMessage | None) -> str | None:
    if neighbour is None:
        return None
    words = " ".join(redact_quickly(neighbour.content).split())
    if len(words) > BESIDE:
        words = words[:BESIDE].rsplit(" ", 1)[0] + ELLIPSIS
    return f"{neighbour.role}: {words}"


def _size(item: RecalledMessage, counter: TokenCounter) -> int:
    return sum(counter.count(text) for text in (item.content, item.before, item.after) if text)


def _cut_to_fit(item: RecalledMessage, room: int, counter: TokenCounter) -> RecalledMessage | None:
    alone = item.model_copy(update={"before": None, "after": None})
    if _size(alone, counter) <= room:
        return alone
    if room < LEAST_TOKENS:
        return None
    for kept in range(room - counter.count(ELLIPSIS), 0, -1):
        content = counter.cut(item.content, kept) + ELLIPSIS
        if counter.count(content) <= room:
            return alone.model_copy(update={"content": content})
    return None


# What followed so many of the best is looked at as well.
LEADING = 30


class MessageRetriever:
    """Recalls past messages under a token budget.

    `decide` says which messages an erasure that waits will touch: they are not found meanwhile.
    `calibrate` knows the calibration of an embedding model by its name.
    """

    def __init__(
        self,
        search: MessageSearch,
        legs: HybridSearch[MessageScope],
        erasing: ErasureStore,
        *,
        decide: PlanErasure,
        calibrate: Callable[[str], MessageCalibration],
        counter: TokenCounter,
        token_budget: int,
    ) -> None:
        self._search = search
        self._legs = legs
        self._erasing = erasing
        self._decide = decide
        self._calibrate = calibrate
        self._counter = counter
        self._token_budget = token_budget

    async def recall(
        self,
        request: MessageQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MessageQueryResponse:
        """What was said about the query until `now`, where it is given, but in the turn of
        `correlation_id`; what this raises is caught by `memory.retrieval.service.RecallService`."""
        began = time.perf_counter()
        query = await asyncio.to_thread(prepare_query, request.query)
        if not query:
            return MessageQueryResponse()
        scope = _scope(request, correlation_id, now)
        choosing = partial(self._choose, scope, query, request.min_score)
        found, chosen = await self._legs.of_one_model(choosing)
        if found.all_failed:
            return MessageQueryResponse(error=True, degraded=found.failed)
        chosen = await self._without_forgotten(scope, chosen)
        budget = self._token_budget if token_budget is None else token_budget
        return await asyncio.to_thread(
            self._respond, request, query, found, chosen, budget=budget, began=began
        )

    async def find(self, scope: MessageScope, query: str) -> SearchResults:
        """Both legs for what the query is about."""
        return await self._legs.run(scope, conversation_topic(query))

    async def weigh(
        self, scope: MessageScope, query: str, found: SearchResults
    ) -> list[WeighedMessage]:
        """The candidates with what speaks for each, in the order of their fused rank, the messages
        that only followed one behind them; also what a calibration is fitted on. What only asks the
        same is none."""
        rows = await self._candidates(scope, found)
        return await asyncio.to_thread(
            collect_message_evidence, query, found, _telling(rows, query)
        )

    async def _choose(
        self, scope: MessageScope, query: str, min_score: float, model: str
    ) -> tuple[SearchResults, MessageSelection]:
        found = await self.find(scope, query)
        weighed = [] if found.all_failed else await self.weigh(scope, query, found)
        calibration = self._calibrate(model)
        return found, await asyncio.to_thread(choose_messages, weighed, calibration, min_score)

    async def _candidates(
        self, scope: MessageScope, found: SearchResults
    ) -> list[MessageCandidate]:
        rankings = [[hit.id for hit in leg] for leg in (found.keyword, found.vector) if leg]
        ids = [key for key, _ in fuse(rankings)]
        async with asyncio.timeout(self._legs.search_timeout):
            rows = await self._search.read_candidates(scope, ids, ids[:LEADING], found.embedding)
        place = {key: rank for rank, key in enumerate(ids)}
        return sorted(rows, key=lambda row: (place.get(row.id, len(ids)), row.created_at, row.id))

    async def _without_forgotten(
        self, scope: MessageScope, chosen: MessageSelection
    ) -> MessageSelection:
        """Without what an erasure that waits will reword or take away."""
        named = [UUID(each.id) for each in chosen.left_out]
        for each in chosen.kept:
            named += [said.id for said in (each.row, each.row.before, each.row.after) if said]
        async with asyncio.timeout(self._legs.search_timeout):
            remains = await self._erasing.pending_for_messages(scope.user_id, named)
        if not remains.condemned:
            return chosen
        removal = await asyncio.to_thread(self._decide, remains)
        gone = frozenset({*removal.reworded, *removal.taken})
        return MessageSelection(
            drop_messages(chosen.kept, gone),
            tuple(each for each in chosen.left_out if UUID(each.id) not in gone),
        )

    def _respond(
        self,
        request: MessageQueryRequest,
        query: str,
        found: SearchResults,
        chosen: MessageSelection,
        *,
        budget: int,
        began: float,
    ) -> MessageQueryResponse:
        wanted = chosen.kept[: request.limit]
        topic = conversation_topic(query)
        items = [to_recalled_message(each.row, each.score, topic) for each in wanted]
        fitted = fit_messages(items, budget, self._counter)
        left_out = _left_out(chosen, len(fitted.items), request)
        return answer_with(
            MessageQueryResponse,
            fitted,
            found,
            total=len(chosen.kept),
            began=began,
            left_out=left_out,
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


def _telling(rows: Sequence[MessageCandidate], query: str) -> list[MessageCandidate]:
    return [row for row in rows if not restates_query(row.content, query)]


def _left_out(
    chosen: MessageSelection, taken: int, request: MessageQueryRequest
) -> tuple[LeftOut, ...]:
    if not request.explain:
        return ()
    beyond: list[ScoredMessage] = list(chosen.kept[taken:])
    cut = [
        each.left_out("limit" if place >= request.limit else "budget")
        for place, each in enumerate(beyond, start=taken)
    ]
    return (*cut, *chosen.left_out)
