"""BEAM (Tavakoli et al., 2025): long chats between a user and an assistant, as JSON lines.

Read by path; its licence (CC BY-SA 4.0) keeps it out of this project's tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from eval.corpus import Corpus, CorpusPiece, CorpusQuestion
from eval.errors import DatasetUnreadable
from eval.files import ConversationRow, conversation_names, read_json_lines, rows_of_conversation

ABSTENTION = "abstention"
# For messages before the first that has a date.
_START = datetime(2024, 1, 1, tzinfo=UTC)


def _day(text: Any) -> datetime | None:
    """ "March-15-2024", taken as UTC."""
    if text is None:
        return None
    return datetime.strptime(str(text), "%B-%d-%Y").replace(tzinfo=UTC)


class BeamMessage(ConversationRow):
    id: int
    order: int
    at: Annotated[datetime | None, BeforeValidator(_day)] = None
    role: Literal["user", "assistant"]
    text: str


class BeamQuery(ConversationRow):
    id: str
    question: str
    category: str
    evidence: tuple[int, ...]


def load_beam(folder: Path) -> list[Corpus]:
    """A corpus for each chat. Raises DatasetUnreadable."""
    messages = read_json_lines(folder / "messages.jsonl", BeamMessage)
    queries = read_json_lines(folder / "queries.jsonl", BeamQuery)
    if not messages or not queries:
        raise DatasetUnreadable(path=folder, reason="it holds no messages or no queries")
    return [
        _corpus(name, rows_of_conversation(messages, name), rows_of_conversation(queries, name))
        for name in conversation_names(messages)
    ]


def _corpus(name: str, messages: Sequence[BeamMessage], queries: Sequence[BeamQuery]) -> Corpus:
    pieces = _pieces(sorted(messages, key=lambda message: message.order))
    questions = tuple(
        CorpusQuestion(
            query.id, query.category, query.question, frozenset(map(str, query.evidence))
        )
        for query in queries
    )
    return Corpus(name, pieces, questions, pieces[-1].at + timedelta(days=1))


def _pieces(messages: Sequence[BeamMessage]) -> tuple[CorpusPiece, ...]:
    """Each message on the last day that was named, a second after the one before it."""
    pieces: list[CorpusPiece] = []
    at = _START
    for message in messages:
        at = message.at or at + timedelta(seconds=1)
        evidence = frozenset({str(message.id)})
        pieces.append(CorpusPiece(message.text, "note", at, evidence, message.role))
    return tuple(pieces)
