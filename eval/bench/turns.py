"""What learning adds to a turn while somebody waits for it: turns of the offline assistant with
memory on, beside the same turns of a user whose memory is only read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID, uuid4

from rich.progress import Progress

from agent.assistant import Assistant
from agent.models.model import choose_model, model_settings
from agent.turn.events import TurnClosed
from agent.turn.opening import AssistantSettings
from eval.measures.metrics import percentile
from eval.measures.summary import Figures
from eval.system import System
from memory.cache import SessionCache
from memory.models import DEFAULT_SPACE, NewItem, Origin
from memory.store.modes import Modes
from memory.understanding import OfflineReader

LEARNING, READING = "bench:turns:learning", "bench:turns:reading"
WARM_UP = 5
_NO_MODEL = {"openai_api_key": None, "openai_base_url": None}


class Turns:
    """Two users with the same memories, one of whom may not get new ones."""

    def __init__(self, system: System) -> None:
        self._system = system
        settings = system.settings.model_copy(update=_NO_MODEL)
        self._assistant = Assistant(
            model=choose_model(settings),
            model_settings=model_settings(settings),
            memory=system.memory,
            cache=SessionCache(system.cache),
            settings=AssistantSettings(history_messages=settings.history_messages),
            reader=OfflineReader(),
        )
        self._conversations = {LEARNING: uuid4(), READING: uuid4()}

    async def prepare(self, contents: Sequence[str]) -> None:
        for user_id in self._conversations:
            await self._system.store(user_id, [NewItem(content=each) for each in contents])
        modes = Modes(self._system.database)
        await modes.change(READING, DEFAULT_SPACE, Origin(), memory_mode="read_only")

    async def measure(self, texts: Sequence[str], progress: Progress) -> Figures:
        """Milliseconds until the turn is closed, and what learning adds to their median and their
        95th percentile; `pair_difference` is of each turn and its twin."""
        for text in texts[:WARM_UP]:
            await self._both(text, turned=False)
        asking = progress.track(texts[WARM_UP:], description="taking turns")
        pairs = [await self._both(text, turned=bool(at % 2)) for at, text in enumerate(asking)]
        await self._assistant.aclose()
        return overhead([pair[LEARNING] for pair in pairs], [pair[READING] for pair in pairs]) | {
            "turns_learned": await self._system.items.count(LEARNING)
            - await self._system.items.count(READING)
        }

    async def _both(self, text: str, *, turned: bool) -> dict[str, float]:
        """The same turn of both users; who comes first changes from turn to turn."""
        order = (READING, LEARNING) if turned else (LEARNING, READING)
        return {user_id: await self._answer(user_id, text) for user_id in order}

    async def _answer(self, user_id: str, text: str) -> float:
        """Until the turn is closed; what goes on behind it has ended before the next begins."""
        conversation = self._conversations[user_id]
        took = await self._until_closed(user_id, conversation, text)
        await self._assistant.noticed(user_id, conversation, DEFAULT_SPACE)
        await self._system.memory.embed_waiting(user_id)
        return took

    async def _until_closed(self, user_id: str, conversation: UUID, text: str) -> float:
        closed = began = time.perf_counter()
        async for event in self._assistant.answer(user_id, conversation, text):
            if isinstance(event, TurnClosed):
                closed = time.perf_counter()
        return (closed - began) * 1000


def overhead(learning: Sequence[float], reading: Sequence[float]) -> Figures:
    """Both in milliseconds, in the same order. Of nothing there is no figure."""
    figures: Figures = {"turns": len(learning)}
    differences = [one - other for one, other in zip(learning, reading, strict=True)]
    for q in (50, 95):
        on, off = percentile(learning, q), percentile(reading, q)
        figures |= {
            f"turn_p{q}_ms": on,
            f"read_only_turn_p{q}_ms": off,
            f"turn_overhead_p{q}_ms": None if on is None or off is None else on - off,
            f"pair_difference_p{q}_ms": percentile(differences, q),
        }
    return figures
