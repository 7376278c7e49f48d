"""How the stream of a turn is described, for the OpenAPI document."""

from __future__ import annotations

from pydantic import BaseModel

from app.chats.events import EVENTS, EventData
from app.rest.answers import Responses

_EXAMPLE = """\
event: turn
data: {"turn_id":"5a3e…","conversation_id":"9c01…","privacy":"normal"}
id: 1
retry: 1000

event: tool
data: {"name":"query_memory","said":"Looking in memory…"}
id: 2

event: text
data: {"text":"You told me that you prefer uv."}
id: 3

event: done
data: {"status":"complete","saved":true,"privacy":"normal","memories":[…],…}
id: 4

event: end
data: {}
id: 5
"""
_SAID = "Server-sent events, each with its number as `id` and its data as JSON:\n\n"
_TURN = {
    "description": "The turn, by which its events can be gone on with.",
    "schema": {"type": "string", "format": "uuid"},
}


def stream_of() -> Responses:
    """The good answer: a schema for the data of each event, and what each of them says."""
    told = [f"- `{name}`: {_said(model)}" for name, model in EVENTS.items()]
    return {
        200: {
            "model": EventData,
            "description": _SAID + "\n".join(told),
            "content": {"text/event-stream": {"example": _EXAMPLE}},
            "headers": {"Keepsake-Turn": _TURN},
        }
    }


def _said(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").split())
