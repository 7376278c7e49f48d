"""The words of a roll-up: sentences of its sources, or a summariser's where they say the same."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from memory.ingestion.deduplication import ASK_FROM, REPLACE_FROM, Relate
from memory.ingestion.metadata import find_entities
from memory.ingestion.normalisation import normalise
from memory.maintenance.clusters import Cluster
from memory.maintenance.stems import NUMBERS
from memory.retrieval.prompt_injection import find_prompt_injection
from memory.secrets import find_secrets
from memory.store.lifecycle import RollUpSource
from memory.types import MAX_MEMORY_CHARS
from memory.understanding.relations import relations_of
from memory.understanding.sentences import is_question


class Summariser(Protocol):
    """May raise whatever its model raises: the sentences of the sources are taken then."""

    async def summarise(self, memories: Sequence[str]) -> str:
        """One paragraph that says what the memories say."""


MOST_WORDS = 100
"""003: “keep the summary under 100 words”."""

_WORD = re.compile(r"[^\W_]+")
# After a mark that ends one, but for initials and numbers; a line is one, too.
_SENTENCE = re.compile(r"(?<=\w\w[.!?…])\s+|\n+")
_NUMBER = re.compile(r"[1-9][0-9]*")
_ENDED = re.compile(r"[.!?…][\"”')\]]*$")


@dataclass(frozen=True)
class AgreedCluster:
    """What of a cluster may stand in one memory, and what of the others is replaced: each older
    one with the newer one of `told` that says otherwise."""

    told: Cluster
    replaced: tuple[tuple[RollUpSource, RollUpSource], ...] = ()


def settle_contradictions(cluster: Cluster, relate: Relate = relations_of) -> AgreedCluster:
    """Resolves contradictions to the newer (003). An older memory is replaced by a newer one that
    surely contradicts it and says that something changed; where both may be true, it is no part of
    this one and stays as it is."""
    told: list[RollUpSource] = []
    replaced: list[tuple[RollUpSource, RollUpSource]] = []
    for source in reversed(cluster):
        clash = next((found for newer in told if (found := _clash(newer, source, relate))), None)
        if clash is None:
            told.append(source)
        elif clash[1]:
            replaced.append((source, clash[0]))
    return AgreedCluster(tuple(reversed(told)), tuple(replaced))


def join_sentences(sources: Sequence[RollUpSource]) -> tuple[str, Cluster]:
    """The sentences of the sources, the oldest first, each once, and whose they are: as many
    sources as fit whole into fewer than MOST_WORDS words. Nothing that one of them says is left
    out but what another one says in the same words.

    A memory that tells when something happened keeps the day where its words do not name it.
    """
    said: dict[str, str] = {}
    fitting: list[RollUpSource] = []
    for source in sources:
        grown = said | {key: text for key, text in _sentences(source) if key not in said}
        text = " ".join(grown.values())
        if len(text.split()) < MOST_WORDS and len(text) <= MAX_MEMORY_CHARS:
            said = grown
            fitting.append(source)
    return " ".join(said.values()), tuple(fitting)


def dated_content(source: RollUpSource) -> str:
    """The words of a memory with the day on which it happened, where they do not name it."""
    said, at = source.content.strip(), source.occurred_at
    if at is None or {str(at.year), str(at.day)} <= set(_NUMBER.findall(said)):
        return said
    return f"{said.rstrip('.')} (on {at.day} {at:%B %Y})."


def _sentences(source: RollUpSource) -> list[tuple[str, str]]:
    """Each with what it is compared by: its words, without case and punctuation."""
    pieces = [_whole(piece) for piece in _SENTENCE.split(dated_content(source))]
    return [(" ".join(_WORD.findall(normalise(piece))) or piece, piece) for piece in pieces]


def _whole(sentence: str) -> str:
    return sentence if _ENDED.search(sentence) else f"{sentence}."


def _clash(
    newer: RollUpSource, older: RollUpSource, relate: Relate
) -> tuple[RollUpSource, bool] | None:
    """The newer one and whether it surely contradicts the older; what happened on two days never
    does."""
    if None not in (newer.occurred_at, older.occurred_at):
        return None
    [found] = relate(newer.content, [older.content])
    sure = found.over >= REPLACE_FROM and found.whole
    return (newer, sure) if found.over >= ASK_FROM else None


_DENIAL = re.compile(r"n['’]t\b|\b(?:not|never|cannot|no|without)\b", re.IGNORECASE)


def summary_fault(summary: str, contents: Sequence[str]) -> str | None:
    """Why the summary cannot take the place of the contents; None where it can.

    It has fewer than MOST_WORDS words, holds every name and number of the contents and no other,
    denies something exactly where one of them does, and is no secret, question or order.
    """
    words = summary.split()
    if not words or len(words) >= MOST_WORDS or len(summary) > MAX_MEMORY_CHARS:
        return "length"
    if find_secrets(summary) or find_prompt_injection(summary) is not None or is_question(summary):
        return "form"
    source = " \n".join(contents)
    if not names_and_numbers(summary) <= _words(source):
        return "invented"
    if not {word for each in contents for word in names_and_numbers(each)} <= _words(summary):
        return "lost"
    return None if _denies(summary) == any(map(_denies, contents)) else "negation"


def names_and_numbers(text: str) -> set[str]:
    """The words of its names and its numbers, in lower case, numbers as digits."""
    named = {word for name in find_entities(text) for word in _words(name)}
    return named | {word for word in _words(text) if any(map(str.isdigit, word))}


def _words(text: str) -> set[str]:
    plain = (word.casefold() for word in _WORD.findall(text))
    return {str(NUMBERS.get(word, word)) for word in plain}


def _denies(text: str) -> bool:
    return _DENIAL.search(text) is not None


_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class RollUpDraft:
    """The words of a roll-up, the sources they tell of, and the older memories that go with them:
    each with the source that says otherwise."""

    content: str
    sources: Cluster
    replaced: tuple[tuple[RollUpSource, RollUpSource], ...] = ()

    @property
    def removed_sources(self) -> Cluster:
        """All that is in recall no longer once the roll-up is."""
        return (*self.sources, *(older for older, _ in self.replaced))


def make_draft(cluster: Cluster, least: int, relate: Relate = relations_of) -> RollUpDraft | None:
    """By extraction; None where fewer than `least` are left to put together, or where what comes of
    it holds a secret. A memory that holds one stays by itself. `relate` is `relations_of`,
    or what answers the same."""
    if len(cluster) < least:
        return None
    agreed = settle_contradictions(
        tuple(each for each in cluster if not find_secrets(each.content)), relate
    )
    content, sources = join_sentences(agreed.told)
    if len(sources) < least or find_secrets(content):
        return None
    return RollUpDraft(
        content, sources, tuple(pair for pair in agreed.replaced if pair[1] in sources)
    )


class SummaryWriter:
    """Asks the summariser for better words, where there is one: it is told the sources as data,
    and what it says is taken only where it says the same; see `fault_of`."""

    def __init__(self, summariser: Summariser | None, *, timeout: float) -> None:
        self._summariser = summariser
        self._timeout = timeout

    async def improve(self, draft: RollUpDraft) -> RollUpDraft:
        """The draft in the summariser's words; as it is where they are none."""
        if self._summariser is None:
            return draft
        contents = [dated_content(source) for source in draft.sources]
        try:
            async with asyncio.timeout(self._timeout):
                said = (await self._summariser.summarise(contents)).strip()
        except Exception as error:  # whatever a model raises, the sentences are there
            _log.warning("no_summary", reason=type(error).__name__)
            return draft
        if fault := await asyncio.to_thread(summary_fault, said, contents):
            _log.warning("summary_not_taken", reason=fault)
            return draft
        return replace(draft, content=said)
