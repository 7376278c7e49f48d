"""The words of a roll-up without a model: the sentences of its sources. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.models import MAX_ITEM_CHARS
from memory.store.upkeep.roll_ups import Source
from memory.understanding.relations import relations_of
from memory.upkeep.rolling_up.clustering import Cluster
from memory.write.normalise import normalise
from memory.write.novelty import ASK_FROM, REPLACE_FROM, Relate

MOST_WORDS = 100
"""003: “keep the summary under 100 words”."""

_WORD = re.compile(r"[^\W_]+")
# After a mark that ends one, but for initials and numbers; a line is one, too.
_SENTENCE = re.compile(r"(?<=\w\w[.!?…])\s+|\n+")
_NUMBER = re.compile(r"[1-9][0-9]*")
_ENDED = re.compile(r"[.!?…][\"”')\]]*$")


@dataclass(frozen=True)
class Agreed:
    """What of a cluster may stand in one memory, and what of the others is replaced: each older
    one with the newer one of `told` that says otherwise."""

    told: Cluster
    replaced: tuple[tuple[Source, Source], ...] = ()


def agree(cluster: Cluster, relate: Relate = relations_of) -> Agreed:
    """Resolves contradictions to the newer (003). An older memory is replaced by a newer one that
    surely contradicts it and says that something changed; where both may be true, it is no part of
    this one and stays as it is."""
    told: list[Source] = []
    replaced: list[tuple[Source, Source]] = []
    for source in reversed(cluster):
        clash = next((found for newer in told if (found := _clash(newer, source, relate))), None)
        if clash is None:
            told.append(source)
        elif clash[1]:
            replaced.append((source, clash[0]))
    return Agreed(tuple(reversed(told)), tuple(replaced))


def joined(sources: Sequence[Source]) -> tuple[str, Cluster]:
    """The sentences of the sources, the oldest first, each once, and whose they are: as many
    sources as fit whole into fewer than MOST_WORDS words. Nothing that one of them says is left
    out but what another one says in the same words.

    A memory that tells when something happened keeps the day where its words do not name it.
    """
    said: dict[str, str] = {}
    fitting: list[Source] = []
    for source in sources:
        grown = said | {key: text for key, text in _sentences(source) if key not in said}
        text = " ".join(grown.values())
        if len(text.split()) < MOST_WORDS and len(text) <= MAX_ITEM_CHARS:
            said = grown
            fitting.append(source)
    return " ".join(said.values()), tuple(fitting)


def dated_content(source: Source) -> str:
    """The words of a memory with the day on which it happened, where they do not name it."""
    said, at = source.content.strip(), source.occurred_at
    if at is None or {str(at.year), str(at.day)} <= set(_NUMBER.findall(said)):
        return said
    return f"{said.rstrip('.')} (on {at.day} {at:%B %Y})."


def _sentences(source: Source) -> list[tuple[str, str]]:
    """Each with what it is compared by: its words, without case and punctuation."""
    pieces = [_whole(piece) for piece in _SENTENCE.split(dated_content(source))]
    return [(" ".join(_WORD.findall(normalise(piece))) or piece, piece) for piece in pieces]


def _whole(sentence: str) -> str:
    return sentence if _ENDED.search(sentence) else f"{sentence}."


def _clash(newer: Source, older: Source, relate: Relate) -> tuple[Source, bool] | None:
    """The newer one and whether it surely contradicts the older; what happened on two days never
    does."""
    if None not in (newer.occurred_at, older.occurred_at):
        return None
    [found] = relate(newer.content, [older.content])
    sure = found.over >= REPLACE_FROM and found.whole
    return (newer, sure) if found.over >= ASK_FROM else None
