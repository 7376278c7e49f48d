"""BEAM (Tavakoli et al., 2025): long chats between a user and an assistant, as JSON lines.

Read by path; its licence (CC BY-SA 4.0) keeps it out of this project's tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from eval.errors import DatasetUnreadable
from eval.evidence.corpus import Corpus, Piece, Question
from eval.evidence.rows import Line, conversations, of_conversation, read_rows

ABSTENTION = "abstention"
# For messages before the first that has a date.
_START = datetime(2024, 1, 1, tzinfo=UTC)


def _day(text: Any) -> datetime | None:
    """ "March-15-2024", taken as UTC."""
    if text is None:
        return None
    return datetime.strptime(str(text), "%B-%d-%Y").replace(tzinfo=UTC)


class Said(Line):
    id: int
    order: int
    at: Annotated[datetime | None, BeforeValidator(_day)] = None
    role: Literal["user", "assistant"]
    text: str


class Query(Line):
    id: str
    question: str
    category: str
    evidence: tuple[int, ...]


def load_beam(folder: Path) -> list[Corpus]:
    """A corpus for each chat. Raises DatasetUnreadable."""
    messages = read_rows(folder / "messages.jsonl", Said)
    queries = read_rows(folder / "queries.jsonl", Query)
    if not messages or not queries:
        raise DatasetUnreadable(path=folder, reason="it holds no messages or no queries")
    return [
        _corpus(name, of_conversation(messages, name), of_conversation(queries, name))
        for name in conversations(messages)
    ]


def _corpus(name: str, messages: Sequence[Said], queries: Sequence[Query]) -> Corpus:
    pieces = _pieces(sorted(messages, key=lambda message: message.order))
    questions = tuple(
        Question(query.id, query.category, query.question, frozenset(map(str, query.evidence)))
        for query in queries
    )
    return Corpus(name, pieces, questions, pieces[-1].at + timedelta(days=1))


def _pieces(messages: Sequence[Said]) -> tuple[Piece, ...]:
    """Each message on the last day that was named, a second after the one before it."""
    pieces: list[Piece] = []
    at = _START
    for message in messages:
        at = message.at or at + timedelta(seconds=1)
        evidence = frozenset({str(message.id)})
        pieces.append(Piece(message.text, "note", at, evidence, message.role))
    return tuple(pieces)
