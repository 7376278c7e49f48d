"""What a turn tells whoever shows it, in the order in which it happens."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memory.models import KeptItem, MessageStatus, Privacy
from memory.recalls import LeftOut, MemoryItem, RecalledMessage


@dataclass(frozen=True)
class TurnOpened:
    """The user's message is stored; the model has not been asked yet."""

    correlation_id: UUID
    privacy: Privacy = "normal"


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
    and did not use, the most relevant first, and `min_relevance` what it had to reach; `forgotten`
    is what the user had forgotten, which must go from wherever its words are shown, as must the
    sentences of what was only said, `unsaid`, and `erased` says that it was everything; `privacy`
    is the conversation's from here on; `notices` are sentences for the user.
    """

    status: MessageStatus
    memories: tuple[MemoryItem, ...] = ()
    messages: tuple[RecalledMessage, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    min_relevance: float = 0.0
    kept: tuple[KeptItem, ...] = ()
    forgotten: tuple[KeptItem, ...] = ()
    unsaid: tuple[str, ...] = ()
    erased: bool = False
    privacy: Privacy = "normal"
    notices: tuple[str, ...] = ()
    saved: bool = True


TurnEvent = TurnOpened | TextDelta | ToolCalled | TurnClosed
