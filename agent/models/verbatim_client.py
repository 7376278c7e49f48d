"""A client of OpenAI's interfaces that sends what the SDK wrote as it is.

OpenAI's own first holds each message against every kind of message that there is, to find values
that JSON does not have, which takes longer than all else that it does with a request
(docs/decisions/0020). What the SDK hands over are plain values, and models of pydantic's, which are
written as JSON in any case; what it omits stands at the top.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from openai import AsyncOpenAI, AsyncStream, NotGiven, Omit
from openai.resources.chat import AsyncChat, AsyncCompletions
from openai.resources.responses import AsyncResponses
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent

# What `create` takes beside the request's own fields, None for nothing, by the names that `post`
# has for them.
_OPTIONS = {
    "extra_headers": "headers",
    "extra_query": "params",
    "extra_body": "extra_json",
}


class VerbatimClient(AsyncOpenAI):
    """For the two interfaces that the SDK talks through; the others are OpenAI's own. `create`
    takes what theirs takes, and leaves it to the server to refuse what it does not know."""

    @cached_property
    def chat(self) -> AsyncChat:
        return _Chat(self)

    @cached_property
    def responses(self) -> AsyncResponses:
        return _Responses(self)


class _Chat(AsyncChat):
    @cached_property
    def completions(self) -> AsyncCompletions:
        return _Completions(self._client)


class _Completions(AsyncCompletions):
    async def create(self, **asked: Any) -> Any:
        return await self._client.post(
            "/chat/completions",
            cast_to=ChatCompletion,
            stream_cls=AsyncStream[ChatCompletionChunk],
            **_as_posted(asked),
        )


class _Responses(AsyncResponses):
    async def create(self, **asked: Any) -> Any:
        return await self._client.post(
            "/responses",
            cast_to=Response,
            stream_cls=AsyncStream[ResponseStreamEvent],
            **_as_posted(asked),
        )


def _as_posted(asked: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in asked.items() if not isinstance(value, NotGiven | Omit)}
    options: dict[str, Any] = {"security": {"bearer_auth": True}}
    if "timeout" in given:
        options["timeout"] = given.pop("timeout")
    for name, posted in _OPTIONS.items():
        if (value := given.pop(name, None)) is not None:
            options[posted] = value
    return {"body": given, "stream": bool(given.get("stream")), "options": options}
