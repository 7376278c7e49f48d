"""Which sentences of what was said are about some words, told by the words alone. Pure, English.

Meaning by vectors has no say here: what goes from a conversation is what plainly holds the words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.controls.finding import asked_words
from memory.controls.relations import TITLE
from memory.store.conversations.messages import title_of
from memory.store.forgetting.forgetting import History
from memory.store.forgetting.said import SaidMessage
from memory.store.forgetting.unsaying import Unsaying
from memory.upkeep.redaction import MARK, About, pieces_of, without_pieces

_WORD = re.compile(r"[^\W_]+")
# “He told me …” goes on about whom the sentence before it named.
_GOES_ON = re.compile(
    r"^\W*(?:(?:and|but|so|then|also|now|because|since)\W+)*"
    r"(?:he|she|they|him|her|his|hers|their|theirs|them)\b(?!\W+who\b)",
    re.IGNORECASE,
)
# What only tells to forget it says nothing of it.
_WISH = re.compile(
    r"^\W*(?:(?:please|ok|okay|hey|keepsake|now|actually|and|so|but|no|well|just|also"
    r"|(?:can|could|will|would) you|i (?:want|need) you to|i'?d like you to)\W+)*"
    r"(?:forget|un-?learn|un-?remember|stop remembering|do(?:n'?t| not) remember|erase|delete"
    r"|remove)\b",
    re.IGNORECASE,
)

Way = frozenset[str]
"""The lexemes of one way to say something; all of them are needed."""


@dataclass(frozen=True)
class Sought:
    """What is asked about: `concepts`, each with the ways to say it, of which one is enough. It
    is only met where each concept is."""

    concepts: tuple[frozenset[Way], ...]

    def is_met_by(self, held: frozenset[str]) -> bool:
        return bool(self.concepts) and all(
            any(way <= held for way in ways) for ways in self.concepts
        )

    def is_touched_by(self, held: frozenset[str]) -> bool:
        """Whether one of the concepts is met."""
        return any(way <= held for ways in self.concepts for way in ways)


@dataclass(frozen=True)
class Going:
    """A message with the places of the sentences that go from it; see `pieces_of`."""

    message: SaidMessage
    places: frozenset[int]

    @property
    def left(self) -> str:
        """What stays, with the mark in their place."""
        return without_pieces(pieces_of(self.message.content), self.places)

    @property
    def passages(self) -> list[str]:
        """What goes, sentences in a row as one."""
        pieces = pieces_of(self.message.content)
        found: list[str] = []
        for place in sorted(self.places):
            goes_on = place - 2 in self.places
            if goes_on:
                found[-1] += f" {pieces[place].strip()}"
            else:
                found.append(pieces[place].strip())
        return found


def bare(text: str) -> str:
    """The words of a text without what joins them, so that no address or path hides one, and
    without the mark of what was forgotten before."""
    return " ".join(_WORD.findall(text.replace(MARK, " ")))


def ways_of(asked: str) -> list[list[str]]:
    """For each word of a topic itself and the words that it may be kept under."""
    return [words.split() for words in asked_words(asked)]


def sought_for(
    ways: Sequence[Sequence[str]],
    lexemes: Mapping[str, frozenset[str]],
    names: Iterable[frozenset[str]],
) -> Sought:
    """From the words of a topic and their lexemes; a word without lexemes says nothing. Where it
    is what somebody is to the user (“my sister”), the `names` of that person say it too."""
    called = frozenset(name for name in names if name)
    concepts = []
    for words in ways:
        if not lexemes[words[0]]:
            continue
        said = frozenset(lexemes[word] for word in words if lexemes[word])
        is_title = any(TITLE.fullmatch(word.lower()) for word in words)
        concepts.append(said | called if is_title else said)
    return Sought(tuple(concepts))


def places_about(
    pieces: Sequence[str], held: Sequence[frozenset[str]], sought: Sought
) -> frozenset[int]:
    """The places of the sentences that meet what is sought, alone or with those that go on from
    them. `held` has the lexemes of each sentence, in their order."""
    gone: set[int] = set()
    for passage in _passages(pieces):
        together = frozenset[str]().union(*(held[place // 2] for place in passage))
        if sought.is_met_by(together):
            gone |= {place for place in passage if pieces[place].strip() not in {"", MARK}}
    return frozenset(gone)


def replies_to(goings: Sequence[Going], replies: Iterable[SaidMessage]) -> list[Going]:
    """The messages that go from with what was answered in the same turns: there fewer words are
    enough, see `About`."""
    found = {each.message.id: each for each in goings}
    told: dict[UUID, list[str]] = {}
    for each in goings:
        if each.message.role == "user":
            told.setdefault(each.message.correlation_id, []).extend(each.passages)
    for reply in replies:
        pieces = pieces_of(reply.content)
        known = found.get(reply.id)
        places = (known.places if known else frozenset()) | _close(
            pieces, told.get(reply.correlation_id, ())
        )
        if places:
            found[reply.id] = Going(reply, places)
    return sorted(found.values(), key=lambda each: each.message.created_at)


def telling(goings: Sequence[Going]) -> list[Going]:
    """Those that say something of it: not the turns in which the user only told to forget it."""
    wishes = {
        each.message.correlation_id
        for each in goings
        if each.message.role == "user" and all(map(_WISH.match, each.passages))
    }
    return [each for each in goings if each.message.correlation_id not in wishes]


def unsaying_of(
    goings: Sequence[Going], retitled: Mapping[UUID, str | None], history: History
) -> Unsaying:
    """What is to be done, as the user chose for the messages: redact or delete."""
    if history == "delete":
        taken = tuple(each.message.id for each in goings)
        return Unsaying({}, taken, retitled, history)
    return Unsaying({each.message.id: each.left for each in goings}, (), retitled, history)


def retitled(
    titles: Mapping[UUID, str],
    places: Mapping[UUID, frozenset[int]],
    goings: Sequence[Going],
    history: History,
) -> dict[UUID, str | None]:
    """New titles: of those that a message gave what is left of it, of others without their
    sentences about it, whose `places` are given."""
    new: dict[UUID, str | None] = {
        chat: without_pieces(pieces_of(titles[chat]), gone) for chat, gone in places.items() if gone
    }
    for each in goings:
        chat = each.message.conversation_id
        if titles.get(chat) == title_of(each.message.content) is not None:
            new[chat] = title_of("" if history == "delete" else each.left)
    return new


def _passages(pieces: Sequence[str]) -> list[list[int]]:
    found: list[list[int]] = []
    for place in range(0, len(pieces), 2):
        if found and _GOES_ON.match(pieces[place]):
            found[-1].append(place)
        else:
            found.append([place])
    return found


def _close(pieces: Sequence[str], told: Collection[str]) -> frozenset[int]:
    abouts = [About(said, closely=True) for said in told]
    return frozenset(
        place
        for place in range(0, len(pieces), 2)
        if pieces[place].strip() not in {"", MARK}
        and any(about.tells(pieces[place]) for about in abouts)
    )
