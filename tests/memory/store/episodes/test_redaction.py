from __future__ import annotations

import json

import pytest

from memory.actions.episodes import EpisodeService
from memory.store.database import Database
from memory.store.episodes import EPISODES_PER_QUERY, MAX_INDEXED_BYTES, find_episodes_about
from memory.types import NewEpisode, NewEpisodeAction
from tests.memory.controls.episodic import USER, episodes_of


@pytest.fixture
def episodes(database: Database) -> EpisodeService:
    return episodes_of(database)


async def about(database: Database, user_id: str, *words: str) -> list[str]:
    """The tasks of the episodes that may tell of them."""
    async with database.as_user(user_id) as connection:
        return [each.task for each in await find_episodes_about(connection, user_id, words)]


async def stored(database: Database, user_id: str, *results: str) -> None:
    """An episode with these results of its actions, however long."""
    done = {"type": "look", "input": "", "succeeded": True, "at": "2026-05-01T09:00:00Z"}
    actions = json.dumps([done | {"result": result} for result in results])
    async with database.as_user(user_id) as connection:
        change = "INSERT INTO episodes (user_id, task, actions) VALUES ($1, 'Long', $2)"
        await connection.execute(change, user_id, actions)


def other_words(first: int, count: int) -> str:
    return " ".join(f"w{number}" for number in range(first, first + count))


async def test_a_word_is_found_wherever_it_stands(
    episodes: EpisodeService, database: Database, user_id: str
) -> None:
    """At the beginning of a line too."""
    begun = await episodes.start(user_id, NewEpisode(task="Go", plan=("see Rome",)), USER)
    done = NewEpisodeAction(type="fly", input="from Paris", result="It went\nOslo\n\tBergen")
    await episodes.record(user_id, begun.id, done)
    for word in ("go", "Rome", "flying", "Paris", "Oslo", "Bergen"):
        assert await about(database, user_id, word, "Nairobi") == ["Go"], word
    assert await about(database, user_id, "Nairobi") == []
    assert await about(database, f"{user_id}-other", "Oslo") == []


async def test_more_words_than_a_tsvector_holds_stand_in_nobodys_way(
    episodes: EpisodeService, database: Database, user_id: str
) -> None:
    await stored(database, user_id, *(other_words(n * 300, 300) for n in range(400)))
    await episodes.start(user_id, NewEpisode(task="Fly to Oslo"), USER)
    assert await about(database, user_id, "Oslo") == ["Fly to Oslo"]
    assert await about(database, user_id, "w777") == ["Long"]


async def test_a_text_that_is_too_long_to_be_read_may_tell_of_everything(
    database: Database, user_id: str
) -> None:
    await stored(database, user_id, other_words(0, 200_000))
    assert await about(database, user_id, "Oslo") == ["Long"]


async def test_the_longest_text_that_is_read_has_room_in_a_tsvector(
    database: Database, user_id: str
) -> None:
    """Joined words are there as a whole and each by itself."""
    joined = " ".join(f"{n:x}x-{n:x}y" for n in range(30_000))
    await stored(database, user_id, joined[: MAX_INDEXED_BYTES - 10])
    assert await about(database, user_id, "Oslo") == []


async def test_all_of_many_are_looked_through(database: Database, user_id: str) -> None:
    for _ in range(EPISODES_PER_QUERY + 1):
        await stored(database, user_id, "Oslo")
    assert len(await about(database, user_id, "Oslo")) == EPISODES_PER_QUERY + 1
