"""What is worth keeping of a message: what an extraction is given and gives back, and the
extraction that needs no language model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, SkipValidation

from memory.ingestion.classification import base_importance, item_type_of, resolve_bank
from memory.ingestion.deduplication import relations_told
from memory.secrets import SECRET_KINDS
from memory.types import (
    BANKS,
    DEFAULT_BANK,
    MAX_MEMORY_CHARS,
    FrozenModel,
    MemoryType,
    PrintableName,
    Role,
    UnitInterval,
)
from memory.understanding import (
    Category,
    Interpretation,
    MessageReader,
    MessageText,
    Segment,
    remaining_segments,
    without_left_out,
)
from memory.understanding.relations import Relations
from memory.understanding.sentences import is_question


class ExtractionInput(FrozenModel):
    """One message as ingestion sees it: what was said, by whom and when.

    `said_at` carries the offset of the person's clock, against which “last Friday” is read.
    `reading` is what it means, None where nothing has read it yet. `before` was told just before,
    where the message begins with what cannot be understood without it.
    """

    text: str
    said_at: datetime
    role: Role = "user"
    message_id: UUID | None = None
    reading: SkipValidation[Interpretation] | None = None
    before: str = ""


class MemoryCandidate(FrozenModel):
    """One thing worth keeping, as a sentence that can be understood alone.

    `occurred_at` is when it happened or will happen, where the words say so; `expires_at` is when
    what passes is of no worth any more. `asked` says that the user asked for it to be kept, `told`
    how it stands to memories, by their words, that its reader was shown.
    """

    content: Annotated[str, Field(min_length=1, max_length=MAX_MEMORY_CHARS)]
    type: MemoryType
    category: Category
    bank: Annotated[str, PrintableName, Field(max_length=50)] = DEFAULT_BANK
    importance: UnitInterval = 0.5
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    asked: bool = False
    told: SkipValidation[Mapping[str, Relations]] = Field(default_factory=dict)


Worth = Literal["statement", "preference", "nothing"]


# Advice, offers and how a thing is done are no facts of the user.
_OF_THE_USER = re.compile(
    r"(?:your\b|you(?:'re|'ve)?\b(?!(?:'ll|'d)| (?:\w+ly )?(?:can|could|should|may|might|must|will"
    r"|would|shall|ought|need|want|have to)\b))",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b(?!\.)", re.IGNORECASE)
_YOU = re.compile(r"\b(?:you are|you're|you were|yourself|yours|your|you)\b", re.IGNORECASE)
_TURNED = {
    "you are": "I am",
    "you're": "I'm",
    "you were": "I was",
    "yourself": "myself",
    "yours": "mine",
    "your": "my",
}
_SUBJECT_FOLLOWS = re.compile(
    r"(?:^|[,;:]|\b(?:and|but|or|that|because|since|when|where)) *$", re.I
)


def to_first_person(sentence: str) -> str:
    """ "You prefer uv" → "I prefer uv"; empty for what asks or advises, and for what the assistant
    says of itself."""
    sentence = " ".join(sentence.replace("’", "'").split())
    if sentence.endswith("?") or _OF_ITSELF.search(sentence) or not _OF_THE_USER.match(sentence):
        return ""
    turned = _YOU.sub(_mine, sentence)
    return turned[0].upper() + turned[1:]


def _mine(match: re.Match[str]) -> str:
    """ "You" is "I" as the subject of a clause, else "me"."""
    subject = _SUBJECT_FOLLOWS.search(match.string[: match.start()]) is not None
    return _TURNED.get(match[0].lower(), "I" if subject else "me")


DEFAULT_MIN_CHARS = 8
DEFAULT_ROLES: frozenset[Role] = frozenset({"user"})
MAX_CANDIDATES = 24
MAX_CONTENT_CHARS = 1000
MAX_SUBJECT_CHARS = 120
# What passes is kept for a season, and so is what was to happen on a day.
PASSES_AFTER = timedelta(days=90)
# 003, phase 5: a preference this short and sure needs no model.
SHORT_CHARS = 60
SURELY = 0.6
_FEWEST_WORDS = 5
_REMOVED = re.compile("|".join(re.escape(f"[{kind} removed]") for kind in SECRET_KINDS))
_END_MARKS = " .!,;:…-–—"

Resolve = Callable[[str, datetime], tuple[str, datetime | None]]


class OfflineExtractor:
    """Keeps the statements of a message, each segment by itself or joined to the one before where
    it cannot be understood alone.

    `resolve` puts a date for "last Friday" and says which. `banks` are those that may be named,
    `default_bank` stands for all others. Messages of other `roles` give nothing, nor do those with
    fewer than `min_chars` characters, but for a clear preference (003). Of what the assistant said
    only what tells of "you" is kept.
    """

    def __init__(
        self,
        reader: MessageReader,
        *,
        resolve: Resolve,
        banks: Sequence[str] = BANKS,
        default_bank: str = DEFAULT_BANK,
        min_chars: int = DEFAULT_MIN_CHARS,
        roles: Collection[Role] = DEFAULT_ROLES,
    ) -> None:
        self._reader = reader
        self._resolve = resolve
        self._banks = banks
        self._default_bank = default_bank
        self._min_chars = min_chars
        self._roles = roles

    def read(self, said: ExtractionInput) -> ExtractionInput:
        """With what it means, by the offline reader where nothing has read it yet, and without what
        is to be left out of memory; its text stays as it was written where that is nothing."""
        reading = said.reading or self._read(said)
        kept = without_left_out(reading.segments)
        if kept == reading.segments:
            return said.model_copy(update={"reading": reading})
        text = " ".join(each.text for each in kept)
        return said.model_copy(update={"text": text, "reading": Interpretation(kept)})

    def leans_back(self, said: ExtractionInput) -> bool:
        """Whether the user begins with a sentence that tells something and cannot be understood
        alone."""
        told = self._statements(said) if said.role == "user" else []
        return bool(told) and told[0].leans_back

    def subject_of(self, memory: str, said_at: datetime) -> str:
        """What a memory tells first, where that is short; else nothing."""
        segments = self._reader.read(MessageText(memory, said_at)).segments
        first = tidy_sentence(segments[0].text) if segments else ""
        return first if len(first) <= MAX_SUBJECT_CHARS else ""

    async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
        """On a thread: a long message takes a tenth of a second."""
        return await asyncio.to_thread(self._extract, said)

    def worth(self, said: ExtractionInput) -> Worth:
        """Whether a model should read it again: not where nothing is told, and not for one short
        clear preference."""
        told = self._statements(said)
        if not told:
            return "nothing"
        [first, *others] = told
        return "preference" if not others and _is_clear_preference(first) else "statement"

    def _extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
        found: dict[str, MemoryCandidate] = {}
        for statement in self._statements(said):
            candidate = self._candidate(statement, said)
            if candidate is not None:
                found.setdefault(candidate.content.casefold(), candidate)
        return list(found.values())[:MAX_CANDIDATES]

    def _statements(self, said: ExtractionInput) -> list[Statement]:
        if said.role not in self._roles:
            return []
        reading = self.read(said).reading or Interpretation()
        told = statements_in(reading.segments)
        if len(said.text.strip()) < self._min_chars:
            return [each for each in told if _is_clear_preference(each)]
        return told

    def _read(self, said: ExtractionInput) -> Interpretation:
        return self._reader.read(MessageText(said.text, said.said_at, said.role))

    def _candidate(self, statement: Statement, said: ExtractionInput) -> MemoryCandidate | None:
        first = statement.first
        words = tidy_sentence(statement.text)
        if said.role != "user":
            words = to_first_person(words)
        content, occurred_at = self._resolve(words, said.said_at)
        if said.before and statement.leans_back:
            content = f"{said.before}. {content}"
        if not 0 < len(content) <= MAX_CONTENT_CHARS or is_mostly_removed(content):
            return None
        passes = first.lifetime == "days"
        return MemoryCandidate(
            content=content,
            type=item_type_of(first.category),
            category=first.category,
            bank=resolve_bank(first.bank, self._banks, self._default_bank),
            importance=base_importance(first.category, first.lifetime, first.told),
            occurred_at=occurred_at,
            expires_at=(occurred_at or said.said_at) + PASSES_AFTER if passes else None,
            asked=first.kind == "remember",
            told=statement.told,
        )


@dataclass(frozen=True)
class Statement:
    """Segments that are one memory: the first, and what cannot be understood without it."""

    segments: tuple[Segment, ...]

    @property
    def first(self) -> Segment:
        return self.segments[0]

    @property
    def text(self) -> str:
        return " ".join(each.text for each in self.segments)

    @property
    def leans_back(self) -> bool:
        """Whether the message begins with it, and it cannot be understood alone."""
        return self.first.start == 0 and not self.first.alone

    @property
    def told(self) -> Mapping[str, Relations]:
        """How it stands to known memories, by their words."""
        related = [each.related for each in self.segments if each.related is not None]
        return {memory: relations_told(each) for each in reversed(related) for memory in each.to}


def statements_in(segments: Sequence[Segment]) -> list[Statement]:
    """What is told and may be kept: nothing that is to be left out or forgotten, nor what belongs
    to that, nor an order. A question is kept only before its answer."""
    found: list[Statement] = []
    follows = False
    for each in remaining_segments(without_left_out(segments), lambda one: one.forgets):
        keeps = each.tells and not is_mostly_removed(each.text)
        if keeps and follows and not each.alone:
            found[-1] = Statement((*found[-1].segments, each))
        elif keeps:
            found.append(Statement((each,)))
        follows = keeps
    return [told for each in found if (told := _without_last_questions(each))]


def _without_last_questions(statement: Statement) -> Statement | None:
    """None where nothing else is left."""
    told = statement.segments
    while told and told[-1].kind != "remember" and is_question(told[-1].text):
        told = told[:-1]
    return Statement(told) if told else None


def tidy_sentence(words: str) -> str:
    """On one line, with a capital first and no mark last, as memories are kept."""
    kept = " ".join(words.split()).rstrip(_END_MARKS)
    return kept[:1].upper() + kept[1:]


def is_mostly_removed(content: str) -> bool:
    """Whether little is left of it without its secrets."""
    rest, removed = _REMOVED.subn(" ", content)
    return removed > 0 and len(rest.split()) < _FEWEST_WORDS


def _is_clear_preference(statement: Statement) -> bool:
    """Of oneself: what others like is a matter of who they are."""
    first = statement.first
    own = first.category == "preference" and first.bank != "Relationships"
    return own and len(statement.text) <= SHORT_CHARS and first.told >= SURELY
