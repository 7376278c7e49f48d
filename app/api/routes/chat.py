"""`/v1/chat`: a message is answered as a stream of events, which can be gone on with later."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta, timezone
from typing import Annotated
from uuid import UUID, uuid4

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field

from app.api.dependencies import (
    ApiServices,
    AuditContext,
    AuthenticatedRoute,
    CurrentUser,
    RateLimitedUser,
    Services,
)
from app.api.idempotency import IdempotencyKey, Idempotent
from app.api.openapi import BODY_ERRORS, problem_responses, stream_response
from app.api.routes.conversations import cited_memories, redact_forgotten
from app.api.streaming import ChatTurn, RequestKey, TurnRequest, replay_turn
from app.schemas.fields import QuestionText, SpaceName
from memory.errors import InvalidInput, TurnNotFound
from memory.types import Origin, Privacy

TURN_HEADER = "Keepsake-Turn"
TurnId = Annotated[UUID, Path(description="The id of a turn, as `Keepsake-Turn` named it.")]
EventNumber = Annotated[int, Field(ge=0, le=2**31)]
LastEventId = Annotated[
    EventNumber | None,
    Header(alias="Last-Event-ID", description="The `id` of the last event that arrived."),
]
_PRIVACY_IS_FIXED = "privacy is chosen when a conversation begins; this one is {privacy}"
_SPACE_IS_FIXED = "this conversation is in the space “{space}”; leave `space` out"


class ChatRequest(BaseModel):
    """What is said. Without a `conversation_id` a conversation begins, in `space` and as private as
    `privacy` says; both are left out of one that goes on.

    `instead_of` names the last turn of the conversation: it is taken back with what was learned
    from it alone, and this message answered in its place. With the same text that is “retry”,
    and what was learned stays.

    `utc_offset_minutes` says where the user is, in minutes east of UTC: “yesterday” is a day there.
    Without it, it is one where the server is.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"message": "Which package manager should I use?"}]},
    )

    message: QuestionText
    conversation_id: UUID | None = None
    space: SpaceName | None = None
    privacy: Privacy | None = None
    instead_of: UUID | None = None
    utc_offset_minutes: Annotated[int, Field(ge=-720, le=840)] | None = None

    @property
    def zone(self) -> timezone | None:
        minutes = self.utc_offset_minutes
        return None if minutes is None else timezone(timedelta(minutes=minutes))


class Subscription:
    """One request's place among the listeners of a turn, from `take` until it is answered or its
    client has gone."""

    def __init__(self) -> None:
        self._leave: Callable[[], None] | None = None

    def take(self, turn: ChatTurn) -> None:
        self._leave = turn.subscribe()

    def leave(self) -> None:
        if self._leave is not None:
            self._leave()


async def _subscription() -> AsyncIterator[Subscription]:
    seat = Subscription()
    try:
        yield seat
    finally:
        seat.leave()


Subscribed = Annotated[Subscription, Depends(_subscription)]


async def _start_turn(
    *,
    message: ChatRequest,
    request: Request,
    response: Response,
    asking: RateLimitedUser,
    parts: Services,
    origin: AuditContext,
    once: Idempotent,
    seat: Subscribed,
    key: IdempotencyKey = None,
) -> ChatTurn:
    """The turn once its message is stored, so that what goes wrong before is no stream."""
    if once.done is not None:
        turn = await _find_or_replay(parts, asking.user_id, once.done.ids["turn"][0])
    else:
        keyed = None if key is None else RequestKey(key, message.model_dump_json())
        earlier = None if keyed is None else parts.chats.earlier(asking.user_id, keyed)
        request.state.replayed = earlier is not None
        turn = earlier or await _begin_answer(message, parts, asking.user_id, origin, keyed)
    seat.take(turn)
    await turn.opened()
    response.headers[TURN_HEADER] = str(turn.id)
    if turn.privacy == "normal":
        await once.finish(200, ids={"turn": [turn.id]})
    return turn


StartedTurn = Annotated[ChatTurn, Depends(_start_turn, scope="function")]


async def _begin_answer(
    message: ChatRequest, parts: ApiServices, user_id: str, origin: Origin, keyed: RequestKey | None
) -> ChatTurn:
    """Raises ConversationNotFound, and InvalidInput where a conversation that goes on is asked to
    be another one."""
    conversation_id, space = message.conversation_id, message.space
    if conversation_id is None:
        conversation_id, space = uuid4(), space or parts.settings.keepsake_space
        if message.privacy is not None:
            parts.assistant.begin(user_id, conversation_id, space, message.privacy)
    else:
        talk = await parts.assistant.talks.find(user_id, conversation_id)
        if message.privacy not in (None, talk.privacy):
            raise InvalidInput(
                reason=_PRIVACY_IS_FIXED.format(privacy=talk.privacy.replace("_", " "))
            )
        if space not in (None, talk.conversation.space):
            raise InvalidInput(reason=_SPACE_IS_FIXED.format(space=talk.conversation.space))
        space = talk.conversation.space
        parts.assistant.begin(user_id, conversation_id, space, talk.privacy)
    turn_id, instead_of = origin.correlation_id, message.instead_of
    assert turn_id is not None
    return parts.chats.begin(
        TurnRequest(
            user_id,
            conversation_id,
            space,
            message.message,
            turn_id,
            instead_of,
            keyed,
            message.zone,
        )
    )


async def _find_or_replay(parts: ApiServices, user_id: str, turn_id: UUID) -> ChatTurn:
    """Raises TurnNotFound."""
    try:
        return parts.chats.find(user_id, turn_id)
    except TurnNotFound:
        stored = await parts.memory.conversations.of_turn(user_id, turn_id)
        said = await redact_forgotten(parts.memory, user_id, stored)
        memories = await cited_memories(parts.memory, user_id, said)
        return replay_turn(user_id, turn_id, said, memories)


@dataclass(frozen=True)
class FollowRequest:
    turn: ChatTurn
    after: int


async def _follow_turn(
    *,
    turn_id: TurnId,
    response: Response,
    asking: CurrentUser,
    parts: Services,
    seat: Subscribed,
    last_event_id: LastEventId = None,
    after: Annotated[EventNumber, Query(description="As Last-Event-ID, which goes before it.")] = 0,
) -> FollowRequest:
    turn = parts.chats.find(asking.user_id, turn_id)
    seat.take(turn)
    response.headers[TURN_HEADER] = str(turn.id)
    return FollowRequest(turn, after if last_event_id is None else last_event_id)


FollowedTurn = Annotated[FollowRequest, Depends(_follow_turn)]


router = APIRouter(prefix="/v1/chat", tags=["chat"], route_class=AuthenticatedRoute)
RETRY_MILLISECONDS = 1000


class TurnStopped(BaseModel):
    """The reply ends here, and is stored as far as it went."""

    turn_id: UUID


@router.post(
    "",
    response_class=EventSourceResponse,
    responses=problem_responses(404, 409, *BODY_ERRORS) | stream_response(),
    operation_id="chat",
)
async def chat(turn: StartedTurn) -> AsyncIterator[ServerSentEvent]:
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
    responses=problem_responses(404) | stream_response(),
    operation_id="follow_chat",
)
async def follow(followed: FollowedTurn) -> AsyncIterator[ServerSentEvent]:
    """Go on with the events of a turn, after the last one that arrived.

    They are kept for a minute after the end; later the messages of the conversation hold what was
    said.
    """
    async for each in _sent(followed.turn, followed.after):
        yield each


@router.post(
    "/{turn_id}/stop", status_code=202, responses=problem_responses(404), operation_id="stop_chat"
)
async def stop(turn_id: TurnId, asking: CurrentUser, parts: Services) -> TurnStopped:
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
