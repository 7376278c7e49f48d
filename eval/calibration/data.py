"""The own training data: invented people with their memories, invented dialogues, and which of
these answer a question."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from eval.corpus import Corpus, CorpusPiece, CorpusQuestion
from eval.files import StrictModel, read_json_file
from eval.training.data import OF_CALIBRATION, LabelledStore, load_labelled_stores
from memory.types import MemoryType

PAIRS_FILE = Path(__file__).with_name("pairs.json")
# The pairs carry no dates: a day apart from here, in their order.
_PAIRS_START = datetime(2026, 1, 1, tzinfo=UTC)


class PairMemory(StrictModel):
    content: Annotated[str, Field(min_length=1)]
    type: MemoryType


class PairQuery(StrictModel):
    """`relevant` holds places in the store's memories, from 0."""

    query: Annotated[str, Field(min_length=1)]
    relevant: tuple[Annotated[int, Field(ge=0)], ...]


class PairStore(StrictModel):
    name: Annotated[str, Field(min_length=1)]
    memories: tuple[PairMemory, ...]
    queries: tuple[PairQuery, ...]

    @model_validator(mode="after")
    def _within(self) -> Self:
        highest = max((place for query in self.queries for place in query.relevant), default=-1)
        if highest >= len(self.memories):
            raise ValueError(f"{self.name} has no memory {highest}")
        return self

    def as_corpus(self) -> Corpus:
        pieces = tuple(
            CorpusPiece(
                memory.content,
                memory.type,
                _PAIRS_START + timedelta(days=place),
                _places(place),
            )
            for place, memory in enumerate(self.memories)
        )
        questions = tuple(
            CorpusQuestion(str(number), "pairs", query.query, _places(*query.relevant))
            for number, query in enumerate(self.queries)
        )
        return Corpus(self.name, pieces, questions, _PAIRS_START + timedelta(days=365))


class CalibrationPairs(StrictModel):
    version: str
    description: str = ""
    stores: Annotated[tuple[PairStore, ...], Field(min_length=2)]


def load_calibration_pairs(path: Path = PAIRS_FILE) -> list[Corpus]:
    """A corpus for each store. Raises DatasetUnreadable."""
    pairs = read_json_file(path, CalibrationPairs)
    return [store.as_corpus() for store in pairs.stores]


def load_calibration_stores() -> list[Corpus]:
    """Those of the writers whom no model of the package learned from, each by itself. Raises
    DatasetUnreadable."""
    stores = [each for each in load_labelled_stores() if each.writer in OF_CALIBRATION]
    return [_as_corpus(f"{each.writer} {at}", each) for at, each in enumerate(stores)]


def _as_corpus(name: str, store: LabelledStore) -> Corpus:
    pieces = tuple(
        CorpusPiece(content, "fact", _PAIRS_START + timedelta(days=place), _places(place))
        for place, content in enumerate(store.memories)
    )
    questions = tuple(
        CorpusQuestion(str(number), "stores", each.text, _places(*each.answers))
        for number, each in enumerate(store.questions)
    )
    return Corpus(name, pieces, questions, _PAIRS_START + timedelta(days=365))


def _places(*places: int) -> frozenset[str]:
    return frozenset(map(str, places))


DIALOGUES_FILE = Path(__file__).with_name("dialogues.json")
# The dialogues carry no dates: a minute apart from here, in their order.
_DIALOGUES_START = datetime(2026, 1, 1, tzinfo=UTC)


DialogueKind = Literal["chat", "talk"]


class DialogueMessage(StrictModel):
    """`speaker` is the name of who said it where two people talk, empty in a chat."""

    role: Literal["user", "assistant"]
    speaker: str
    content: Annotated[str, Field(min_length=1)]

    def told(self, kind: DialogueKind) -> str:
        return f"{self.speaker}: {self.content}" if kind == "talk" else self.content


class DialogueQuestion(StrictModel):
    """`evidence` holds places in the dialogue's messages, from 0; none where they do not answer."""

    question: Annotated[str, Field(min_length=1)]
    evidence: tuple[Annotated[int, Field(ge=0)], ...]


class CalibrationDialogue(StrictModel):
    """A "chat" of a user with an assistant, or a "talk" of two people, each message under the name
    of who said it."""

    name: Annotated[str, Field(min_length=1)]
    kind: DialogueKind
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
            CorpusPiece(
                message.told(self.kind),
                "note",
                _DIALOGUES_START + timedelta(minutes=place),
                _places(place),
                message.role,
            )
            for place, message in enumerate(self.messages)
        )
        questions = tuple(
            CorpusQuestion(str(number), self.kind, each.question, _places(*each.evidence))
            for number, each in enumerate(self.questions)
        )
        return Corpus(self.name, pieces, questions, pieces[-1].at + timedelta(days=1))


class CalibrationDialogues(StrictModel):
    conversations: Annotated[tuple[CalibrationDialogue, ...], Field(min_length=2)]


def load_dialogues(path: Path = DIALOGUES_FILE) -> list[Corpus]:
    """A corpus for each conversation. Raises DatasetUnreadable."""
    dialogues = read_json_file(path, CalibrationDialogues)
    return [dialogue.as_corpus() for dialogue in dialogues.conversations]
