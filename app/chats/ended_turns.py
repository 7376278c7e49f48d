"""Which of the turns that have ended can still be listened to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from app.chats.turn import ChatTurn

KEPT_SECONDS = 60.0
MOST_KEPT = 500
MOST_BYTES = 64 * 1024**2


@dataclass(frozen=True)
class _Kept:
    size: int
    timer: asyncio.TimerHandle


class KeptTurns:
    """Each for KEPT_SECONDS, the last MOST_KEPT of them at most, and of those as many as take no
    more than `most_bytes`, but always the last one. `forget` is called with what goes."""

    def __init__(self, forget: Callable[[UUID], None], *, most_bytes: int = MOST_BYTES) -> None:
        self._forget = forget
        self._most_bytes = most_bytes
        self._kept: dict[UUID, _Kept] = {}

    def keep(self, turn: ChatTurn) -> None:
        loop = asyncio.get_running_loop()
        self._kept[turn.id] = _Kept(turn.size, loop.call_later(KEPT_SECONDS, self.drop, turn.id))
        while self._are_too_many():
            self.drop(next(iter(self._kept)))

    def drop(self, turn_id: UUID) -> None:
        """Also one that is not kept."""
        kept = self._kept.pop(turn_id, None)
        if kept is not None:
            kept.timer.cancel()
        self._forget(turn_id)

    def clear(self) -> None:
        for turn_id in list(self._kept):
            self.drop(turn_id)

    def _are_too_many(self) -> bool:
        taken = sum(each.size for each in self._kept.values())
        return len(self._kept) > MOST_KEPT or (len(self._kept) > 1 and taken > self._most_bytes)
