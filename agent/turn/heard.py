"""What was said, as a turn reads it: made once, and off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from agent.plain_words.commands import Command
from agent.plain_words.recognise import is_for_good, recognise
from memory.clock import local_clock
from memory.secrets import Kind, find_secrets, redact
from memory.text import is_read_whole, readable
from memory.understanding import Kind as SegmentKind
from memory.understanding import Message, Reader, Reading, Segment, beside

# Of these the whole message is what is kept or edited, or nothing of it is.
_TAKES_ALL = frozenset({"remember", "remember_anyway", "edit", "do_not_remember", "erase_me"})
_OF_MEMORY: frozenset[SegmentKind] = frozenset({"control", "forget", "do_not_remember", "remember"})


@dataclass(frozen=True)
class Heard:
    """`text` is what was said, and `redacted` the same without its secrets, which are of `secrets`.
    `words` are what commands, questions and answers are read from; `whole` says that nothing of the
    text is missing in them, see `memory.text.readable`. `reading` is what it means, and `command`
    the one that is in it, if any.
    """

    text: str
    redacted: str
    secrets: frozenset[Kind]
    words: str
    whole: bool
    reading: Reading = field(default_factory=Reading)
    command: Command | None = None

    @classmethod
    async def listen(cls, text: str, reader: Reader) -> Self:
        """On a thread: of a long text the secrets alone take a second to look for."""
        return await asyncio.to_thread(cls._of, text, reader)

    @property
    def perhaps(self) -> Command | None:
        """A wish to forget that is one only where memory holds what it names."""
        wishes = [each for each in self.reading.segments if each.perhaps_forgets]
        return _forgetting(wishes) if wishes and _gives_way(self.command) else None

    def beside(self, command: Command | None) -> tuple[Segment, ...]:
        """What is said beside the command that is obeyed: all of it where there is none."""
        if command is None:
            return self.reading.segments
        if command.name in _TAKES_ALL:
            return ()
        return beside(self.reading.segments, _is_command)

    @classmethod
    def _of(cls, text: str, reader: Reader) -> Self:
        secrets = frozenset(secret.kind for secret in find_secrets(text))
        redacted = redact(text) if secrets else text
        words = readable(text)
        reading = reader.read(Message(redacted, local_clock()))
        command = command_in(words, reading)
        return cls(text, redacted, secrets, words, is_read_whole(text), reading, command)


def command_in(words: str, reading: Reading) -> Command | None:
    """The command of a message. A wish to forget or to leave something out is heard by its reading,
    the others by their words."""
    command = recognise(words)
    wishes = [each for each in reading.segments if each.forgets]
    if wishes and _gives_way(command):
        return _forgetting(wishes)
    return _leaving_out(reading.segments) if command is None else command


def _gives_way(command: Command | None) -> bool:
    return command is None or command.name == "do_not_remember"


def _leaving_out(segments: Sequence[Segment]) -> Command | None:
    """What points back wants what was told before to be forgotten."""
    asking = [each for each in segments if each.leaves_out]
    back = len(asking) == len(segments) and all(each.points_back for each in asking)
    return Command("do_not_remember", points_back=back) if asking else None


def _forgetting(wishes: Sequence[Segment]) -> Command:
    said = [" ".join(each.text.split()) for each in wishes]
    for_good = any(map(is_for_good, said))
    back = any(each.points_back for each in wishes)
    return Command(
        "forget", about="\n".join(said), for_good=for_good, points_back=back, as_said=True
    )


def _is_command(segment: Segment) -> bool:
    surely = segment.perhaps_forgets or segment.kind in _OF_MEMORY
    return surely or recognise(segment.text) is not None


NOTHING = Heard("", "", frozenset(), "", whole=True)
