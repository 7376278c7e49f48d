"""A conversation to be remembered, questions whose evidence lies in it, and how it is stored as a
user of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from eval.bulk_load import DatedMessage, load_conversation
from eval.errors import VectorsMissing
from eval.system import System
from memory.store.vectors import MissingVectorStore
from memory.types import MemoryType, NewMemory, Role


@dataclass(frozen=True)
class CorpusPiece:
    """Something to remember. `evidence` names what it holds, or what it rests on; `role` says whose
    message it is where it is kept as one."""

    text: str
    type: MemoryType
    at: datetime
    evidence: frozenset[str]
    role: Role = "user"

    def as_new_item(self) -> NewMemory:
        return NewMemory(content=self.text, type=self.type, created_at=self.at)


@dataclass(frozen=True)
class CorpusQuestion:
    """`evidence` is empty where the conversation does not answer it."""

    id: str
    category: str
    text: str
    evidence: frozenset[str]


@dataclass(frozen=True)
class Corpus:
    """One user's memories and the questions to them, asked at `now`."""

    name: str
    pieces: tuple[CorpusPiece, ...]
    questions: tuple[CorpusQuestion, ...]
    now: datetime


_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class StoredCorpus:
    """`covers` says by id what evidence each memory or message holds."""

    user_id: str
    covers: dict[str, frozenset[str]]

    @property
    def reachable(self) -> frozenset[str]:
        """The evidence that anything stored holds."""
        return _NOTHING.union(*self.covers.values())


async def store_as_memories(system: System, view: str, corpus: Corpus) -> StoredCorpus:
    """Keeps the pieces of a corpus as memories. Raises VectorsMissing."""
    user_id = _owner(view, corpus)
    ids = await system.store(user_id, [piece.as_new_item() for piece in corpus.pieces])
    return _stored(user_id, ids, corpus)


async def store_as_messages(system: System, view: str, corpus: Corpus) -> StoredCorpus:
    """Keeps the pieces of a corpus as the messages of one conversation. Raises VectorsMissing."""
    user_id = _owner(view, corpus)
    messages = list(_messages(corpus.pieces))
    await load_conversation(system.database, user_id, uuid4(), messages)
    await system.memory.embed_waiting(user_id)
    waiting = await MissingVectorStore(system.database).waiting("messages", user_id, len(messages))
    if waiting:
        raise VectorsMissing(count=len(waiting))
    return _stored(user_id, [message.id for message in messages], corpus)


def _messages(pieces: Sequence[CorpusPiece]) -> Iterator[DatedMessage]:
    """A turn is what the user says and all that is answered to it."""
    turn = uuid4()
    for piece in pieces:
        turn = uuid4() if piece.role == "user" else turn
        yield DatedMessage(uuid4(), piece.role, piece.text, turn, piece.at)


def _owner(view: str, corpus: Corpus) -> str:
    return f"eval:{view}:{corpus.name}"


def _stored(user_id: str, ids: Sequence[UUID], corpus: Corpus) -> StoredCorpus:
    kept = zip(ids, corpus.pieces, strict=True)
    return StoredCorpus(user_id, {str(each): piece.evidence for each, piece in kept})
