"""Labelled messages, sentences and pairs, one JSON object a line, one file for each writer; and
segments put together again as messages, in the ways in which people type them."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import Field, ValidationError, model_validator

from eval.errors import DatasetUnreadable
from eval.files import StrictModel, first_fault
from memory.understanding import STATEMENTS, Category, CommandName, Kind, Lifetime
from memory.understanding.relations import Relation

TRAINING_FOLDER = Path(__file__).parent
# Read by what tells kinds alone: in these nobody marked what cannot stand by itself.
WISHES_FOLDER, DAYS_FOLDER = TRAINING_FOLDER / "wishes", TRAINING_FOLDER / "days"
LIVES_FOLDER = TRAINING_FOLDER / "lives"
# Writers of questions whose stores are left to what is fitted on finished models.
OF_CALIBRATION = frozenset({"r18", "r24", "r25"})
# Of corrections, one who is never learned from.
OF_CORRECTIONS_LEFT_OUT = "k9"
# Pairs that mark what holds no more of an older text, a sixth of those by three writers, from which
# that is never learned.
OF_OUTDATED_LEFT_OUT = "q28"
Language = Annotated[str, Field(min_length=2, max_length=2)]
Label = Literal["do_not_remember", "points_back", "other"]
Bank = Literal["Personal", "Work", "General", "Relationships", "Health", "Interests", "Events"]
Miss = Literal[
    "attribute", "person", "topic", "wish", "time", "detail", "premise", "sense", "nothing"
]
Line = TypeVar("Line", bound=StrictModel)


class LabelledSentence(StrictModel):
    """`language` is its two letters; `writer` is who wrote it, without a name."""

    text: Annotated[str, Field(min_length=1)]
    label: Label
    language: Language
    writer: Annotated[str, Field(min_length=1)]


class LabelledSegment(StrictModel):
    """`category`, `bank` and `lifetime` are those of a statement, None for all else; `alone` says
    that it can be understood without the segments before it. In a life `id` names a statement, and
    `of` says how it stands to earlier ones. `command`, `object`, `old` and `new` as in
    LabelledCommand. A secret stands between ⟦ and ⟧."""

    text: Annotated[str, Field(min_length=1)]
    kind: Kind
    category: Category | None = None
    bank: Bank | None = None
    lifetime: Lifetime | None = None
    alone: bool = True
    id: str | None = None
    of: dict[str, Relation] = Field(default_factory=dict)
    command: CommandName | None = None
    object: str = ""
    old: str = ""
    new: str = ""

    @model_validator(mode="after")
    def _whole(self) -> LabelledSegment:
        told = {self.category, self.bank, self.lifetime}
        if (self.kind in STATEMENTS) != (None not in told):
            raise ValueError("a statement has a category, a bank and a lifetime, and nothing else")
        return self


class LabelledMessage(StrictModel):
    """The segments of one message in their order. Those of a `person` are a life, day by day."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    person: str = ""
    day: str = ""
    segments: Annotated[tuple[LabelledSegment, ...], Field(min_length=1)]


class MarkedSentence(StrictModel):
    """Each secret in it stands between ⟦ and ⟧. All are invented."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    text: Annotated[str, Field(min_length=1)]


class LabelledStatement(StrictModel):
    """`relation` is how it stands to the text that was told before; `gone` are the words of that
    which hold no more, where somebody marked them: what is left reads well and is true."""

    text: Annotated[str, Field(min_length=1)]
    relation: Relation
    gone: tuple[str, ...] | None = None


class LabelledFamily(StrictModel):
    """A family: what was told before, and what the same person may tell later."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    old: Annotated[str, Field(min_length=1)]
    new: Annotated[tuple[LabelledStatement, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _marked(self) -> LabelledFamily:
        marked = [words for each in self.new for words in each.gone or ()]
        if any(self.old.count(words) != 1 for words in marked):
            raise ValueError("what has gone stands in the old text once")
        return self


class Frames(StrictModel):
    """Ways to tell one thing, with {v} in the place of its value: `say` tells it, `change` that it
    is another one now, `end` that it is over; `also` tells something else of the same person,
    `other` of somebody else. Of what one has "many", all that is said holds."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    kind: Literal["one", "many"]
    thing: str
    say: Annotated[tuple[str, ...], Field(min_length=4)]
    change: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    values: Annotated[tuple[str, ...], Field(min_length=6)]


class LabelledCommand(StrictModel):
    """`command` is "none" for talk that is none. `object` are the words of the text that it is
    about, and of an edit `old` those that `new` shall stand for; empty where it names nothing, or
    nobody marked it."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    text: Annotated[str, Field(min_length=1)]
    command: Literal["none"] | CommandName
    object: str = ""
    old: str = ""
    new: str = ""


class LabelledQuestion(StrictModel):
    """`answers` and `related` are places in its store's memories, from 0: what says the answer by
    itself, and what is near and does not. `miss` says how what is near misses."""

    text: Annotated[str, Field(min_length=1)]
    language: Language
    answers: tuple[Annotated[int, Field(ge=0)], ...] = ()
    related: tuple[Annotated[int, Field(ge=0)], ...] = ()
    miss: Miss | None = None


class LabelledStore(StrictModel):
    """What one person told, and questions that it answers or nearly answers."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    memories: Annotated[tuple[str, ...], Field(min_length=1)]
    questions: Annotated[tuple[LabelledQuestion, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _within(self) -> LabelledStore:
        for each in self.questions:
            named = [*each.answers, *each.related]
            if len(set(named)) < len(named) or max(named, default=0) >= len(self.memories):
                raise ValueError(f"of “{each.text}” a memory is named twice or is not there")
        return self


class LabelledPastQuestion(StrictModel):
    """`past` says that it asks for what was true before and may have been replaced since."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    text: Annotated[str, Field(min_length=1)]
    past: bool


class LabelledCorrection(StrictModel):
    """What is `said` to correct the memory in the place `of`, which says `after` then; both are
    None where what is said corrects none of the memories."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    memories: Annotated[tuple[str, ...], Field(min_length=1)]
    said: Annotated[str, Field(min_length=1)]
    of: Annotated[int, Field(ge=0)] | None
    after: str | None

    @model_validator(mode="after")
    def _within(self) -> LabelledCorrection:
        if (self.of is None) != (self.after is None):
            raise ValueError("a memory is named without what it says then, or the other way round")
        if self.of is not None and self.of >= len(self.memories):
            raise ValueError("the memory that is corrected is not there")
        return self


def load_past_questions(folder: Path = TRAINING_FOLDER / "past") -> list[LabelledPastQuestion]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledPastQuestion)


def load_labelled_corrections(
    folder: Path = TRAINING_FOLDER / "corrections",
) -> list[LabelledCorrection]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledCorrection)


def load_labelled_stores(folder: Path = TRAINING_FOLDER / "questions") -> list[LabelledStore]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledStore)


def load_labelled_commands(folder: Path = TRAINING_FOLDER / "commands") -> list[LabelledCommand]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledCommand)


def load_labelled_sentences(
    folder: Path = TRAINING_FOLDER / "do_not_remember",
) -> list[LabelledSentence]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledSentence)


def load_labelled_messages(folder: Path = TRAINING_FOLDER / "messages") -> list[LabelledMessage]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledMessage)


def load_marked_sentences(folder: Path = TRAINING_FOLDER / "secrets") -> list[MarkedSentence]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, MarkedSentence)


def load_labelled_families(folder: Path = TRAINING_FOLDER / "pairs") -> list[LabelledFamily]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledFamily)


def load_frames(folder: Path = TRAINING_FOLDER / "frames") -> list[Frames]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, Frames)


def _load(folder: Path, kind: type[Line]) -> list[Line]:
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                found.append(kind.model_validate_json(line))
            except ValidationError as error:
                raise DatasetUnreadable(path=path, reason=first_fault(error)) from None
    if not found:
        raise DatasetUnreadable(path=folder, reason="it holds no labelled sentence")
    return found


# Writers of data put each segment on a line of its own, mostly without the mark that ends it.
# How often each mark stands there, by the style of the message; estimates.
_MARKS = (". ", ", ", " ", "\n", " - ", "! ", "... ", " — ", "; ")
_STYLES = (
    (80, 10, 1, 1, 2, 3, 1, 1, 1),
    (80, 10, 1, 1, 2, 3, 1, 1, 1),
    (30, 50, 5, 1, 6, 2, 3, 1, 2),
    (10, 25, 55, 2, 4, 1, 3, 0, 0),
    (15, 10, 2, 68, 2, 2, 1, 0, 0),
)
_CAPITAL, _FULL_STOP, _SPACE = 0.9, 0.6, 0.9


@dataclass(frozen=True)
class TypedMessage:
    """A message as it was typed: segment n goes from `starts[n]` to the next start."""

    text: str
    starts: tuple[int, ...]

    def segments(self) -> list[str]:
        ends = (*self.starts[1:], len(self.text))
        return [self.text[a:b].strip() for a, b in zip(self.starts, ends, strict=True)]


@dataclass(frozen=True)
class CapitalUse:
    """How a message uses them; `none` where it begins without one."""

    language: str
    none: bool
    common: Collection[str]

    def lower_first_word(self, text: str) -> bool:
        """Whether its first word has one only where it begins a sentence."""
        first = text.split(maxsplit=1)[0].casefold()
        of_oneself = first.partition("'")[0] == "i"
        return first in self.common and not of_oneself and self.language != "de"


def common_words(messages: Sequence[LabelledMessage]) -> set[str]:
    """Words that somebody wrote with a small letter: no names."""
    return {
        word
        for message in messages
        for segment in message.segments
        for word in segment.text.split()[1:]
        if word.islower()
    }


def type_message(
    message: LabelledMessage, common: Collection[str], rng: random.Random
) -> TypedMessage:
    """With a mark between two segments where the writer left none."""
    style = rng.choice(_STYLES)
    small = message.segments[0].text[:1].islower()
    capitals = CapitalUse(message.language, small, common)
    text, starts = "", [0]
    for segment in message.segments:
        if text:
            mark = _mark(text, style, rng)
            text += mark
            starts.append(len(text))
            text += _begun(segment.text, mark, capitals, rng)
        else:
            text = segment.text
    if text[-1].isalnum() and not small and rng.random() < _FULL_STOP:
        text += "."
    return TypedMessage(text, tuple(starts))


def _mark(text: str, style: Sequence[int], rng: random.Random) -> str:
    if text[-1].isalnum() or text[-1] in ")\"»'":
        return rng.choices(_MARKS, style)[0]
    return " " if rng.random() < _SPACE else "\n"


def _begun(text: str, mark: str, capitals: CapitalUse, rng: random.Random) -> str:
    """With a capital after a full stop, and none in the midst of a sentence but for a name."""
    if rng.random() >= _CAPITAL:
        return text
    if mark[0] in ".!\n":
        return text if capitals.none else text[:1].upper() + text[1:]
    return text[:1].lower() + text[1:] if capitals.lower_first_word(text) else text
