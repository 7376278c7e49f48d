"""One run of the agent as a stream of turn events; a failure becomes a status and a sentence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import httpx2
import openai
import structlog
from agents import (
    Agent,
    InputGuardrailTripwireTriggered,
    MaxTurnsExceeded,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    RunResultStreaming,
)
from agents.exceptions import ModelTimeoutError
from openai.types.responses import ResponseTextDeltaEvent

from agent.conversations.session import ConversationSession
from agent.turn.context import TurnContext
from agent.turn.events import TextDelta, ToolCalled, TurnEvent
from memory.errors import (
    CircuitOpen,
    DatabaseUnavailable,
    KeepsakeError,
    MessageRefused,
    ReplyFailed,
    format_seconds,
)
from memory.types import MessageStatus

MAX_TURNS = 8
STOP_TIMEOUT = 5.0
KEEP_SECONDS = 1.0
GROWTH = 1.5
MAX_KEEP_SECONDS = 15.0
BROKE_OFF = "it broke off"
EMPTY = "its answer was empty; check OPENAI_BASE_URL and OPENAI_API"
_REASONS: dict[tuple[type[Exception], ...], str] = {
    (openai.AuthenticationError,): "the server refused the key; check OPENAI_API_KEY",
    (openai.RateLimitError,): "the server is over its limit for this key",
    (openai.NotFoundError,): "the server does not know it; check OPENAI_MODEL and OPENAI_API",
    (openai.APITimeoutError, ModelTimeoutError, TimeoutError): "it did not answer in time",
    (openai.APIConnectionError, OSError): "it cannot be reached; check OPENAI_BASE_URL",
    (MaxTurnsExceeded,): "it called tools without end",
    (DatabaseUnavailable,): "the database went away in the middle of it",
}
# Of a server that was reached, unlike one that is not there.
_BROKEN_LINE = (httpx2.ReadError, httpx2.RemoteProtocolError)
_log = structlog.get_logger(__name__)


@dataclass
class TurnReply:
    """The reply as far as it went. It counts as interrupted until its last chunk is out."""

    id: UUID = field(default_factory=uuid4)
    text: str = ""
    status: MessageStatus = "interrupted"
    error: KeepsakeError | None = None
    _kept_at: float | None = None
    _pause: float = KEEP_SECONDS

    def is_due(self, now: float) -> bool:
        """Whether what there is shall be kept: a second after it began, then each time after a
        half longer pause, since the whole of it is written and indexed again; `now` in seconds."""
        if self._kept_at is None:
            self._kept_at = now
        if not self.text or now - self._kept_at < self._pause:
            return False
        self._kept_at, self._pause = now, min(self._pause * GROWTH, MAX_KEEP_SECONDS)
        return True


async def run_agent(
    agent: Agent[TurnContext],
    text: str,
    turn: TurnContext,
    session: ConversationSession,
    reply: TurnReply,
) -> AsyncGenerator[TurnEvent]:
    """Streams the run and fills `reply`. Raises nothing of the model's or the SDK's."""
    streamed = Runner.run_streamed(
        agent,
        text,
        context=turn,
        session=session,
        max_turns=MAX_TURNS,
        run_config=run_config(turn),
    )
    try:
        async with aclosing(_events(streamed, reply)) as events:
            async for event in events:
                yield event
        if reply.text.strip():
            reply.status = "complete"
        else:
            _fail(reply, ReplyFailed(reason=EMPTY))
    except Exception as error:  # a server's nonsense comes through the SDK as any class at all
        _fail(reply, error)
    finally:
        if not streamed.is_complete:
            await _stop(streamed)


def run_config(turn: TurnContext) -> RunConfig:
    """A trace of the run, where one is wanted at all, has no words in it; an incognito
    conversation leaves none."""
    return RunConfig(
        tool_not_found_behavior="return_error_to_model",
        trace_include_sensitive_data=False,
        tracing_disabled=turn.dialogue.privacy != "normal",
        trace_metadata={"correlation_id": str(turn.correlation_id)},
    )


async def _stop(streamed: RunResultStreaming) -> None:
    """Ends the run and waits for it, so that no tool of it works on behind a closed turn."""
    run = streamed.run_loop_task
    streamed.cancel()
    if run is not None:
        await asyncio.wait([run], timeout=STOP_TIMEOUT)


async def _events(streamed: RunResultStreaming, reply: TurnReply) -> AsyncGenerator[TurnEvent]:
    async for event in streamed.stream_events():
        if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
            reply.text += event.data.delta
            yield TextDelta(event.data.delta)
        elif event.type == "run_item_stream_event" and event.name == "tool_called":
            yield ToolCalled(str(getattr(event.item.raw_item, "name", "a tool")))


def _fail(reply: TurnReply, error: Exception) -> None:
    _log.error("run_failed", reason=type(error).__name__)
    reply.status = "failed"
    if isinstance(error, InputGuardrailTripwireTriggered):
        reply.error = MessageRefused(reason=str(error.guardrail_result.output.output_info))
    elif isinstance(error, OutputGuardrailTripwireTriggered):
        reply.status = "withheld"
        reply.error = ReplyFailed(reason="it recited its instructions and was withheld")
    elif isinstance(error, ReplyFailed):
        reply.error = error
    elif reply.text and isinstance(error.__cause__, _BROKEN_LINE):
        reply.error = ReplyFailed(reason=BROKE_OFF)
    else:
        reply.error = ReplyFailed(reason=_why(error))


def _why(error: Exception) -> str:
    for kinds, reason in _REASONS.items():
        if isinstance(error, kinds):
            return reason
    if isinstance(error, CircuitOpen):
        wait = format_seconds(error.fields["seconds"])
        return f"it failed too often, and is tried again in {wait}"
    if isinstance(error, openai.APIStatusError):
        return f"the server answered with status {error.status_code}"
    return BROKE_OFF
