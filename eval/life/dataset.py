"""Everyday conversations as JSON files, one for each person: what they say day by day, what memory
holds then, and what is asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from eval.errors import DatasetUnreadable
from eval.reading import Strict, read_set, repeats

FOLDER = Path(__file__).parent / "conversations"
TurnKind = Literal[
    "fact", "preference", "chitchat", "question", "update", "end", "both_live", "dont", "forget",
    "mixed", "correct", "pin", "secret", "feeling", "plan", "project", "procedure", "span", "long",
    "quote",
]  # fmt: skip
QuestionKind = Literal[
    "direct", "paraphrase", "person", "time", "list", "current", "past", "advice", "silent"
]


def _lower(word: str) -> str:
    if word != word.lower() or not word.strip():
        raise ValueError(f"“{word}” has to be in lower case, as memories are compared")
    return word


Group: TypeAlias = Annotated[
    tuple[Annotated[str, AfterValidator(_lower)], ...], Field(min_length=1)
]
"""Words that stand together in one memory."""

Groups: TypeAlias = tuple[Group, ...]


def _as_groups(given: Any) -> Any:
    """One group may stand for a list of one."""
    if not isinstance(given, list):
        return given
    alone = given and all(isinstance(word, str) for word in given)
    groups = [given] if alone else given
    return tuple(tuple(each) if isinstance(each, list) else each for each in groups)


class Row(Strict):
    model_config = ConfigDict(strict=True)


class Turn(Row):
    """`present` are the groups of which each stands in some active memory after it, `absent` those
    that stand in none."""

    id: Annotated[str, Field(min_length=1)]
    day: date
    kind: TurnKind
    say: Annotated[str, Field(min_length=1)]
    present: Groups = ()
    absent: Groups = ()


class Question(Row):
    """Asked on `day`, after the turn of that id. Each group of `want` stands in one of the first
    memories returned, none of `not_first` in the first; `silent`: nothing remembered answers it."""

    after: str
    day: date
    kind: QuestionKind
    ask: Annotated[str, Field(min_length=1)]
    want: Groups = ()
    not_first: Annotated[Groups, BeforeValidator(_as_groups)] = ()
    silent: bool = False

    @model_validator(mode="after")
    def _answered_or_silent(self) -> Self:
        if self.silent == bool(self.want):
            raise ValueError("a question wants something, or is silent")
        return self


class Conversation(Row):
    """One person's. `name` is that of the file."""

    name: str = ""
    persona: Annotated[str, Field(min_length=1)]
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")]
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]
    questions: tuple[Question, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if twice := repeats([turn.id for turn in self.turns]):
            raise ValueError(f"these turns appear twice: {', '.join(twice)}")
        known = {turn.id for turn in self.turns}
        for place, question in enumerate(self.questions):
            if question.after not in known:
                raise ValueError(f"questions.{place}.after: there is no turn {question.after}")
        for (_, before), (where, day) in pairwise(self._days()):
            if day < before:
                raise ValueError(f"{where}: {day} is before {before}, and no day comes back")
        return self

    def asked_after(self, turn: Turn) -> list[tuple[int, Question]]:
        """The questions that follow a turn, with their places in the file."""
        return [each for each in enumerate(self.questions) if each[1].after == turn.id]

    def _days(self) -> list[tuple[str, date]]:
        """Where each day is named, in the order in which they are lived."""
        days = []
        for place, turn in enumerate(self.turns):
            days.append((f"turns.{place}.day", turn.day))
            days += [(f"questions.{at}.day", each.day) for at, each in self.asked_after(turn)]
        return days


def load_conversations(folder: Path = FOLDER, limit: int | None = None) -> Sequence[Conversation]:
    """Those of the folder's JSON files in the order of their names, at most `limit`.

    Raises DatasetUnreadable, naming the file and the field.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise DatasetUnreadable(path=folder, reason="it is no folder with JSON files in it")
    return [_named(read_set(file, Conversation), file.stem) for file in files[:limit]]


def _named(conversation: Conversation, name: str) -> Conversation:
    return conversation.model_copy(update={"name": name})
