"""The messages of a conversation, with what each rested on read anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ValidationError

from app.chats.shapes import Scores, Used, Why
from memory.models import KeptItem, MessageStatus, Role
from memory.service import Memory
from memory.store.conversation_listing import ShownMessage


class QuotedMessage(BaseModel):
    """A past message that a reply rests on."""

    id: UUID


class ToldMessage(BaseModel):
    """One side of a turn. `memories` are what a reply could rest on, in the words that they have
    now; one that was forgotten since is `gone`. The text of what was withheld is empty."""

    id: UUID
    turn_id: UUID
    role: Role
    text: str
    status: MessageStatus
    created_at: datetime
    memories: list[Used] = []
    quoted: list[QuotedMessage] = []


async def told_by(memory: Memory, user_id: str, shown: Sequence[ShownMessage]) -> list[ToldMessage]:
    """Raises DatabaseUnavailable."""
    known = await memory.entries.read_several(user_id, _item_ids(shown))
    return [_told(each, known) for each in shown]


async def used_by(memory: Memory, user_id: str, shown: Sequence[ShownMessage]) -> list[Used]:
    """What all of them rested on. Raises DatabaseUnavailable."""
    return [used for each in await told_by(memory, user_id, shown) for used in each.memories]


def _told(shown: ShownMessage, known: Mapping[UUID, KeptItem]) -> ToldMessage:
    message = shown.message
    items = [each for each in shown.recalled if "item_id" in each]
    return ToldMessage(
        id=message.id,
        turn_id=message.correlation_id,
        role=message.role,
        text="" if message.status == "withheld" else message.content,
        status=message.status,
        created_at=message.created_at,
        memories=[_used(each, known.get(UUID(each["item_id"]))) for each in items],
        quoted=[
            QuotedMessage(id=UUID(each["message_id"]))
            for each in shown.recalled
            if "message_id" in each
        ],
    )


def _used(rested: Mapping[str, Any], item: KeptItem | None) -> Used:
    source = None if item is None else item.source_message_id
    return Used(
        id=UUID(rested["item_id"]),
        text=None if item is None else item.content,
        type=None if item is None else item.type,
        bank=None if item is None else item.bank,
        relevance=rested["relevance"],
        created_at=None if item is None else item.created_at,
        source=None if source is None else f"message:{source}",
        superseded=item is not None and item.superseded_by is not None,
        gone=item is None,
        why=_why(rested),
    )


def _why(rested: Mapping[str, Any]) -> Why | None:
    """None where an older version stored no scores."""
    ranks = rested.get("ranks", {})
    try:
        scores = Scores.model_validate(rested.get("scores"))
    except ValidationError:
        return None
    return Why(scores=scores, keyword_rank=ranks.get("keyword"), vector_rank=ranks.get("vector"))


def _item_ids(shown: Sequence[ShownMessage]) -> list[UUID]:
    return [
        UUID(rested["item_id"]) for each in shown for rested in each.recalled if "item_id" in rested
    ]
