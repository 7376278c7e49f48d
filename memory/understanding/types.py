"""What a message means: its segments, each with its kind, and what reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, get_args

from memory.understanding.sentences import is_question

Role = Literal["user", "assistant", "system"]
Kind = Literal[
    "fact",
    "update",
    "correct",
    "end",
    "question",
    "request",
    "small_talk",
    "passing",
    "quotation",
    "remember",
    "do_not_remember",
    "forget",
    "control",
]
Category = Literal[
    "identity",
    "relationship",
    "preference",
    "habit",
    "possession",
    "health",
    "goal",
    "plan",
    "decision",
    "constraint",
    "procedure",
    "definition",
    "event",
    "project",
    "feeling",
]
Lifetime = Literal["long", "while", "days"]
Standing = Literal["new", "repeats", "adds_to", "replaces", "ends", "unsure"]
CommandName = Literal[
    "remember",
    "remember_anyway",
    "forget",
    "do_not_remember",
    "undo",
    "pin",
    "unpin",
    "list",
    "about",
    "edit",
    "memory_off",
    "memory_on",
    "memory_read_only",
    "incognito_on",
    "incognito_read_only",
    "incognito_off",
    "export",
    "import",
    "erase_me",
    "why",
    "audit",
]

KINDS: tuple[Kind, ...] = get_args(Kind)
CATEGORIES: tuple[Category, ...] = get_args(Category)
# What memories are sorted into; an installation may name others.
BANKS = ("Personal", "Work", "General", "Relationships", "Health", "Interests", "Events")
COMMANDS: tuple[CommandName, ...] = get_args(CommandName)
LIFETIMES: tuple[Lifetime, ...] = get_args(Lifetime)
STANDINGS: tuple[Standing, ...] = get_args(Standing)
# What is told, as opposed to what is asked for, passed on or said in passing.
STATEMENTS: frozenset[Kind] = frozenset({"fact", "update", "correct", "end", "remember"})
ASKING: frozenset[Kind] = frozenset({"question", "request"})
# What is asked of the assistant itself, but for what is to be remembered.
ORDERS: frozenset[Kind] = frozenset({"control", "forget", "do_not_remember"})
# Losing what was told is silent, keeping too much is trimmed: chosen on conversations of others
# that were replayed (docs/decisions/0025-offline-reader.md).
KEPT_FROM = 0.2
# What is surely talk is left out however much else it may be: general knowledge, exclamations.
TALK_FROM = 0.35
# What is probably shown and not said: a letter in the first person sounds like what is told.
QUOTED_FROM = 0.4
# As probable, a segment tells what is to be remembered, though it sounds like an order as well.
REMEMBERED_FROM = 0.5
# As probable, a segment asks: to look in vain costs little.
ASKED_FROM = 0.25
# Chosen on writers that were held out (docs/decisions/0029-commands.md): surely a wish, and perhaps
# one to forget, which counts where memory holds what it names.
SURELY_FROM, PERHAPS_FROM = 0.2, 0.2
# As probable, and a tenth as probable as what has changed since, it may correct what was told
# before; which memory that is, if one at all, is read then (docs/decisions/0034-corrections.md).
MAY_CORRECT_FROM, AGAINST_UPDATE = 0.01, 0.1
# As probable by its kind, it may be a wish to forget though it sounds like another command.
FORGETS_FROM = 0.85
# Found on sentences of our own; nothing that is told in thirteen replayed lives is lost to them.
EDITS_FROM, SURELY_TOLD = 0.7, 0.9
SENTENCE_ENDS = ".!?…"
FORGETTING = frozenset({"forget", "do_not_remember", "erase_me"})
# A wish of no more words that does not say what it is about means what was said before it.
_FEW_WORDS = 4


@dataclass(frozen=True)
class EarlierMessage:
    """What was said before a message in its conversation."""

    role: Role
    text: str


@dataclass(frozen=True)
class MessageText:
    """What somebody said, and when by their own clock. For a second reader: what was said before
    it, the oldest `earlier` first, and the words of the memories nearest to it."""

    text: str
    said_at: datetime
    role: Role = "user"
    earlier: tuple[EarlierMessage, ...] = ()
    known: tuple[str, ...] = ()


@dataclass(frozen=True)
class Related:
    """How what is told stands to the known memories `to`, and how probable that is, 0 to 1."""

    standing: Standing
    to: tuple[str, ...]
    sure: float


@dataclass(frozen=True)
class Segment:
    """A sentence or clause that says one thing, at `start` to `end` of the readable text.

    `kinds` are the probabilities of all kinds; `category`, `bank` and `lifetime` are meant for
    statements. `alone` says that it can be understood without the segment before it, `points_back`
    of what is to be left out of memory that it was told before, and `says_what` of a wish to leave
    something out that it tells what; `object` are the words that it or a wish to forget marks as
    what it is about, empty where it marks none. `commands` is how probable each command is, and
    that it is none; empty where that was not looked at. `related` is how it stands to known
    memories, where its reader said so.
    """

    text: str
    start: int
    end: int
    kind: Kind
    kinds: Mapping[Kind, float]
    category: Category = "event"
    bank: str = "General"
    lifetime: Lifetime = "long"
    alone: bool = True
    points_back: bool = False
    says_what: bool = False
    object: str = ""
    commands: Mapping[str, float] = field(default_factory=dict)
    related: Related | None = None

    @property
    def told(self) -> float:
        """How probable it is that this is a statement, 0 to 1."""
        return sum(share for kind, share in self.kinds.items() if kind in STATEMENTS)

    @property
    def tells(self) -> bool:
        """Whether it is kept as a statement, where nothing speaks against that."""
        is_talk = self.kinds.get("small_talk", 0.0) >= TALK_FROM
        is_shown = self.kinds.get("quotation", 0.0) >= QUOTED_FROM
        return self.told >= KEPT_FROM and not is_talk and not is_shown and not self.is_order

    @property
    def asks(self) -> bool:
        """Whether it asks a question, or for something to be done."""
        asked = sum(share for kind, share in self.kinds.items() if kind in ASKING)
        return asked >= ASKED_FROM or is_question(self.text)

    @property
    def is_order(self) -> bool:
        """Whether it most probably asks something of the assistant itself, and tells nothing; which
        command that is, if one at all, is in `commands`."""
        wished = max(self.kinds.get("remember", 0.0), self.commands.get("remember", 0.0))
        others = [kind for kind in self.kinds if kind != "remember"]
        likeliest = max(others, key=lambda kind: self.kinds[kind], default=self.kind)
        return likeliest == "control" and wished < REMEMBERED_FROM and not self.asks

    @property
    def forgetting(self) -> float:
        """How probable it is that it asks for something to be forgotten, 0 to 1."""
        return self.kinds.get("forget", 0.0)

    @property
    def forgets(self) -> bool:
        """Whether it surely asks for something to be forgotten."""
        return self._both("forget", "forget", "erase_me") >= SURELY_FROM

    @property
    def leaves_out(self) -> bool:
        """Whether it asks that the message, or what it says of it, be not kept."""
        return self._both("do_not_remember", "do_not_remember", "incognito_on") >= SURELY_FROM

    @property
    def names_nothing(self) -> bool:
        """Of a wish to leave something out whether it is about what stands somewhere else."""
        is_short = len(self.text.split()) <= _FEW_WORDS
        return self.points_back or (is_short and not self.says_what)

    @property
    def may_ask_to_forget(self) -> bool:
        """Whether it asks for that, or is talk."""
        likeliest = max(COMMANDS, key=lambda name: self.commands.get(name, 0.0))
        another = bool(self.commands) and likeliest not in FORGETTING
        return self.forgetting >= (FORGETS_FROM if another else PERHAPS_FROM)

    @property
    def correcting(self) -> float:
        """How probable it is that it says something was told wrongly before, 0 to 1."""
        return self.kinds.get("correct", 0.0)

    @property
    def may_correct(self) -> bool:
        least = max(MAY_CORRECT_FROM, AGAINST_UPDATE * self.kinds.get("update", 0.0))
        return self.correcting >= least

    def _both(self, kind: Kind, command: CommandName, akin: CommandName) -> float:
        """How probable it is by its kind and by what it commands, of which what is akin to it is
        half of it; 0 where that was not looked at."""
        if not self.commands:
            return 0.0
        return self.kinds.get(kind, 0.0) * (self.commands[command] + self.commands[akin] / 2)

    @property
    def is_for_a_text(self) -> bool:
        """Whether it asks the assistant to see to a text: it brings one behind a colon, or sounds
        like a correction and not like something that is told."""
        edits = self.commands.get("edit", 0.0) >= EDITS_FROM and self.told < SURELY_TOLD
        return edits or (self.kind == "request" and ": " in self.text)


@dataclass(frozen=True)
class CommandMention:
    """A command, as it was said at `start` to `end` of the readable text. `object` are the words
    that it is about or that are to be kept; of an edit `old` are those that `new` shall stand for.
    Each is None where it names none."""

    name: CommandName
    start: int
    end: int
    text: str
    object: str | None = None
    old: str | None = None
    new: str | None = None


@dataclass(frozen=True)
class Interpretation:
    """The segments of a message and what it commands, each in their order; none where it has no
    words. A command takes one segment or several that follow one another."""

    segments: tuple[Segment, ...] = field(default=())
    orders: tuple[CommandMention, ...] = field(default=())


def remaining_segments(
    segments: Sequence[Segment], done: Callable[[Segment], bool]
) -> tuple[Segment, ...]:
    """What is left of a message without the segments that are `done`, and without what follows
    one of those and cannot be understood alone."""
    left: list[Segment] = []
    follows = False
    for each in segments:
        follows = done(each) or (follows and not each.alone)
        if not follows:
            left.append(each)
    return tuple(left)


def without_left_out(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """What may be kept beside a wish to leave something out: all but that wish, the sentence that
    it belongs to, and what follows and cannot be understood alone. Of the message only what is
    asked to be kept after the last of such wishes, where one does not say what it is about."""
    left_out: set[int] = set()
    for sentence in _sentences(segments):
        wishes = [each for each in sentence if each.leaves_out]
        if all(each.says_what for each in wishes):
            left_out |= {each.start for each in wishes}
        elif any(not each.leaves_out and _may_be_meant(each) for each in sentence):
            left_out |= {each.start for each in sentence}
        else:
            last = max(each.start for each in segments if each.leaves_out)
            return tuple(each for each in segments if each.kind == "remember" and each.start > last)
    if not left_out:
        return tuple(segments)
    return remaining_segments(
        segments, lambda each: each.start in left_out or (_may_be_meant(each) and not each.tells)
    )


def _may_be_meant(segment: Segment) -> bool:
    """Whether a wish to leave something out may be about it."""
    return segment.tells or segment.kind == "do_not_remember"


def _sentences(segments: Sequence[Segment]) -> list[list[Segment]]:
    found: list[list[Segment]] = []
    for each in segments:
        goes_on = bool(found) and not each.alone and found[-1][-1].text[-1:] not in SENTENCE_ENDS
        if goes_on:
            found[-1].append(each)
        else:
            found.append([each])
    return found


class MessageReader(Protocol):
    """Finds out what a message means. Blocking: milliseconds for a usual message."""

    def read(self, message: MessageText) -> Interpretation: ...

    def describe(self, text: str) -> Segment:
        """What a text that somebody wants kept is about, taken as one segment."""
        ...


class SecondReader(Protocol):
    """Reads a message again behind the reply: seconds, over the network."""

    async def read_again(self, message: MessageText, first: Interpretation) -> Interpretation:
        """The segments of the message, with how they stand to what is known; what it leaves open
        stays as in the `first` reading. Raises where it cannot read it."""
        ...
