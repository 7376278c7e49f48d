"""A command, wherever it comes from, the short answers that are heard as they stand, and a message
as a turn reads it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Literal, Self, get_args
from uuid import UUID

from memory.clock import local_clock
from memory.secrets import (
    SecretKind,
    find_secrets,
    find_sure_secrets,
    is_redacted,
    redact,
    restore,
)
from memory.store.forgetting import HistoryChoice
from memory.text import is_read_whole, to_readable
from memory.understanding import (
    ORDERS,
    STATEMENTS,
    CommandMention,
    CommandName,
    Interpretation,
    MessageReader,
    MessageText,
    Segment,
    remaining_segments,
    without_left_out,
)


@dataclass(frozen=True)
class Command:
    """`about` is the object in the user's words (“my sister”), None for that, this, it and
    everything. `text` is what `remember` keeps or `edit` writes, and `old` what it is written over;
    None where the words are those that were said before; `before` is what the `item` said when the
    text was made for it. `for_good` belongs to forgetting,
    `everything` to pins and forgetting; said in plain words, forgetting everything is `erase_me`.
    `do_not_remember` is said of the message that it stands in, or where it `points_back` of what
    was said before. `as_said` says that `about` is the wish as it was said, each on a line, with
    what it means somewhere in it, and `named` the words of each that say what. `item` is the
    memory that was chosen where several were meant. `proposed` says that a model passed it on: its
    words were not shown to the user yet.

    `said` are the whole words of a command that was said, at `start` to `end` of the message."""

    name: CommandName
    about: str | None = None
    text: str | None = None
    old: str | None = None
    before: str | None = None
    for_good: bool = False
    everything: bool = False
    points_back: bool = False
    as_said: bool = False
    named: tuple[str, ...] = field(default=(), compare=False)
    item: UUID | None = None
    proposed: bool = False
    said: str | None = field(default=None, compare=False)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


# As probably a correction, a message is one more often than not.
SOUNDS_CORRECTING_FROM = 0.2
# A memory by its place in what was shown.
MEMORY_NUMBER = re.compile(r"#(\d{1,3})")
# Words that are heard as they stand, in any of the five languages, where a question is open.
LEXICON_FILE = Path(__file__).parent / "lexicon.json"
Position = Literal["1", "2", "3", "4", "5", "last"]
# A yes that names what it wants done, so that it answers only what asks for that.
NamedYes = Literal["new one", "replace it", "forget it", "erase all"]
LexiconSense = (
    Literal["yes", "no", "old one", "courtesy", "opening", "filler", "for good", "choosing"]
    | NamedYes
    | Position
)
_POSITIONS: frozenset[LexiconSense] = frozenset(get_args(Position))
_NAMED: frozenset[LexiconSense] = frozenset(get_args(NamedYes))
_MOST_CHARS, _MOST_WORDS = 80, 6
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'"})
_SIGNS = str.maketrans({"👍": " yes ", "✅": " yes ", "👌": " yes ", "👎": " no ", "❌": " no "})
_LEFTOVERS = re.compile(r"[\U0001f3fb-\U0001f3ff\ufe0f]|[\U0001f600-\U0001f64f]|[:;]-?[)(]")
_WORD = re.compile(r"[^\s,.!;:…–—]+")
# “yesss” is “yes”.
_DRAWN_OUT = re.compile(r"(.)\1{2,}")


def parse_yes_no(said: str, named: Collection[NamedYes] = ()) -> bool | None:
    """True for yes, False for no, None where it is neither, both, or has more to say. “OK” and
    “please” are a yes of their own, and only an opening where a no follows. “Change that” is none
    but where `named` has it: where that is what was asked."""
    if len(said) > _MOST_CHARS or "?" in said:
        return None
    senses = _senses_of(_words(said))
    if senses is None:
        return None
    if "no" in senses:
        return None if "yes" in senses else False
    meant = {"yes", "opening", *named}
    return True if senses & meant and not senses & (_NAMED | {"old one"}) - meant else None


def prefers_older(said: str) -> bool:
    """Whether it says that of two things the old one holds."""
    if "?" in said:
        return False
    senses = _senses_of(_words(said))
    return senses is not None and "old one" in senses and "yes" not in senses


def parse_choice(said: str, choices: Sequence[str]) -> int | None:
    """Which of the choices is meant, by its place or by words that it alone holds; None where that
    is none, or not clear."""
    words = _words(said)
    whole = [at for at, each in enumerate(choices) if words and _words(each) == words]
    if whole:
        return whole[0]
    if not words or len(said) > _MOST_CHARS + max(map(len, choices)) or "?" in said:
        return None
    place = _position(words, len(choices))
    return _named_choice(words, choices) if place is None else place


def _position(words: list[str], count: int) -> int | None:
    words = [each.removeprefix("#") for each in words]
    pieces = _pieces(words, _lexicon().keys() | {each for each in words if each.isdecimal()})
    if pieces is None:
        return None
    found = {
        place
        for each in pieces
        for place in ({each} if each.isdecimal() else _lexicon()[each] & _POSITIONS)
    }
    if len(found) != 1:
        return None
    [place] = found
    number = count if place == "last" else int(place)
    return number - 1 if 1 <= number <= count else None


def _named_choice(words: list[str], choices: Sequence[str]) -> int | None:
    """One word that neither the choice nor the lexicon has may stand beside those that it alone
    holds."""
    said = [each for each in words if each not in _lexicon()]
    held = [set(_words(each)) for each in choices]
    holding = [[at for at, each in enumerate(held) if word in each] for word in said]
    named = {places[0] for places in holding if len(places) == 1}
    if len(named) != 1:
        return None
    [chosen] = named
    return chosen if sum(each not in held[chosen] for each in said) <= 1 else None


def is_for_good(said: str) -> bool:
    """Whether a wish says that what it takes shall not come back."""
    words = _words(said)
    runs = (
        " ".join(words[at : at + size])
        for at in range(len(words))
        for size in range(1, _MOST_WORDS + 1)
    )
    return any("for good" in _lexicon().get(run, ()) for run in runs)


def _senses_of(words: list[str]) -> set[LexiconSense] | None:
    """Of the longest pieces that are known: “of course not” before “of course”. None where a word
    is in none."""
    pieces = _pieces(words, _spoken())
    return None if pieces is None else {_spoken()[each] for each in pieces}


def _pieces(words: list[str], known: Collection[str]) -> list[str] | None:
    """The words as the longest pieces that are known; None where a word is in none."""
    found: list[str] = []
    at = 0
    while at < len(words):
        sizes = range(min(_MOST_WORDS, len(words) - at), 0, -1)
        size = next((n for n in sizes if " ".join(words[at : at + n]) in known), 0)
        if not size:
            return None
        found.append(" ".join(words[at : at + size]))
        at += size
    return found


def _words(said: str) -> list[str]:
    plain = _LEFTOVERS.sub(" ", said.translate(_STRAIGHT).translate(_SIGNS)).casefold()
    return [_DRAWN_OUT.sub(r"\1", each) for each in _WORD.findall(plain)]


@cache
def _lexicon() -> Mapping[str, frozenset[LexiconSense]]:
    """The senses of each piece, over all languages."""
    stored: dict[str, dict[LexiconSense, list[str]]] = json.loads(
        LEXICON_FILE.read_text(encoding="utf-8")
    )
    found: dict[str, frozenset[LexiconSense]] = {}
    for senses in stored.values():
        for sense, pieces in senses.items():
            for piece in pieces:
                found[piece] = found.get(piece, frozenset()) | {sense}
    return found


@cache
def _spoken() -> Mapping[str, LexiconSense]:
    """The sense of each piece of an answer. Where languages differ it is the one that changes
    least: a no, then what says nothing."""
    order = ("old one", "no", "filler", "opening", "for good", *get_args(NamedYes), "yes")
    told = {
        piece: next((s for s in order if s in held), None) for piece, held in _lexicon().items()
    }
    return {piece: sense for piece, sense in told.items() if sense is not None}


HISTORY_CHOICES = (
    "The conversations it came from lose their sentences about it; say “yes, but keep the "
    "messages” or “yes, and delete the messages” for something else."
)
MESSAGE_CHOICES = (
    "Say “yes, but keep the messages” or “yes, and delete the messages” for something else."
)
_CHOICE = re.compile(
    r"(?:(?<![\s,;.–—-])[\s,;.–—-]+)?\b(?:(?:and|but)\s+)?(?P<what>keep|leave|delete|remove|redact)\s+"
    r"(?:all\s+)?(?:of\s+)?(?:(?:the|my|those|these|our)\s*)?(?:whole\s+)?"
    r"(?:messages?|conversations?|chats?|history)\b"
    r"(?:\s+(?:too|as well|as they are|alone))?[\s.!]*$",
    re.IGNORECASE,
)


def split_history_choice(text: str) -> tuple[str, HistoryChoice]:
    """The answer without the choice, and the choice; “redact” where none is said. Pure."""
    match = _CHOICE.search(text)
    if match is None:
        return text, "redact"
    what = match["what"].casefold()
    chosen: HistoryChoice = "keep" if what in {"keep", "leave"} else "delete"
    return text[: match.start()], "redact" if what == "redact" else chosen


# Nothing else of a message is looked at that has one of these.
_TAKES_ALL = frozenset({"do_not_remember", "erase_me"})
_OF_MEMORY = ORDERS
_FORGETTING = frozenset({"forget", "do_not_remember"})
_REMEMBERING = frozenset({"remember", "remember_anyway"})


@dataclass(frozen=True)
class ReceivedMessage:
    """`text` is what was said, and `redacted` the same without its secrets, which are of `secrets`.
    `words` are what commands, questions and answers are read from; `whole` says that nothing of
    the text is missing in them, see `memory.text.to_readable`. `reading` is what it means, and
    `commands` those that are in it, in order. `requests` sounded like commands to memory and ask
    for something else: they are talk, and nothing of them is kept. `held_back` tells of a secret
    that is only guessed to be one, as it was said; None where there is none, or one that surely is.
    """

    text: str
    redacted: str
    secrets: frozenset[SecretKind]
    words: str
    whole: bool
    reading: Interpretation = field(default_factory=Interpretation)
    commands: tuple[Command, ...] = ()
    requests: tuple[Command, ...] = ()
    held_back: str | None = None

    @classmethod
    async def listen(cls, text: str, reader: MessageReader) -> Self:
        """On a thread: of a long text the secrets alone take a second to look for."""
        return await asyncio.to_thread(cls._of, text, reader)

    def told(self, commands: Sequence[Command]) -> str | None:
        """What it says beside the commands that “save that” may mean: no question, request or small
        talk; None where it says nothing of that kind."""
        told = [each.text for each in self.beside(commands) if _may_be_saved(each)]
        return self.redacted if len(told) == len(self.reading.segments) else " ".join(told) or None

    @property
    def is_small_talk(self) -> bool:
        return all(each.kind == "small_talk" for each in self.reading.segments)

    @property
    def perhaps(self) -> Command | None:
        """A wish to forget that is one only where memory holds what it names."""
        others = [each for each in self.commands if each.name not in _FORGETTING]
        return _forgetting(
            [
                each
                for each in self.reading.segments
                if each.may_ask_to_forget and not _is_of(each, others)
            ]
        )

    @property
    def may_correct(self) -> bool:
        """Whether it may correct what was told before, and commands nothing else."""
        if self.commands:
            return [each.name for each in self.commands] == ["edit"]
        return any(each.may_correct for each in self.reading.segments)

    @property
    def sounds_like_correction(self) -> bool:
        """Whether that is worth waiting for what is still being learned."""
        shares = (each.correcting for each in self.reading.segments)
        return bool(self.commands) or max(shares, default=0.0) >= SOUNDS_CORRECTING_FROM

    def tells(self, command: Command) -> bool:
        """Whether what was said tells something, as a correction without a command does."""
        return any(
            each.kind in STATEMENTS and _is_of(each, [command]) for each in self.reading.segments
        )

    def with_requests(self, requests: Sequence[Command]) -> ReceivedMessage:
        """What brings new words brings them for a text, which goes on to the end of its line, or of
        the message where it has lines of its own; the others tell something."""
        texts = [each for each in requests if each.text is not None and not self.tells(each)]
        return replace(self, requests=tuple(map(self._with_text, texts)))

    def beside(self, commands: Sequence[Command]) -> tuple[Segment, ...]:
        """What is said beside the commands that are obeyed, beside requests, and beside what is to
        be left out of memory."""
        said = self._kept
        if any(each.name in _TAKES_ALL for each in commands):
            return ()

        def is_done(segment: Segment) -> bool:
            of_memory = segment.kind in _OF_MEMORY and not segment.asks
            return segment.may_ask_to_forget or of_memory or _is_of(segment, commands)

        def is_asked(segment: Segment) -> bool:
            unheard = segment.is_for_a_text and not _is_of(segment, self.commands)
            return unheard or _is_of(segment, self.requests)

        if not commands and not any(map(is_asked, said)):
            return said

        def is_out(segment: Segment) -> bool:
            return is_asked(segment) or (bool(commands) and is_done(segment))

        if any(each.before is not None for each in commands):  # nothing follows upon a correction
            return tuple(each for each in said if not is_out(each))
        return remaining_segments(said, is_out)

    @property
    def left_out(self) -> tuple[str, ...]:
        """What is to be left out of memory; nothing where that is the whole message."""
        kept = {each.start for each in self._kept}
        return tuple(each.text for each in self.reading.segments if kept and each.start not in kept)

    @property
    def _kept(self) -> tuple[Segment, ...]:
        """Nothing, where only the command to leave something out was heard, and not in which of its
        parts."""
        wishes = [each for each in self.reading.segments if each.leaves_out]
        told = [each for each in self.reading.orders if each.name == "do_not_remember"]
        if any(not any(_is_of(wish, [each]) for wish in wishes) for each in told):
            return ()
        return without_left_out(self.reading.segments)

    def _with_text(self, request: Command) -> Command:
        read = to_readable(self.redacted)
        said = read[request.start : request.end]
        if ":" not in said:
            return request
        line = read.find("\n", request.end)
        whole = line < 0 or said.rstrip().endswith(":") or "\n" in said
        return replace(request, end=len(read) if whole else line)

    @classmethod
    def _of(cls, text: str, reader: MessageReader) -> Self:
        secrets = frozenset(secret.kind for secret in find_secrets(text))
        redacted = redact(text) if secrets else text
        reading = reader.read(MessageText(redacted, local_clock()))
        commands = tuple(_as_typed(each, redacted) for each in find_commands(reading))
        heard = cls(
            text, redacted, secrets, to_readable(text), is_read_whole(text), reading, commands
        )
        return replace(heard, held_back=heard._guessed_secret())

    def _guessed_secret(self) -> str | None:
        if not self.secrets or find_sure_secrets(self.text):
            return None
        asked = [each.text for each in self.commands if each.name == "remember" and each.text]
        parts = asked or [each.text for each in self._kept]
        return restore(" ".join(filter(is_redacted, parts)), self.text) or None


def find_commands(reading: Interpretation) -> tuple[Command, ...]:
    """What a message commands, in order. All that it wants forgotten is one command; what asks to
    be left out of memory counts where nothing is to be forgotten. A sentence that most probably
    wants something forgotten is not kept, whatever else is in it."""
    kept = [each for each in reading.orders if each.name in _REMEMBERING]
    wishes = [each for each in reading.segments if each.kind == "forget" and _is_of(each, kept)]
    orders = [each for each in reading.orders if not _is_only(each, wishes, reading)]
    found = [_command_of(each, reading) for each in orders if each.name not in _FORGETTING]
    rest = [each for each in reading.segments if not _is_of(each, found)]
    told = [each for each in orders if each.name == "forget"]
    wishes += [each for each in rest if each.forgets or _is_of(each, told)]
    wishes = [each for each in reading.segments if each in wishes]
    forgetting = _forgetting(wishes) or _leaving_out(reading, rest)
    if forgetting is not None:
        found.append(forgetting)
    return tuple(sorted(found, key=lambda each: each.start))


def _is_only(order: CommandMention, wishes: Sequence[Segment], reading: Interpretation) -> bool:
    """Whether nothing but the wishes is said in it."""
    said = [each for each in reading.segments if _is_of(each, [order])]
    return bool(said) and all(each in wishes for each in said)


def parse_commands(text: str, reader: MessageReader) -> tuple[Command, ...]:
    """Those of a text that is no turn. Blocking."""
    return find_commands(reader.read(MessageText(text, local_clock())))


def _command_of(order: CommandMention, reading: Interpretation) -> Command:
    """“I live in Oslo. Remember that.” keeps what is told before it."""
    command = Command(order.name, said=order.text, start=order.start, end=order.end)
    if order.name == "edit":
        return replace(command, about=order.object, old=order.old, text=order.new)
    if order.name not in _REMEMBERING:
        return replace(command, about=order.object)
    if order.object is not None and (kept := _without_courtesies(order.object)):
        return replace(command, text=kept)
    before = [each for each in reading.segments if each.end <= order.start]
    told = _last_told(before)
    text = " ".join(each.text for each in told) or None
    start = told[0].start if told and told[-1] is before[-1] else order.start
    return replace(command, text=text, start=start)


def _last_told(segments: Sequence[Segment]) -> list[Segment]:
    """The statements that follow one another and are the last."""
    runs = groupby(segments, lambda each: each.kind in STATEMENTS and not each.asks)
    return next((told for told in reversed([list(run) for is_told, run in runs if is_told])), [])


def _may_be_saved(segment: Segment) -> bool:
    is_other = segment.kind == "small_talk" or segment.kind in ORDERS
    return not segment.asks and not segment.is_order and (segment.tells or not is_other)


def _as_typed(command: Command, message: str) -> Command:
    """Of several lines the space is a part, which is not read."""
    if command.text is None or "\n" not in command.text:
        return command
    typed = re.search(r"\s+".join(map(re.escape, command.text.split())), message)
    return command if typed is None else replace(command, text=typed[0])


_SET_OFF = re.compile(r"(?:[,.;:!?…–—-]\s*|\n\s*)$")
_LOOSE = " \t\n.,;:!…–—"


def _without_courtesies(kept: str) -> str:
    while (at := _courtesy(kept)) is not None:
        kept = kept[:at].rstrip(_LOOSE)
    return kept


def _courtesy(words: str) -> int | None:
    """Where what is surely said to the assistant behind the words begins: a courtesy that a mark
    sets off, or “please” by itself; None where nothing is."""
    for start in [each.start() for each in re.finditer(r"\S+", words)][-_MOST_WORDS:]:
        senses = _lexicon().get(" ".join(_words(words[start:])), frozenset())
        if "courtesy" in senses and ("opening" in senses or _SET_OFF.search(words[:start])):
            return start
    return None


def _forgetting(wishes: Sequence[Segment]) -> Command | None:
    """Each that stands alone and names something is a wish of its own, with those that follow."""
    if not wishes:
        return None
    said: list[tuple[str, str]] = []
    for each in wishes:
        text, named = (" ".join(words.split()) for words in (each.text, each.object))
        goes_on = said and not (each.alone and named)
        before, what = said.pop() if goes_on else ("", "")
        told = text if named in f"{before} {text}" else f"{named} {text}"
        said.append((f"{before} {told}".strip(), what or named))
    return Command(
        "forget",
        about="\n".join(text for text, _ in said),
        for_good=any(is_for_good(each.text) for each in wishes),
        points_back=any(each.points_back for each in wishes),
        as_said=True,
        named=tuple(named for _, named in said),
        start=wishes[0].start,
        end=wishes[-1].end,
    )


def _leaving_out(reading: Interpretation, segments: Sequence[Segment]) -> Command | None:
    """What points back wants what was told before to be forgotten."""
    told = [each for each in reading.orders if each.name == "do_not_remember"]
    asking = [each for each in segments if each.leaves_out or _is_of(each, told)]
    back = len(asking) == len(reading.segments) and all(each.names_nothing for each in asking)
    return Command("do_not_remember", points_back=back) if asking else None


def _is_of(segment: Segment, commands: Sequence[Command] | Sequence[CommandMention]) -> bool:
    return any(each.start < segment.end and segment.start < each.end for each in commands)


NO_MESSAGE = ReceivedMessage("", "", frozenset(), "", whole=True)
