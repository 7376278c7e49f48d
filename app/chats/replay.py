"""A turn whose events are gone, told again from its messages."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from app.chats.events import DoneEvent, TextEvent, TurnEvent
from app.chats.shapes import Used
from app.chats.turn import Asked, ChatTurn
from memory.errors import TurnNotFound
from memory.store.conversations.listing import ShownMessage


def replay(
    user_id: str, turn_id: UUID, said: Sequence[ShownMessage], memories: Sequence[Used]
) -> ChatTurn:
    """The reply as one piece of text, and its end; what a turn did to memory is not told twice.
    Raises TurnNotFound where nothing of it is left."""
    if not said:
        raise TurnNotFound
    first = said[0].message
    reply = next((each.message for each in said if each.message.role == "assistant"), None)
    asked = Asked(user_id, first.conversation_id, "", "", turn_id)
    turn = ChatTurn(asked, resume_seconds=0.0)
    turn.tell(
        "turn",
        TurnEvent(turn_id=turn_id, conversation_id=first.conversation_id, privacy="normal"),
    )
    status = "interrupted" if reply is None else reply.status
    if reply is not None and status != "withheld":
        turn.tell("text", TextEvent(text=reply.content))
    turn.tell(
        "done",
        DoneEvent(
            status=status, saved=reply is not None, privacy="normal", memories=list(memories)
        ),
    )
    turn.end()
    return turn
