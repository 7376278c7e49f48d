"""A message to be answered, and the turn that answers it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID, uuid4

from fastapi import Depends, Header, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.chats.replay import replay
from app.chats.turn import Asked, ChatTurn, Keyed
from app.rest import fields
from app.rest.depends import Asking, Chatting, Parts, Written
from app.rest.told_messages import used_by, without_forgotten
from app.server.idempotency import Key, Once
from app.server.served import Served
from memory.errors import InvalidInput, TurnNotFound
from memory.models import Origin, Privacy

TURN_HEADER = "Keepsake-Turn"
TurnId = Annotated[UUID, Path(description="The id of a turn, as `Keepsake-Turn` named it.")]
Number = Annotated[int, Field(ge=0, le=2**31)]
LastSeen = Annotated[
    Number | None,
    Header(alias="Last-Event-ID", description="The `id` of the last event that arrived."),
]
_BEGUN = "privacy is chosen when a conversation begins; this one is {privacy}"
_PLACED = "this conversation is in the space “{space}”; leave `space` out"


class Message(BaseModel):
    """What is said. Without a `conversation_id` a conversation begins, in `space` and as private as
    `privacy` says; both are left out of one that goes on.

    `instead_of` names the last turn of the conversation: it is taken back with what was learned
    from it alone, and this message answered in its place. With the same text that is “retry”,
    and what was learned stays.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"message": "Which package manager should I use?"}]},
    )

    message: fields.Query
    conversation_id: UUID | None = None
    space: fields.Space | None = None
    privacy: Privacy | None = None
    instead_of: UUID | None = None


class Seat:
    """One request's place among the listeners of a turn, from `take` until it is answered or its
    client has gone."""

    def __init__(self) -> None:
        self._leave: Callable[[], None] | None = None

    def take(self, turn: ChatTurn) -> None:
        self._leave = turn.sit_down()

    def leave(self) -> None:
        if self._leave is not None:
            self._leave()


async def _seat() -> AsyncIterator[Seat]:
    seat = Seat()
    try:
        yield seat
    finally:
        seat.leave()


Seated = Annotated[Seat, Depends(_seat)]


async def _begun(
    *,
    message: Message,
    request: Request,
    response: Response,
    asking: Chatting,
    parts: Parts,
    origin: Written,
    once: Once,
    seat: Seated,
    key: Key = None,
) -> ChatTurn:
    """The turn once its message is stored, so that what goes wrong before is no stream."""
    if once.done is not None:
        turn = await _again(parts, asking.user_id, once.done.ids["turn"][0])
    else:
        keyed = None if key is None else Keyed(key, message.model_dump_json())
        earlier = None if keyed is None else parts.chats.earlier(asking.user_id, keyed)
        request.state.replayed = earlier is not None
        turn = earlier or await _answered(message, parts, asking.user_id, origin, keyed)
    seat.take(turn)
    await turn.opened()
    response.headers[TURN_HEADER] = str(turn.id)
    if turn.privacy == "normal":
        await once.finish(200, ids={"turn": [turn.id]})
    return turn


Begun = Annotated[ChatTurn, Depends(_begun, scope="function")]


async def _answered(
    message: Message, parts: Served, user_id: str, origin: Origin, keyed: Keyed | None
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
            raise InvalidInput(reason=_BEGUN.format(privacy=talk.privacy.replace("_", " ")))
        if space not in (None, talk.conversation.space):
            raise InvalidInput(reason=_PLACED.format(space=talk.conversation.space))
        space = talk.conversation.space
        parts.assistant.begin(user_id, conversation_id, space, talk.privacy)
    turn_id, instead_of = origin.correlation_id, message.instead_of
    assert turn_id is not None
    return parts.chats.begin(
        Asked(user_id, conversation_id, space, message.message, turn_id, instead_of, keyed)
    )


async def _again(parts: Served, user_id: str, turn_id: UUID) -> ChatTurn:
    """Raises TurnNotFound."""
    try:
        return parts.chats.find(user_id, turn_id)
    except TurnNotFound:
        stored = await parts.memory.conversations.of_turn(user_id, turn_id)
        said = await without_forgotten(parts.memory, user_id, stored)
        memories = await used_by(parts.memory, user_id, said)
        return replay(user_id, turn_id, said, memories)


@dataclass(frozen=True)
class Following:
    turn: ChatTurn
    after: int


async def _followed(
    *,
    turn_id: TurnId,
    response: Response,
    asking: Asking,
    parts: Parts,
    seat: Seated,
    last_event_id: LastSeen = None,
    after: Annotated[Number, Query(description="As Last-Event-ID, which goes before it.")] = 0,
) -> Following:
    turn = parts.chats.find(asking.user_id, turn_id)
    seat.take(turn)
    response.headers[TURN_HEADER] = str(turn.id)
    return Following(turn, after if last_event_id is None else last_event_id)


Followed = Annotated[Following, Depends(_followed)]
