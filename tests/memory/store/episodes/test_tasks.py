from __future__ import annotations

import pytest

from memory.actions.episodes import EpisodeService
from memory.store.database import Database
from memory.store.episodes import VECTOR_WEIGHT, EpisodeTaskIndex, TaskQuery, reword_episodes
from memory.types import NewEpisode
from tests.memory.controls.episodic import USER, ended, episodes_of
from tests.memory.fakes import BrokenEmbedder, WordEmbedder, vector_of

MODEL = WordEmbedder.model


@pytest.fixture
def episodes(database: Database) -> EpisodeService:
    return episodes_of(database)


@pytest.fixture
def tasks(database: Database) -> EpisodeTaskIndex:
    return EpisodeTaskIndex(database)


def like(task: str, *, meaning: str | None = None, model: str = MODEL) -> TaskQuery:
    return TaskQuery("default", task, vector_of(meaning or task), model)


async def found(tasks: EpisodeTaskIndex, user_id: str, asked: TaskQuery) -> dict[str, float]:
    near = await tasks.near(user_id, asked, 0.0, 10)
    return {each.task: round(each.likeness, 2) for each in near}


async def test_meaning_and_words_count_as_much_as_they_should(
    episodes: EpisodeService, tasks: EpisodeTaskIndex, user_id: str
) -> None:
    await ended(episodes, user_id, "deploy shop")
    same, other = "deploy shop", "write a quarterly report"
    assert await found(tasks, user_id, like(same)) == {same: 1.0}
    assert await found(tasks, user_id, like(other, meaning=same)) == {same: VECTOR_WEIGHT}
    half = like("deploy the report", meaning=same)
    assert await found(tasks, user_id, half) == {
        same: round(VECTOR_WEIGHT + (1 - VECTOR_WEIGHT) / 2, 2)
    }


async def test_what_is_meant_otherwise_is_not_below_its_words(
    episodes: EpisodeService, tasks: EpisodeTaskIndex, user_id: str
) -> None:
    await ended(episodes, user_id, "deploy shop")
    opposed = TaskQuery("default", "deploy shop", -vector_of("deploy shop"), MODEL)
    assert await found(tasks, user_id, opposed) == {"deploy shop": round(1 - VECTOR_WEIGHT, 2)}


async def test_without_a_vector_of_the_same_model_the_words_alone_decide(
    episodes: EpisodeService, database: Database, tasks: EpisodeTaskIndex, user_id: str
) -> None:
    await ended(episodes, user_id, "deploy shop")
    await ended(episodes_of(database, BrokenEmbedder()), user_id, "deploy shop there")
    every = {"deploy shop": 0.5, "deploy shop there": 0.5}
    asked = like("deploy report", meaning="deploy shop", model="another")
    assert await found(tasks, user_id, asked) == every
    bare = TaskQuery("default", "deploy report", None, MODEL)
    assert await found(tasks, user_id, bare) == every


async def test_only_the_most_alike_are_read(
    episodes: EpisodeService, tasks: EpisodeTaskIndex, user_id: str
) -> None:
    for where in ("staging", "production", "testing"):
        await ended(episodes, user_id, f"deploy shop {where}")
    near = await tasks.near(user_id, like("deploy shop testing"), 0.0, 2)
    assert near[0].task == "deploy shop testing"
    assert len(near) == 2
    assert await tasks.near(user_id, like("deploy shop testing"), 0.99, 9) == near[:1]


async def test_no_vector_is_kept_of_words_that_were_taken_out_meanwhile(
    database: Database, tasks: EpisodeTaskIndex, user_id: str
) -> None:
    begun = await episodes_of(database, BrokenEmbedder()).start(
        user_id, NewEpisode(task="Visit Maria in Oslo"), USER
    )
    waiting = await tasks.waiting(user_id, MODEL, 10)
    async with database.as_user(user_id) as connection:
        reworded = begun.model_copy(update={"task": "[forgotten]"})
        await reword_episodes(connection, user_id, [reworded])
    vectors = [vector_of(task) for task in waiting.values()]
    assert await tasks.fill(user_id, waiting, vectors, MODEL) == 0
    left = await tasks.waiting(user_id, MODEL, 10)
    assert left == {begun.id: "[forgotten]"}
    assert await tasks.fill(user_id, left, vectors, MODEL) == 1


async def test_a_vector_of_another_model_is_made_anew(
    episodes: EpisodeService, tasks: EpisodeTaskIndex, user_id: str
) -> None:
    """That of a program which had not noticed yet that there is another."""
    await ended(episodes, user_id, "deploy shop")
    assert await tasks.waiting(user_id, MODEL, 10) == {}
    waiting = await tasks.waiting(user_id, "another", 10)
    assert list(waiting.values()) == ["deploy shop"]
    assert await tasks.fill(user_id, waiting, [vector_of("deploy shop")], "another") == 1
    assert await tasks.waiting(user_id, "another", 10) == {}
