"""What was said, as a turn reads it: made once, and off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from agent.commands.command import Command
from agent.commands.lexicon import is_for_good
from agent.wording.language import Spoken, spoken_in
from memory.clock import local_clock
from memory.secrets import Kind, find_secrets, redact
from memory.text import is_read_whole, readable
from memory.understanding import (
    STATEMENTS,
    Message,
    Order,
    Reader,
    Reading,
    Segment,
    beside,
    without_left_out,
)
from memory.understanding import Kind as SegmentKind

# Nothing else of a message is looked at that has one of these.
_TAKES_ALL = frozenset({"do_not_remember", "erase_me"})
_OF_MEMORY: frozenset[SegmentKind] = frozenset({"control", "forget", "do_not_remember"})
_FORGETTING = frozenset({"forget", "do_not_remember"})
_REMEMBERING = frozenset({"remember", "remember_anyway"})


@dataclass(frozen=True)
class Heard:
    """`text` is what was said, and `redacted` the same without its secrets, which are of `secrets`.
    `words` are what commands, questions and answers are read from; `whole` says that nothing of the
    text is missing in them, see `memory.text.readable`. `reading` is what it means, and `commands`
    those that are in it, in order. `spoken` says in which language.
    """

    text: str
    redacted: str
    secrets: frozenset[Kind]
    words: str
    whole: bool
    reading: Reading = field(default_factory=Reading)
    commands: tuple[Command, ...] = ()
    spoken: Spoken = field(default_factory=Spoken)

    @classmethod
    async def listen(cls, text: str, reader: Reader) -> Self:
        """On a thread: of a long text the secrets alone take a second to look for."""
        return await asyncio.to_thread(cls._of, text, reader)

    @property
    def perhaps(self) -> Command | None:
        """A wish to forget that is one only where memory holds what it names."""
        others = [each for each in self.commands if each.name not in _FORGETTING]
        return _forgetting(
            [
                each
                for each in self.reading.segments
                if each.perhaps_forgets and not _is_of(each, others)
            ]
        )

    def beside(self, commands: Sequence[Command]) -> tuple[Segment, ...]:
        """What is said beside the commands that are obeyed and what is to be left out."""
        said = without_left_out(self.reading.segments)
        if not commands:
            return said
        if any(each.name in _TAKES_ALL for each in commands):
            return ()

        def is_done(segment: Segment) -> bool:
            of_memory = segment.kind in _OF_MEMORY and not segment.asks
            return segment.perhaps_forgets or of_memory or _is_of(segment, commands)

        return beside(said, is_done)

    @property
    def unkept(self) -> str:
        """What is to be left out of memory."""
        kept = without_left_out(self.reading.segments)
        return " ".join(each.text for each in self.reading.segments if each not in kept)

    @classmethod
    def _of(cls, text: str, reader: Reader) -> Self:
        secrets = frozenset(secret.kind for secret in find_secrets(text))
        redacted = redact(text) if secrets else text
        reading = reader.read(Message(redacted, local_clock()))
        commands = commands_in(reading)
        words, whole = readable(text), is_read_whole(text)
        spoken = spoken_in(words)
        return cls(text, redacted, secrets, words, whole, reading, commands, spoken)


def commands_in(reading: Reading) -> tuple[Command, ...]:
    """What a message commands, in order. All that it wants forgotten is one command; what asks to
    be left out of memory counts where nothing is to be forgotten."""
    found = [_command_of(each, reading) for each in reading.orders if each.name not in _FORGETTING]
    rest = [each for each in reading.segments if not _is_of(each, found)]
    told = [each for each in reading.orders if each.name == "forget"]
    wishes = [each for each in rest if each.forgets or _is_of(each, told)]
    forgetting = _forgetting(wishes) or _leaving_out(reading, rest)
    if forgetting is not None:
        found.append(forgetting)
    return tuple(sorted(found, key=lambda each: each.start))


def hear_commands(text: str, reader: Reader) -> tuple[Command, ...]:
    """Those of a text that is no turn. Blocking."""
    return commands_in(reader.read(Message(text, local_clock())))


def _command_of(order: Order, reading: Reading) -> Command:
    """“I live in Oslo. Remember that.” keeps what is told before it, and “pin that” pins it."""
    command = Command(order.name, said=order.text, start=order.start, end=order.end)
    if order.name == "edit":
        return replace(command, about=order.object, old=order.old, text=order.new)
    if order.object is None and order.name in _REMEMBERING | {"pin"}:
        told = _told_before(order, reading)
        text = " ".join(each.text for each in told) or None
        return replace(command, text=text, start=told[0].start if told else order.start)
    if order.name in _REMEMBERING:
        return replace(command, text=order.object)
    return replace(command, about=order.object, text=order.object if order.tells else None)


def _told_before(order: Order, reading: Reading) -> list[Segment]:
    """The statements right before it."""
    told: list[Segment] = []
    for each in reversed([each for each in reading.segments if each.end <= order.start]):
        if each.kind not in STATEMENTS:
            break
        told.insert(0, each)
    return told


def _forgetting(wishes: Sequence[Segment]) -> Command | None:
    if not wishes:
        return None
    said = [" ".join(each.text.split()) for each in wishes]
    return Command(
        "forget",
        about="\n".join(said),
        for_good=any(map(is_for_good, said)),
        points_back=any(each.points_back for each in wishes),
        as_said=True,
        start=wishes[0].start,
        end=wishes[-1].end,
    )


def _leaving_out(reading: Reading, segments: Sequence[Segment]) -> Command | None:
    """What points back wants what was told before to be forgotten."""
    told = [each for each in reading.orders if each.name == "do_not_remember"]
    asking = [each for each in segments if each.leaves_out or _is_of(each, told)]
    back = len(asking) == len(reading.segments) and all(each.names_nothing for each in asking)
    return Command("do_not_remember", points_back=back) if asking else None


def _is_of(segment: Segment, commands: Sequence[Command] | Sequence[Order]) -> bool:
    return any(each.start < segment.end and segment.start < each.end for each in commands)


NOTHING = Heard("", "", frozenset(), "", whole=True)
