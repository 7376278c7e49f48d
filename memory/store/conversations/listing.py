"""Which conversations are listed, and pages of them and of their messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from memory.models import DEFAULT_SPACE, Conversation, Frozen, Message
from memory.store.memories.listing import MAX_LISTED, Place


class ConversationFilter(Frozen):
    """Which conversations are listed. `text` is a part of their titles, or words of what was said
    in them as a search engine takes them, of which the last may be unfinished from its third letter
    on; `after` is where the page before ended, by the moment of the last message."""

    space: str = DEFAULT_SPACE
    text: str | None = None
    after: Place | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 50

    @property
    def arguments(self) -> tuple[object, ...]:
        """The values in the order of the query's places, with one row more than is asked for."""
        after = self.after
        return (
            self.space,
            self.text,
            None if after is None else after.created_at,
            None if after is None else after.id,
            self.limit + 1,
        )


@dataclass(frozen=True)
class ConversationPage:
    """Some conversations, and where the next page begins; None where there is none."""

    conversations: tuple[Conversation, ...]
    next: Place | None


@dataclass(frozen=True)
class ShownMessage:
    """A message with what it rested on: ids and figures, as they were stored."""

    message: Message
    recalled: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class MessagePage:
    """Some messages, the oldest first; `before` is the position that the next page ends before,
    None where there is none."""

    messages: tuple[ShownMessage, ...]
    before: int | None


def page_of(newest: list[ShownMessage], limit: int) -> MessagePage:
    """Of messages with the newest first, and one more than `limit` where there are more."""
    shown = newest[:limit]
    before = shown[-1].message.position if len(newest) > limit else None
    return MessagePage(tuple(reversed(shown)), before)
