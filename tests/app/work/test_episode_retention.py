from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.bootstrap import Keepsake
from app.worker.jobs import EPISODE_RETENTION, JOBS
from app.worker.queue import AWAY
from memory.config import Settings
from memory.factory import make_memory
from memory.tokens import TokenCounter
from memory.types import NewEpisode, Origin
from tests.app.work.failing_embedder import FailingEmbedder
from tests.app.work.rows import jobs

LONG_AGO = datetime.now(UTC) - timedelta(days=40)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Switched on."""
    return settings.model_copy(update={"episodes_enabled": True})


async def begin(keepsake: Keepsake, user_id: str, task: str, at: datetime | None = None) -> None:
    begun = await keepsake.memory.episodes.start(user_id, NewEpisode(task=task), Origin())
    if at is not None:
        async with keepsake.database.as_user(user_id) as connection:
            change = "UPDATE episodes SET updated_at = $2, needs_embedding = true WHERE id = $1"
            await connection.execute(change, begun.id, at)


async def tasks(keepsake: Keepsake, user_id: str) -> list[str]:
    return [each.task for each in await keepsake.memory.episodes.browse(user_id)]


async def test_each_user_has_a_job_of_their_own(
    keepsake: Keepsake, database_url: str, user_id: str
) -> None:
    """What is done twice finds nothing left."""
    users = [user_id, f"{user_id}-other", f"{user_id}-third"]
    for each in users:
        await begin(keepsake, each, "An old task", LONG_AGO)
        await begin(keepsake, each, "A new task")
    await EPISODE_RETENTION.run(keepsake, None)
    asked = await jobs(database_url, EPISODE_RETENTION.name)
    assert [job["payload"].decode() for job in asked] == users
    assert await tasks(keepsake, users[0]) == ["A new task", "An old task"]
    for _ in range(2):
        await EPISODE_RETENTION.run(keepsake, users[0])
        assert await tasks(keepsake, users[0]) == ["A new task"]
    assert await tasks(keepsake, users[1]) == ["A new task", "An old task"]


async def test_without_an_embedder_what_is_old_goes_and_the_vectors_are_tried_again(
    keepsake: Keepsake, embeds: FailingEmbedder, counter: TokenCounter, user_id: str
) -> None:
    memory = make_memory(keepsake.database, embeds, keepsake.cache, counter, keepsake.settings)
    keepsake = replace(keepsake, memory=memory)
    await begin(keepsake, user_id, "An old task", LONG_AGO)
    await begin(keepsake, user_id, "A new task", datetime.now(UTC))
    embeds.texts.clear()
    embeds.be_away(calls=1)
    with pytest.raises(AWAY):
        await EPISODE_RETENTION.run(keepsake, user_id)
    assert await tasks(keepsake, user_id) == ["A new task"]
    assert embeds.texts == []
    await EPISODE_RETENTION.run(keepsake, user_id)
    assert embeds.texts == ["A new task"]
    await memory.aclose()


def test_it_runs_at_night_where_episodes_are_on(settings: Settings) -> None:
    assert EPISODE_RETENTION in JOBS
    assert EPISODE_RETENTION.schedule(settings) == "40 3 * * *"
    off = settings.model_copy(update={"episodes_enabled": False})
    assert EPISODE_RETENTION.schedule(off) is None
