"""What was said, as a turn reads it: made once, and off the event loop."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Self

from agent.plain_words.commands import Command
from agent.plain_words.recognise import recognise
from memory.secrets import Kind, find_secrets, redact
from memory.text import is_read_whole, readable


@dataclass(frozen=True)
class Heard:
    """`text` is what was said, and `redacted` the same without its secrets, which are of `secrets`.
    `words` are what commands, questions and answers are read from; `whole` says that nothing of the
    text is missing in them, see `memory.text.readable`. `command` is the one that they are, if any.
    """

    text: str
    redacted: str
    secrets: frozenset[Kind]
    words: str
    whole: bool
    command: Command | None = None

    @classmethod
    async def listen(cls, text: str) -> Self:
        """On a thread: of a long text the secrets alone take a second to look for."""
        return await asyncio.to_thread(cls._of, text)

    @classmethod
    def _of(cls, text: str) -> Self:
        secrets = frozenset(secret.kind for secret in find_secrets(text))
        redacted = redact(text) if secrets else text
        words = readable(text)
        return cls(text, redacted, secrets, words, is_read_whole(text), recognise(words))


NOTHING = Heard("", "", frozenset(), "", whole=True)
