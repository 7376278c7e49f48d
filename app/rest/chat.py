"""`/v1/chat`: a message is answered as a stream of events, which can be gone on with later."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID

from fastapi import APIRouter
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel

from app.chats.turn import ChatTurn
from app.rest.answers import WITH_BODY, problems
from app.rest.depends import Asking, Parts
from app.rest.following import Begun, Followed, TurnId
from app.rest.identified import IdentifiedRoute
from app.rest.stream_description import stream_of

router = APIRouter(prefix="/v1/chat", tags=["chat"], route_class=IdentifiedRoute)
RETRY_MILLISECONDS = 1000


class TurnStopped(BaseModel):
    """The reply ends here, and is stored as far as it went."""

    turn_id: UUID


@router.post(
    "",
    response_class=EventSourceResponse,
    responses=problems(404, 409, *WITH_BODY) | stream_of(),
    operation_id="chat",
)
async def chat(turn: Begun) -> AsyncIterator[ServerSentEvent]:
    """Say something, and follow the answer.

    The turn is the server's: where the connection breaks off, `GET /v1/chat/{turn_id}/events` goes
    on with it, and when nobody has come back for a while it is stopped. What goes wrong before
    the message is stored is an ordinary problem; afterwards it is an `error` event.
    """
    async for each in _sent(turn, 0):
        yield each


@router.get(
    "/{turn_id}/events",
    response_class=EventSourceResponse,
    responses=problems(404) | stream_of(),
    operation_id="follow_chat",
)
async def follow(followed: Followed) -> AsyncIterator[ServerSentEvent]:
    """Go on with the events of a turn, after the last one that arrived.

    They are kept for a minute after the end; later the messages of the conversation hold what was
    said.
    """
    async for each in _sent(followed.turn, followed.after):
        yield each


@router.post("/{turn_id}/stop", status_code=202, responses=problems(404), operation_id="stop_chat")
async def stop(turn_id: TurnId, asking: Asking, parts: Parts) -> TurnStopped:
    """Stop an answer.

    Its stream then ends by itself, with what was said so far; one that has ended stays as it is.
    """
    turn = parts.chats.find(asking.user_id, turn_id)
    turn.stop()
    return TurnStopped(turn_id=turn.id)


async def _sent(turn: ChatTurn, after: int) -> AsyncIterator[ServerSentEvent]:
    retry: int | None = RETRY_MILLISECONDS
    async for told in turn.follow(after):
        yield ServerSentEvent(raw_data=told.data, event=told.name, id=str(told.number), retry=retry)
        retry = None
