"""Lets every thread of the writing set happen to a fresh user, turn by turn, as the assistant would
after its replies, and reads what that left in the store."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid4

from rich.progress import Progress

from agent.turn.heard import hear_commands
from eval.system import System
from eval.writing.past import Learned, Store
from eval.writing.scores import TurnScore, score_thread
from eval.writing.secret_scan import WatchedEmbedder, scan_redis, scan_tables
from eval.writing.turns import Thread, Turn
from memory.counters import Counters
from memory.models import DEFAULT_SPACE, Origin, Outcome
from memory.secrets import redact
from memory.service import Memory
from memory.store.conversations.learning import LearningMarks
from memory.store.conversations.messages import NewMessage
from memory.store.memories.entries import EntryStore
from memory.store.memories.listing import MAX_LISTED, EntryFilter
from memory.understanding import OfflineReader
from memory.write.candidates import Said
from memory.write.normalise import clean_message

_EVERYTHING = EntryFilter(include_replaced=True, include_trimmed=True, limit=MAX_LISTED)


@dataclass(frozen=True)
class Written:
    """The scores of all turns, and by turn the places where its secret was found; `redis_read`
    is False where Redis did not answer, and nobody knows what it holds."""

    scores: list[TurnScore]
    secrets: dict[str, list[str]]
    redis_read: bool


class WritingRun:
    """`memory` is the product's own with whichever reader; it embeds with `embedder` and counts
    in `counters`."""

    def __init__(
        self, system: System, memory: Memory, embedder: WatchedEmbedder, counters: Counters
    ) -> None:
        self._system = system
        self._memory = memory
        self._embedder = embedder
        self._counters = counters
        self._entries = EntryStore(system.database)
        self._marks = LearningMarks(system.database)

    async def run(self, threads: tuple[Thread, ...], progress: Progress) -> Written:
        await self._warm_up()
        scores: list[TurnScore] = []
        secrets: dict[str, list[str]] = defaultdict(list)
        for thread in progress.track(threads, description="learning from threads"):
            user_id = f"eval:writing:{thread.id}:{uuid4().hex[:8]}"
            learned = await self._live_through(user_id, thread)
            scores += score_thread(thread.id, thread.held_back, learned)
            for turn_id, secret in _secrets(thread):
                secrets[turn_id] += await scan_tables(self._system.database, user_id, secret)
        return await self._with_traces(threads, scores, secrets)

    async def _warm_up(self) -> None:
        """One message that is not counted: it loads the model and fills the pool."""
        said = Said(text="My favourite colour is green.", said_at=datetime.now(UTC))
        await self._memory.learn("eval:warm-up", DEFAULT_SPACE, said, origin=Origin("learning"))

    async def _live_through(self, user_id: str, thread: Thread) -> list[Learned]:
        conversation_id = uuid4()
        learned = []
        after: Store = {}
        for turn in thread.turns:
            before = after
            outcomes, took, error = await self._say(user_id, conversation_id, turn)
            after = await self._read(user_id)
            asked = {older.id for each in outcomes if each.doubt_ids for older in each.older}
            learned.append(Learned(turn, before, after, frozenset(asked), took, error))
        await self._memory.embed_waiting(user_id)
        return learned

    async def _say(
        self, user_id: str, conversation_id: UUID, turn: Turn
    ) -> tuple[list[Outcome], float | None, str | None]:
        """What came of a turn, in how many milliseconds, or why nothing was learned from it. What
        the assistant would obey is stored and not learned, and takes no time."""
        text = redact(clean_message(turn.said))
        is_talk = not hear_commands(clean_message(turn.said), OfflineReader())
        new = NewMessage("user", text, uuid4(), needs_learning=is_talk)
        message, _ = await self._memory.conversations.add_message(user_id, conversation_id, new)
        if not is_talk:
            return [], None, None
        said = Said(text=text, said_at=turn.said_at, message_id=message.id)
        failures = self._failures()
        began = time.perf_counter()
        try:
            async with asyncio.timeout(self._system.settings.learn_timeout_seconds):
                outcomes = await self._memory.learn(
                    user_id, DEFAULT_SPACE, said, origin=Origin("learning", new.correlation_id)
                )
        except Exception as error:  # as in the product the message waits, and the run goes on
            return [], (time.perf_counter() - began) * 1000, type(error).__name__
        took = (time.perf_counter() - began) * 1000
        waits = await self._marks.needs_learning(user_id, message.id)
        if self._failures() > failures:
            return outcomes, took, "the model failed and the offline reading stands"
        return outcomes, took, "it waits" if waits else None

    def _failures(self) -> float:
        registry = self._counters.registry
        return registry.get_sample_value("keepsake_extraction_failures_total") or 0.0

    async def _read(self, user_id: str) -> Store:
        page = await self._entries.browse(user_id, _EVERYTHING)
        return {item.id: item for item in page.items}

    async def _with_traces(
        self,
        threads: tuple[Thread, ...],
        scores: list[TurnScore],
        secrets: dict[str, list[str]],
    ) -> Written:
        by_turn = dict(pair for thread in threads for pair in _secrets(thread))
        in_redis = await scan_redis(self._system.cache, list(by_turn.values()))
        for turn_id, secret in by_turn.items():
            if secret in (in_redis or ()):
                secrets[turn_id].append("redis")
            if secret in self._embedder.seen:
                secrets[turn_id].append("what was embedded")
        found = {turn_id: places for turn_id, places in secrets.items() if places}
        return Written(scores, found, redis_read=in_redis is not None)


def _secrets(thread: Thread) -> list[tuple[str, str]]:
    return [(turn.id, turn.secret) for turn in thread.turns if turn.secret is not None]
