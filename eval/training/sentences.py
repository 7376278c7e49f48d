"""Labelled messages, sentences and pairs, one JSON object a line, one file for each writer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import Field, ValidationError, model_validator

from eval.errors import DatasetUnreadable
from eval.reading import Strict, first_fault
from memory.understanding import STATEMENTS, Category, CommandName, Kind, Lifetime
from memory.understanding.relations import Relation

HERE = Path(__file__).parent
# Read by what tells kinds alone: in these nobody marked what cannot stand by itself.
WISHES, DAYS, LIVES = HERE / "wishes", HERE / "days", HERE / "lives"
Language = Annotated[str, Field(min_length=2, max_length=2)]
Label = Literal["do_not_remember", "points_back", "other"]
Bank = Literal["Personal", "Work", "General", "Relationships", "Health", "Interests", "Events"]
Line = TypeVar("Line", bound=Strict)


class Labelled(Strict):
    """`language` is its two letters; `writer` is who wrote it, without a name."""

    text: Annotated[str, Field(min_length=1)]
    label: Label
    language: Language
    writer: Annotated[str, Field(min_length=1)]


class LabelledSegment(Strict):
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


class LabelledMessage(Strict):
    """The segments of one message in their order. Those of a `person` are a life, day by day."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    person: str = ""
    day: str = ""
    segments: Annotated[tuple[LabelledSegment, ...], Field(min_length=1)]


class MarkedSentence(Strict):
    """Each secret in it stands between ⟦ and ⟧. All are invented."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    text: Annotated[str, Field(min_length=1)]


class LabelledNew(Strict):
    """`relation` is how it stands to the text that was told before."""

    text: Annotated[str, Field(min_length=1)]
    relation: Relation


class LabelledPairs(Strict):
    """A family: what was told before, and what the same person may tell later."""

    language: Language
    writer: Annotated[str, Field(min_length=1)]
    old: Annotated[str, Field(min_length=1)]
    new: Annotated[tuple[LabelledNew, ...], Field(min_length=1)]


class LabelledCommand(Strict):
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


def load_commands(folder: Path = HERE / "commands") -> list[LabelledCommand]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledCommand)


def load_sentences(folder: Path = HERE / "do_not_remember") -> list[Labelled]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, Labelled)


def load_messages(folder: Path = HERE / "messages") -> list[LabelledMessage]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledMessage)


def load_secrets(folder: Path = HERE / "secrets") -> list[MarkedSentence]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, MarkedSentence)


def load_pairs(folder: Path = HERE / "pairs") -> list[LabelledPairs]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    return _load(folder, LabelledPairs)


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
