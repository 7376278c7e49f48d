"""What the OpenAPI document says of the whole: how to ask, and what there is besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

INTRODUCTION = """\
A person's conversations with an assistant that remembers, and the memory itself: to be searched,
read, changed, exported and forgotten.

**Whose memory.** The user is the one of the credential, and nothing in a request can name another.
The server has one mode (AUTH_MODE; `GET /v1/me` tells it): `local` has one user, who is whoever
sits at the machine, and takes no credential; `token` takes API keys and `jwt` the tokens of an
identity provider, both as `Authorization: Bearer …`; in `proxy` a proxy in front signs people in. A
browser signs in at `POST /v1/session` and then has a cookie. What is another user's is answered as
what is not there: 404.

**The stream.** `POST /v1/chat` answers with server-sent events, numbered from 1: `turn`, `text`,
`tool`, `done`, `error`, `learned` and, always last, `end`. The turn is the server's: where a
connection breaks, `GET /v1/chat/{turn_id}/events` with `Last-Event-ID` goes on with it.

**Lists** that can be long have a `next`: the `cursor` of the next page, null on the last one.
**Errors** are problem details (RFC 9457) with a sentence for a person and the `correlation_id` that
finds the request in the log; every answer has that id as a header. **A POST** with an
`Idempotency-Key` can be sent again without being done twice.

**MCP.** The same memory as tools for a model is at `POST /mcp` (Model Context Protocol, streamable
HTTP, without sessions), with the same credentials.
"""
TAGS: Sequence[Mapping[str, str]] = (
    {"name": "chat", "description": "A message, and its answer as a stream that can be resumed."},
    {"name": "conversations", "description": "What was said, and which memories it rested on."},
    {
        "name": "memory",
        "description": "Memories and all that is done with them: kept, found, changed, pinned, "
        "forgotten and brought back, exported and erased; and whether anything is remembered.",
    },
    {
        "name": "episodes",
        "description": "Tasks with what was done and how it ended, to be learned from; where they "
        "are switched on (EPISODES_ENABLED).",
    },
    {"name": "me", "description": "Who is asking, and the session of a browser."},
    {"name": "operation", "description": "For whoever runs the server: health and counters."},
)
# Relative: it is wherever the document was read.
SERVERS: Sequence[Mapping[str, Any]] = ({"url": "/", "description": "This server."},)
