"""The own dialogues: invented conversations, and which of their messages answer a question."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from eval.errors import DatasetUnreadable
from eval.evidence.corpus import Corpus, Piece, Question
from eval.reading import Strict, first_fault

FILE = Path(__file__).with_name("dialogues.json")
# The dialogues carry no dates: a minute apart from here, in their order.
_START = datetime(2026, 1, 1, tzinfo=UTC)


class DialogueMessage(Strict):
    """`speaker` is the name of who said it where two people talk, empty in a chat."""

    role: Literal["user", "assistant"]
    speaker: str
    content: Annotated[str, Field(min_length=1)]

    def told(self, kind: Kind) -> str:
        return f"{self.speaker}: {self.content}" if kind == "talk" else self.content


class DialogueQuestion(Strict):
    """`evidence` holds places in the dialogue's messages, from 0; none where they do not answer."""

    question: Annotated[str, Field(min_length=1)]
    evidence: tuple[Annotated[int, Field(ge=0)], ...]


Kind = Literal["chat", "talk"]


class Dialogue(Strict):
    """A "chat" of a user with an assistant, or a "talk" of two people, each message under the name
    of who said it."""

    name: Annotated[str, Field(min_length=1)]
    kind: Kind
    messages: Annotated[tuple[DialogueMessage, ...], Field(min_length=1)]
    questions: tuple[DialogueQuestion, ...]

    @model_validator(mode="after")
    def _within(self) -> Self:
        highest = max((place for each in self.questions for place in each.evidence), default=-1)
        if highest >= len(self.messages):
            raise ValueError(f"{self.name} has no message {highest}")
        if self.kind == "talk" and not all(message.speaker for message in self.messages):
            raise ValueError(f"{self.name} has a message that nobody said")
        return self

    def as_corpus(self) -> Corpus:
        pieces = tuple(
            Piece(
                message.told(self.kind),
                "note",
                _START + timedelta(minutes=place),
                _names(place),
                message.role,
            )
            for place, message in enumerate(self.messages)
        )
        questions = tuple(
            Question(str(number), self.kind, each.question, _names(*each.evidence))
            for number, each in enumerate(self.questions)
        )
        return Corpus(self.name, pieces, questions, pieces[-1].at + timedelta(days=1))


class Dialogues(Strict):
    conversations: Annotated[tuple[Dialogue, ...], Field(min_length=2)]


def load_dialogues(path: Path = FILE) -> list[Corpus]:
    """A corpus for each conversation. Raises DatasetUnreadable."""
    try:
        dialogues = Dialogues.model_validate_json(path.read_bytes())
    except OSError as error:
        raise DatasetUnreadable(path=path, reason=error.strerror or str(error)) from error
    except ValidationError as error:
        raise DatasetUnreadable(path=path, reason=first_fault(error)) from None
    return [dialogue.as_corpus() for dialogue in dialogues.conversations]


def _names(*places: int) -> frozenset[str]:
    return frozenset(map(str, places))
