"""What a turn tells whoever shows it, in the order in which it happens, and how it is ended
early."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from agent.conversations.state import Question
from memory.types import LeftOut, MemoryItem, MessageStatus, Privacy, RecalledMessage, StoredMemory


@dataclass(frozen=True)
class TurnOpened:
    """The user's message is stored, where the turn `is_kept`; the model has not been asked yet."""

    correlation_id: UUID
    privacy: Privacy = "normal"
    is_kept: bool = True


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class ToolCalled:
    name: str


@dataclass(frozen=True)
class TurnClosed:
    """The reply is stored as `status` says, or waits to be stored where `saved` is False.

    `memories` and `messages` are what the reply could rest on; `left_out` is what the recalls found
    and did not use, the most relevant first, and `min_relevance` what it had to reach; `changed` is
    what those of the `kept` said before that were corrected; `forgotten` is what the user had
    forgotten, which must go from wherever its words are shown, as must the sentences of what was
    only said, `unsaid`, and `erased` says that it was everything; `privacy` is the conversation's
    from here on; `notices` are sentences for the user.

    `question` is what Keepsake itself asks, which is shown after the reply, word for word, and told
    by `Assistant.note_shown` to have been; `question_in_reply` says that the reply has its words.
    """

    status: MessageStatus
    memories: tuple[MemoryItem, ...] = ()
    messages: tuple[RecalledMessage, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    min_relevance: float = 0.0
    kept: tuple[StoredMemory, ...] = ()
    changed: Mapping[UUID, str] = field(default_factory=dict)
    forgotten: tuple[StoredMemory, ...] = ()
    unsaid: tuple[str, ...] = ()
    erased: bool = False
    privacy: Privacy = "normal"
    notices: tuple[str, ...] = ()
    saved: bool = True
    question: Question | None = None
    question_in_reply: bool = False


TurnEvent = TurnOpened | TextDelta | ToolCalled | TurnClosed


class StopSignal:
    """Of one turn. Its reply is then stored as far as it went, and the turn closes as it would by
    itself; a cancelled listener, on the other hand, is told nothing any more."""

    def __init__(self) -> None:
        self.wanted = False
        self._scope: asyncio.Timeout | None = None

    def stop(self) -> None:
        """Ends the reply; without effect where it has ended."""
        if not self.wanted and self._scope is not None:
            self._scope.reschedule(asyncio.get_running_loop().time())
        self.wanted = True

    @asynccontextmanager
    async def cancel_scope(self) -> AsyncIterator[None]:
        """What a stop leaves early, also one that was wanted before it began. A cancellation by
        anybody else goes through."""
        scope = self._scope = asyncio.timeout(0 if self.wanted else None)
        try:
            async with scope:
                yield
        except TimeoutError:
            if not scope.expired():
                raise
        finally:
            self._scope = None
