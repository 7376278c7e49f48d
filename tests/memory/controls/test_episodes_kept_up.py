"""What is kept of episodes, and the vectors that are missing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory.actions.episodes import ABANDONED_AFTER, EPISODE_BATCH, EpisodeService
from memory.store.database import Database
from memory.store.episodes import MAX_OPEN_EPISODES, EpisodeTaskIndex
from memory.types import NewEpisode
from tests.memory.controls.episodic import USER, ended, episodes_of, tasks
from tests.memory.fakes import BrokenEmbedder, RefusingEmbedder, SilentEmbedder, WordEmbedder


@pytest.fixture
def episodes(database: Database) -> EpisodeService:
    return episodes_of(database)


async def test_without_an_embedder_the_words_find_them_and_the_vector_comes_later(
    database: Database, user_id: str
) -> None:
    broken = episodes_of(database, BrokenEmbedder())
    await ended(broken, user_id, "Deploy the shop to staging")
    found = await broken.similar(user_id, "deploy shop")
    assert [each.likeness for each in found] == [1.0]
    words = WordEmbedder()
    mended = episodes_of(database, words)
    await mended.apply_retention(user_id)
    await mended.apply_retention(user_id)
    assert words.texts == ["Deploy the shop to staging"]
    [found_again] = await mended.similar(user_id, "Deploy the shop to staging")
    assert found_again.likeness == pytest.approx(1.0, abs=1e-3)


async def test_an_embedder_that_says_nothing_keeps_nothing_from_being_let_go(
    database: Database, user_id: str
) -> None:
    silent = episodes_of(database, SilentEmbedder(), batch_timeout=0.05, threshold=0.7)
    async with database.as_user(user_id) as connection:
        await connection.executemany(
            "INSERT INTO episodes (user_id, task, outcome_score, completed_at)"
            " VALUES ($1, $2, $3, now())",
            [(user_id, "Too easy", 1.0), (user_id, "Just right", 0.6)],
        )
    with pytest.raises(TimeoutError):
        await silent.apply_retention(user_id)
    assert await tasks(silent, user_id) == ["Just right"]


async def test_a_task_that_the_model_refuses_holds_up_no_other(
    database: Database, user_id: str
) -> None:
    """Another model is asked for it."""
    broken, words = episodes_of(database, BrokenEmbedder()), RefusingEmbedder()
    for task in ("Ask what was refused", "Deploy the shop", "Write the report"):
        await ended(broken, user_id, task)
    await episodes_of(database, words).apply_retention(user_id)
    store = EpisodeTaskIndex(database)
    assert await store.waiting(user_id, words.model, EPISODE_BATCH) == {}
    assert sorted(words.texts) == ["Deploy the shop", "Hello", "Write the report"]
    assert len(await store.waiting(user_id, "another", EPISODE_BATCH)) == 3


async def test_all_vectors_are_made_however_many(database: Database, user_id: str) -> None:
    async with database.as_user(user_id) as connection:
        add = "INSERT INTO episodes (user_id, task) VALUES ($1, $2)"
        await connection.executemany(
            add, [(user_id, f"Task {n}") for n in range(EPISODE_BATCH + 1)]
        )
    words = WordEmbedder()
    store = EpisodeTaskIndex(database)
    await episodes_of(database, words).apply_retention(user_id)
    assert await store.waiting(user_id, words.model, EPISODE_BATCH) == {}


async def test_beyond_the_cap_the_least_valuable_go_first(database: Database, user_id: str) -> None:
    capped = episodes_of(database, cap=3)
    for score in (0.65, 0.0, 1.0, 0.5, 0.1):
        await ended(capped, user_id, f"A task that came to {score}", score)
    kept = {each.outcome_score for each in await capped.browse(user_id)}
    assert kept == {0.65, 0.5, 1.0}


async def test_what_is_worth_less_than_the_threshold_is_not_kept(
    database: Database, user_id: str
) -> None:
    strict = episodes_of(database, threshold=0.7)
    for score in (0.2, 0.65, 1.0):
        await ended(strict, user_id, f"A task that came to {score}", score)
    assert await tasks(strict, user_id) == ["A task that came to 0.65"]


async def test_of_the_open_ones_the_newest_stay_and_none_forever(
    episodes: EpisodeService, user_id: str
) -> None:
    for number in range(MAX_OPEN_EPISODES + 2):
        await episodes.start(user_id, NewEpisode(task=f"Task {number}"), USER)
    assert await tasks(episodes, user_id) == [
        f"Task {n}" for n in range(MAX_OPEN_EPISODES + 1, 1, -1)
    ]
    await ended(episodes, user_id, "A task that ended")
    now = datetime.now(UTC)
    assert await episodes.apply_retention(user_id, now + ABANDONED_AFTER - timedelta(hours=1)) == 0
    assert await episodes.apply_retention(user_id, now + ABANDONED_AFTER + timedelta(hours=1)) > 0
    assert await tasks(episodes, user_id) == ["A task that ended"]
