"""The messages of a conversation, with what each rested on read anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ValidationError

from app.chats.shapes import Scores, Used, WhyUsed
from memory.models import KeptItem, MessageStatus, Role
from memory.service import Memory
from memory.store.conversations.listing import ShownMessage
from memory.upkeep.redaction import MARK


class QuotedMessage(BaseModel):
    """A past message that a reply rests on, in the words that it has now. Where it was deleted
    since, `gone` is true and nothing but the id is left."""

    id: UUID
    conversation_id: UUID | None = None
    role: Role | None = None
    text: str | None = None
    created_at: datetime | None = None
    relevance: float
    gone: bool = False


class ToldMessage(BaseModel):
    """One side of a turn. `memories` are what a reply could rest on, in the words that they have
    now; one that was forgotten since is `gone`, and the sentences about it are “[forgotten]” in the
    text. The text of what was withheld is empty."""

    id: UUID
    turn_id: UUID
    role: Role
    text: str
    status: MessageStatus
    created_at: datetime
    memories: list[Used] = []
    quoted: list[QuotedMessage] = []


async def without_forgotten(
    memory: Memory, user_id: str, shown: Sequence[ShownMessage]
) -> list[ShownMessage]:
    """The messages as they will be once what was forgotten is erased: its words, which wait for an
    undo, are shown no more. Raises DatabaseUnavailable."""
    removal = await memory.forgetting.foreseen(user_id, [each.message.id for each in shown])
    left = dict.fromkeys(removal.taken, MARK) | dict(removal.reworded)
    return [
        replace(each, message=each.message.model_copy(update={"content": left[each.message.id]}))
        if each.message.id in left
        else each
        for each in shown
    ]


async def told_by(memory: Memory, user_id: str, shown: Sequence[ShownMessage]) -> list[ToldMessage]:
    """Raises DatabaseUnavailable."""
    known = await memory.entries.read_several(user_id, _ids(shown, "item_id"))
    readable = await without_forgotten(memory, user_id, shown)
    past = await memory.conversations.read_several(user_id, _ids(shown, "message_id"))
    quoted = {each.message.id: each for each in await without_forgotten(memory, user_id, past)}
    return [_told(each, known, quoted) for each in readable]


async def used_by(memory: Memory, user_id: str, shown: Sequence[ShownMessage]) -> list[Used]:
    """What all of them rested on. Raises DatabaseUnavailable."""
    return [used for each in await told_by(memory, user_id, shown) for used in each.memories]


def _told(
    shown: ShownMessage, known: Mapping[UUID, KeptItem], quoted: Mapping[UUID, ShownMessage]
) -> ToldMessage:
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
            _quoted(each, quoted.get(UUID(each["message_id"])))
            for each in shown.recalled
            if "message_id" in each
        ],
    )


def _quoted(rested: Mapping[str, Any], past: ShownMessage | None) -> QuotedMessage:
    told = QuotedMessage(id=UUID(rested["message_id"]), relevance=rested["relevance"])
    if past is None or past.message.status == "withheld":
        return told.model_copy(update={"gone": True})
    message = past.message
    shown = {
        "conversation_id": message.conversation_id,
        "role": message.role,
        "text": message.content,
        "created_at": message.created_at,
    }
    return told.model_copy(update=shown)


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


def _why(rested: Mapping[str, Any]) -> WhyUsed | None:
    """None where an older version stored no scores."""
    ranks = rested.get("ranks", {})
    try:
        scores = Scores.model_validate(rested.get("scores"))
    except ValidationError:
        return None
    return WhyUsed(
        scores=scores, keyword_rank=ranks.get("keyword"), vector_rank=ranks.get("vector")
    )


def _ids(shown: Sequence[ShownMessage], name: str) -> list[UUID]:
    return [UUID(rested[name]) for each in shown for rested in each.recalled if name in rested]
