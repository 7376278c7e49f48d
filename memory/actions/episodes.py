"""Episodes: what was tried for a task, what came of it, and what did not work."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from memory.actions.forgetting.redaction import redact_episode
from memory.dates.calendar import format_day
from memory.embeddings.protocol import BestEffortEmbedder, Embedder, Embedding
from memory.errors import EmbeddingOutdated, EpisodesOff
from memory.ingestion.normalisation import clean_message
from memory.maintenance.backfill import embed_accepted
from memory.retrieval.prompt_injection import find_prompt_injection
from memory.secrets import redact_quickly
from memory.store.episodes import EpisodeStore, EpisodeTaskIndex, SimilarTask, TaskQuery
from memory.store.erasure import ErasureStore
from memory.store.memories import PageCursor
from memory.text import to_storable
from memory.types import (
    DEFAULT_SPACE,
    MAX_ACTION_CHARS,
    MAX_ACTION_TYPE_CHARS,
    MAX_LINE_CHARS,
    MAX_TASK_CHARS,
    EpisodeAction,
    EpisodeResult,
    NewEpisode,
    NewEpisodeAction,
    Origin,
    SimilarEpisode,
    StoredEpisode,
)

MOST_SHOWN = 5


def describe_episode(alike: SimilarEpisode) -> dict[str, Any]:
    """Its failures and lessons, the last MOST_SHOWN actions that failed, and when it ended; the
    texts as they are stored."""
    episode = alike.episode
    failed = [each for each in episode.actions if not each.succeeded]
    ended = episode.completed_at or episode.created_at
    return {
        "id": str(episode.id),
        "task": episode.task,
        "likeness": round(alike.likeness, 2),
        "outcome_score": episode.outcome_score,
        "what_failed": list(episode.failure_modes),
        "failed_actions": [
            {"type": each.type, "input": each.input, "result": each.result}
            for each in failed[-MOST_SHOWN:]
        ],
        "lessons_learned": list(episode.lessons_learned),
        "ended_on": format_day(ended.astimezone()),
    }


def shown_episodes(
    found: Sequence[SimilarEpisode], forgotten: Sequence[str]
) -> list[SimilarEpisode]:
    """Without what tells of the forgotten memories, and without texts that give orders."""
    return [
        SimilarEpisode(_without_orders(redact_episode(each.episode, forgotten)), each.likeness)
        for each in found
    ]


def _without_orders(episode: StoredEpisode) -> StoredEpisode:
    def harmless(lines: Sequence[str]) -> tuple[str, ...]:
        return tuple(line for line in lines if find_prompt_injection(line) is None)

    texts = ("plan", "lessons_learned", "failure_modes")
    kept = {name: harmless(getattr(episode, name)) for name in texts}
    actions = tuple(
        each
        for each in episode.actions
        if find_prompt_injection(f"{each.type} {each.input} {each.result}") is None
    )
    return episode.model_copy(update={**kept, "actions": actions})


ABANDONED_AFTER = timedelta(days=30)
# By meaning alone eight tasks in other words have 0.39 and more, of fifty-six other tasks nineteen
# in twenty 0.36 and less.
MIN_LIKENESS = 0.35
# Of so many at most it is looked whether they can be shown.
MOST_NEAR = 100
EPISODE_BATCH = 64
EPISODE_BATCH_TIMEOUT = 60.0
UPKEEP = Origin("upkeep")


class EpisodeService:
    """Learning from how tasks went (004, tier 2): an episode is begun, noted, ended, and found for
    a task that is like it. Every method names its user. Secrets are taken out of every text before
    it is stored. Where episodes are not `enabled`, what begins or looks for one raises EpisodesOff;
    what there is can be read and removed."""

    def __init__(
        self,
        store: EpisodeStore,
        tasks: EpisodeTaskIndex,
        erasing: ErasureStore,
        embedder: Embedder,
        *,
        embedding_timeout: float,
        enabled: bool,
        batch_timeout: float = EPISODE_BATCH_TIMEOUT,
    ) -> None:
        self._store = store
        self._tasks = tasks
        self._erasing = erasing
        self._embedder = embedder
        self._timely = BestEffortEmbedder(embedder, embedding_timeout, event="task_not_embedded")
        self._batch_timeout = batch_timeout
        self.enabled = enabled

    async def start(self, user_id: str, new: NewEpisode, origin: Origin) -> StoredEpisode:
        """Raises EpisodesOff, MemoryOff, Incognito and MessageRefused."""
        self._refuse_off()
        task = _safe(clean_message(new.task), MAX_TASK_CHARS)
        safe = new.model_copy(update={"task": task, "plan": _all_safe(new.plan)})
        model = self._embedder.model  # before the vector: see `ActiveEmbedder`
        embedding = await self._timely.embed_text(task)
        try:
            return await self._store.start(user_id, safe, embedding, model, origin)
        except EmbeddingOutdated:
            return await self._store.start(user_id, safe, None, model, origin)

    async def record(
        self, user_id: str, episode_id: UUID, done: NewEpisodeAction, now: datetime | None = None
    ) -> StoredEpisode:
        """Raises EpisodesOff, EpisodeNotFound, EpisodeEnded, MemoryOff and Incognito."""
        self._refuse_off()
        action = EpisodeAction(
            type=_safe(done.type, MAX_ACTION_TYPE_CHARS),
            input=_safe(done.input, MAX_ACTION_CHARS),
            result=_safe(done.result, MAX_ACTION_CHARS),
            succeeded=done.succeeded,
            at=now or datetime.now(UTC),
        )
        return await self._store.record(user_id, episode_id, action)

    async def complete(
        self, user_id: str, episode_id: UUID, ending: EpisodeResult, origin: Origin
    ) -> StoredEpisode:
        """Raises as `record` does. What there is the least to learn from is let go."""
        self._refuse_off()
        safe = EpisodeResult(
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
        at_least: float = MIN_LIKENESS,
    ) -> list[SimilarEpisode]:
        """The episodes most like a task, the most alike first, without texts in them that give
        orders, or tell of what was forgotten and waits for its erasure. Raises EpisodesOff and
        Incognito."""
        self._refuse_off()
        near = await self._near(user_id, space, to_storable(task), at_least)
        shown = [each for each in near if find_prompt_injection(each.task) is None][:limit]
        if not shown:
            return []
        forgotten = await self._erasing.pending_contents(user_id)  # first: what is erased meanwhile
        episodes = await self._store.read_all(user_id, [each.id for each in shown])
        alike = [
            SimilarEpisode(episodes[each.id], each.likeness)
            for each in shown
            if each.id in episodes
        ]
        return await asyncio.to_thread(shown_episodes, alike, forgotten)

    async def read(self, user_id: str, episode_id: UUID) -> StoredEpisode:
        """Raises EpisodeNotFound."""
        return await self._store.read(user_id, episode_id)

    async def browse(
        self,
        user_id: str,
        space: str = DEFAULT_SPACE,
        *,
        after: PageCursor | None = None,
        limit: int = 50,
    ) -> list[StoredEpisode]:
        """The newest first."""
        return await self._store.browse(user_id, space, after, limit)

    async def delete(self, user_id: str, episode_id: UUID, origin: Origin) -> None:
        """For good, at once. Raises EpisodeNotFound."""
        await self._store.delete(user_id, episode_id, origin)

    async def apply_retention(self, user_id: str, now: datetime | None = None) -> int:
        """Removes what was left open for ABANDONED_AFTER, is not worth keeping or is too much, and
        fills missing vectors; how many were removed. Raises EmbeddingUnavailable, EmbeddingOutdated
        and TimeoutError in the end, where vectors are still missing."""
        since = (now or datetime.now(UTC)) - ABANDONED_AFTER
        gone = await self._store.apply_retention(user_id, since, UPKEEP)
        await self._embed_waiting(user_id)
        return gone

    async def _near(
        self, user_id: str, space: str, task: str, at_least: float
    ) -> list[SimilarTask]:
        model = self._embedder.model  # before the vector, as in `start`
        asked = TaskQuery(space, task, await self._timely.embed_query(task), model)
        try:
            return await self._tasks.near(user_id, asked, at_least, MOST_NEAR)
        except EmbeddingOutdated:
            bare = replace(asked, embedding=None)
            return await self._tasks.near(user_id, bare, at_least, MOST_NEAR)

    async def _embed_waiting(self, user_id: str) -> None:
        """Ends too where a batch filled nothing: what it had is being reworded."""
        filled = EPISODE_BATCH
        while filled == EPISODE_BATCH:
            model = self._embedder.model
            waiting = await self._tasks.waiting(user_id, model, EPISODE_BATCH)
            if not waiting:
                return
            vectors = await embed_accepted(self._embed, list(waiting.values()))
            filled = await self._tasks.fill(user_id, waiting, vectors, model)

    async def _embed(self, texts: Sequence[str]) -> list[Embedding]:
        async with asyncio.timeout(self._batch_timeout):
            return await self._embedder.embed_texts(texts)

    def _refuse_off(self) -> None:
        if not self.enabled:
            raise EpisodesOff


def _safe(text: str, most: int) -> str:
    """Without secrets; what stands in their place may make it longer than `most` characters."""
    return redact_quickly(to_storable(text))[:most]


def _all_safe(lines: Sequence[str]) -> tuple[str, ...]:
    safe = (_safe(line, MAX_LINE_CHARS) for line in lines)
    return tuple(line for line in safe if line)
