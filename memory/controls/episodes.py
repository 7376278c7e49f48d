"""Learning from how tasks went: begin an episode, note what is done, end it, and find those that
were like a task (004, tier 2)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from memory.controls.episode_words import to_be_shown
from memory.embedders.protocol import Embedder, Embedding
from memory.embedders.timely import Timely
from memory.episode import (
    MOST_CHARS,
    MOST_LINE_CHARS,
    MOST_TASK_CHARS,
    MOST_TYPE_CHARS,
    Action,
    Alike,
    Ending,
    Episode,
    NewAction,
    NewEpisode,
)
from memory.errors import EmbeddingOutdated, EpisodesOff
from memory.models import DEFAULT_SPACE, Origin
from memory.recall.choice.screening import find_order
from memory.secrets import redact
from memory.store.episodes.episodes import EpisodeStore
from memory.store.episodes.tasks import Asked, EpisodeTasks, Near
from memory.store.forgetting.erasing import Erasing
from memory.store.memories.listing import Place
from memory.text import storable
from memory.upkeep.refusals import embed_apart
from memory.write.normalise import clean_message

ABANDONED_AFTER = timedelta(days=30)
# Measured on fourteen pairs of tasks and fourteen times thirteen that are no pairs: 0.58 and more
# against 0.24 and less.
ALIKE = 0.35
# Of so many at most it is looked whether they can be shown.
MOST_NEAR = 100
BATCH = 64
BATCH_TIMEOUT = 60.0
UPKEEP = Origin("upkeep")


class Episodes:
    """Every method names its user. Secrets are taken out of every text before it is stored. Where
    episodes are not `enabled`, what begins or looks for one raises EpisodesOff; what there is can
    be read and removed."""

    def __init__(
        self,
        store: EpisodeStore,
        tasks: EpisodeTasks,
        erasing: Erasing,
        embedder: Embedder,
        *,
        embedding_timeout: float,
        enabled: bool,
        batch_timeout: float = BATCH_TIMEOUT,
    ) -> None:
        self._store = store
        self._tasks = tasks
        self._erasing = erasing
        self._embedder = embedder
        self._timely = Timely(embedder, embedding_timeout, event="task_not_embedded")
        self._batch_timeout = batch_timeout
        self.enabled = enabled

    async def start(self, user_id: str, new: NewEpisode, origin: Origin) -> Episode:
        """Raises EpisodesOff, MemoryOff, Incognito and MessageRefused."""
        self._refuse_off()
        task = _safe(clean_message(new.task), MOST_TASK_CHARS)
        safe = new.model_copy(update={"task": task, "plan": _all_safe(new.plan)})
        model = self._embedder.model  # before the vector: see `CurrentEmbedder`
        embedding = await self._timely.embed(task)
        try:
            return await self._store.start(user_id, safe, embedding, model, origin)
        except EmbeddingOutdated:
            return await self._store.start(user_id, safe, None, model, origin)

    async def record(
        self, user_id: str, episode_id: UUID, done: NewAction, now: datetime | None = None
    ) -> Episode:
        """Raises EpisodesOff, EpisodeNotFound, EpisodeEnded, MemoryOff and Incognito."""
        self._refuse_off()
        action = Action(
            type=_safe(done.type, MOST_TYPE_CHARS),
            input=_safe(done.input, MOST_CHARS),
            result=_safe(done.result, MOST_CHARS),
            succeeded=done.succeeded,
            at=now or datetime.now(UTC),
        )
        return await self._store.record(user_id, episode_id, action)

    async def complete(
        self, user_id: str, episode_id: UUID, ending: Ending, origin: Origin
    ) -> Episode:
        """Raises as `record` does. What there is the least to learn from is let go."""
        self._refuse_off()
        safe = Ending(
            outcome_score=ending.outcome_score,
            lessons_learned=_all_safe(ending.lessons_learned),
            failure_modes=_all_safe(ending.failure_modes),
        )
        return await self._store.complete(user_id, episode_id, safe, origin)

    async def similar(
        self,
        user_id: str,
        task: str,
        space: str = DEFAULT_SPACE,
        *,
        limit: int = 5,
        at_least: float = ALIKE,
    ) -> list[Alike]:
        """The episodes most like a task, the most alike first, without texts in them that give
        orders, or tell of what was forgotten and waits for its erasure. Raises EpisodesOff and
        Incognito."""
        self._refuse_off()
        near = await self._near(user_id, space, storable(task), at_least)
        shown = [each for each in near if find_order(each.task) is None][:limit]
        if not shown:
            return []
        forgotten = await self._erasing.waiting_words(user_id)  # first: what is erased meanwhile
        episodes = await self._store.read_all(user_id, [each.id for each in shown])
        alike = [Alike(episodes[each.id], each.likeness) for each in shown if each.id in episodes]
        return await asyncio.to_thread(to_be_shown, alike, forgotten)

    async def read(self, user_id: str, episode_id: UUID) -> Episode:
        """Raises EpisodeNotFound."""
        return await self._store.read(user_id, episode_id)

    async def browse(
        self,
        user_id: str,
        space: str = DEFAULT_SPACE,
        *,
        after: Place | None = None,
        limit: int = 50,
    ) -> list[Episode]:
        """The newest first."""
        return await self._store.browse(user_id, space, after, limit)

    async def delete(self, user_id: str, episode_id: UUID, origin: Origin) -> None:
        """For good, at once. Raises EpisodeNotFound."""
        await self._store.delete(user_id, episode_id, origin)

    async def keep_up(self, user_id: str, now: datetime | None = None) -> int:
        """Removes what was left open for ABANDONED_AFTER, is not worth keeping or is too much, and
        fills missing vectors; how many were removed. Raises EmbeddingUnavailable, EmbeddingOutdated
        and TimeoutError in the end, where vectors are still missing."""
        since = (now or datetime.now(UTC)) - ABANDONED_AFTER
        gone = await self._store.keep_up(user_id, since, UPKEEP)
        await self._embed_waiting(user_id)
        return gone

    async def _near(self, user_id: str, space: str, task: str, at_least: float) -> list[Near]:
        model = self._embedder.model  # before the vector, as in `start`
        asked = Asked(space, task, await self._timely.embed(task), model)
        try:
            return await self._tasks.near(user_id, asked, at_least, MOST_NEAR)
        except EmbeddingOutdated:
            bare = replace(asked, embedding=None)
            return await self._tasks.near(user_id, bare, at_least, MOST_NEAR)

    async def _embed_waiting(self, user_id: str) -> None:
        """Ends too where a batch filled nothing: what it had is being reworded."""
        filled = BATCH
        while filled == BATCH:
            model = self._embedder.model
            waiting = await self._tasks.waiting(user_id, model, BATCH)
            if not waiting:
                return
            vectors = await embed_apart(self._embed, list(waiting.values()))
            filled = await self._tasks.fill(user_id, waiting, vectors, model)

    async def _embed(self, texts: Sequence[str]) -> list[Embedding]:
        async with asyncio.timeout(self._batch_timeout):
            return await self._embedder.embed_texts(texts)

    def _refuse_off(self) -> None:
        if not self.enabled:
            raise EpisodesOff


def _safe(text: str, most: int) -> str:
    """Without secrets; what stands in their place may make it longer than `most` characters."""
    return redact(storable(text))[:most]


def _all_safe(lines: Sequence[str]) -> tuple[str, ...]:
    safe = (_safe(line, MOST_LINE_CHARS) for line in lines)
    return tuple(line for line in safe if line)
