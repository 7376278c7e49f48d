"""Episodes as the tests of them begin with."""

from __future__ import annotations

from memory.controls.episodes import BATCH_TIMEOUT, Episodes
from memory.database import Database
from memory.embedders.protocol import Embedder
from memory.episode import Ending, NewEpisode
from memory.models import Origin
from memory.store.episodes.episodes import EpisodeRules, EpisodeStore
from memory.store.episodes.tasks import EpisodeTasks
from memory.store.forgetting.erasing import Erasing
from tests.memory.fakes import WordEmbedder

USER = Origin()


def episodes_of(
    database: Database,
    embedder: Embedder | None = None,
    *,
    enabled: bool = True,
    batch_timeout: float = BATCH_TIMEOUT,
    **kept: float,
) -> Episodes:
    return Episodes(
        EpisodeStore(database, EpisodeRules(**kept)),  # type: ignore[arg-type]
        EpisodeTasks(database),
        Erasing(database),
        embedder or WordEmbedder(),
        embedding_timeout=5.0,
        enabled=enabled,
        batch_timeout=batch_timeout,
    )


async def ended(
    episodes: Episodes, user_id: str, task: str, score: float = 0.65, **lines: tuple[str, ...]
) -> str:
    new = await episodes.start(user_id, NewEpisode(task=task), USER)
    ending = Ending(outcome_score=score, **lines)
    await episodes.complete(user_id, new.id, ending, USER)
    return str(new.id)


async def tasks(episodes: Episodes, user_id: str) -> list[str]:
    return [each.task for each in await episodes.browse(user_id)]
