"""Episodes as the tests of them begin with."""

from __future__ import annotations

from memory.actions.episodes import EPISODE_BATCH_TIMEOUT, EpisodeService
from memory.embeddings.protocol import Embedder
from memory.store.database import Database
from memory.store.episodes import EpisodeRules, EpisodeStore, EpisodeTaskIndex
from memory.store.erasure import ErasureStore
from memory.types import EpisodeResult, NewEpisode, Origin
from tests.memory.fakes import WordEmbedder

USER = Origin()


def episodes_of(
    database: Database,
    embedder: Embedder | None = None,
    *,
    enabled: bool = True,
    batch_timeout: float = EPISODE_BATCH_TIMEOUT,
    **kept: float,
) -> EpisodeService:
    return EpisodeService(
        EpisodeStore(database, EpisodeRules(**kept)),  # type: ignore[arg-type]
        EpisodeTaskIndex(database),
        ErasureStore(database),
        embedder or WordEmbedder(),
        embedding_timeout=30.0,
        enabled=enabled,
        batch_timeout=batch_timeout,
    )


async def ended(
    episodes: EpisodeService, user_id: str, task: str, score: float = 0.65, **lines: tuple[str, ...]
) -> str:
    new = await episodes.start(user_id, NewEpisode(task=task), USER)
    ending = EpisodeResult(outcome_score=score, **lines)
    await episodes.complete(user_id, new.id, ending, USER)
    return str(new.id)


async def tasks(episodes: EpisodeService, user_id: str) -> list[str]:
    return [each.task for each in await episodes.browse(user_id)]
