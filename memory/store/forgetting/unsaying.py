"""Taking what was said out of messages, titles and episodes, within a caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.database import Connection
from memory.episode import Episode
from memory.models import Origin
from memory.store.audit import record
from memory.store.episodes.redaction import reword_episodes
from memory.store.forgetting.parts import Part
from memory.store.queries import load_queries

_SQL = load_queries("forgetting/unsaying")


@dataclass(frozen=True)
class Unsaying:
    """New words of messages and titles by id, the messages to take away, and episodes in their new
    words. `history` is what the user chose for the messages, and `conversations` are those that
    hold one."""

    reworded: Mapping[UUID, str]
    taken: tuple[UUID, ...]
    titles: Mapping[UUID, str | None]
    history: str
    episodes: tuple[Episode, ...] = ()
    conversations: frozenset[UUID] = frozenset()

    @property
    def counts(self) -> dict[str, int]:
        """As a tombstone counts what was removed."""
        counted = {
            "messages_redacted": len(self.reworded),
            "messages_deleted": len(self.taken),
            "titles_redacted": len(self.titles),
            "episodes_redacted": len(self.episodes),
        }
        return {name: count for name, count in counted.items() if count}


@dataclass(frozen=True)
class Besides:
    """What a forgetting does besides removing memories: what was said about them goes, and the turn
    that named them in order to forget them; of `parts` of them the rest is kept."""

    said: Unsaying | None = None
    asked_in: UUID | None = None
    parts: tuple[Part, ...] = ()

    @property
    def messages(self) -> int:
        return 0 if self.said is None else len(self.said.reworded) + len(self.said.taken)


NOTHING_BESIDES = Besides()


async def remove_besides(
    connection: Connection,
    user_id: str,
    besides: Besides,
    origin: Origin,
    items: Sequence[UUID] = (),
) -> None:
    """Removes it for good, under the user's lock; `items` are the memories forgotten with it.
    Both sides of the turn are “[forgotten]” from now on, its vectors are gone."""
    if besides.said is not None:
        await _unsay(connection, user_id, besides.said, origin, items)
    if besides.asked_in is not None:
        await connection.execute(_SQL["blank_turn"], user_id, besides.asked_in)


async def _unsay(
    connection: Connection,
    user_id: str,
    unsaying: Unsaying,
    origin: Origin,
    items: Sequence[UUID],
) -> None:
    """With vectors and search rows; how much it was is noted in the audit log, and on the
    tombstones of the memories."""
    counts = unsaying.counts
    reworded = [(user_id, *pair) for pair in unsaying.reworded.items()]
    await connection.executemany(_SQL["reword"], reworded)
    await connection.execute(_SQL["take_away"], user_id, list(unsaying.taken))
    retitled = [(user_id, *pair) for pair in unsaying.titles.items()]
    await connection.executemany(_SQL["retitle"], retitled)
    await reword_episodes(connection, user_id, unsaying.episodes)
    await connection.execute(_SQL["count_on_tombstones"], user_id, list(items), json.dumps(counts))
    history = unsaying.history
    await record(connection, user_id, "said_forgotten", origin, history=history, removed=counts)
