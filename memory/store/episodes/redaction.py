"""Episodes of which something has to be taken out, within the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memory.database import Connection
from memory.episode import Episode
from memory.store.episodes.episodes import COLUMNS, episode_of
from memory.store.queries import load_queries

# So many episodes are looked through in one statement, which has a time limit; of 200 kB each it
# takes about 2 s.
AT_ONCE = 50
# A tsvector holds 1 MB; a text may take several times its own length there, in bytes.
READABLE = 200_000
_SQL = {
    name: sql.replace("{columns}", COLUMNS)
    for name, sql in load_queries("episodes/redaction").items()
}


async def episodes_about(
    connection: Connection, user_id: str, words: Sequence[str]
) -> tuple[Episode, ...]:
    """Those that may tell of what these sentences say, the oldest first."""
    ids = [row["id"] for row in await connection.fetch(_SQL["ids"], user_id)]
    found: list[Episode] = []
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        rows = await connection.fetch(_SQL["about"], user_id, some, list(words), READABLE)
        found += [episode_of(row) for row in rows]
    return tuple(found)


async def episodes_of(connection: Connection, user_id: str, space: str) -> list[Episode]:
    rows = await connection.fetch(_SQL["of_space"], user_id, space)
    return [episode_of(row) for row in rows]


async def reword_episodes(
    connection: Connection, user_id: str, episodes: Sequence[Episode]
) -> None:
    """Puts other words in the place of those that are stored."""
    told = [
        (
            user_id,
            each.id,
            each.task,
            json.dumps(each.plan),
            json.dumps([action.model_dump(mode="json") for action in each.actions]),
            list(each.lessons_learned),
            list(each.failure_modes),
        )
        for each in episodes
    ]
    await connection.executemany(_SQL["reword"], told)
