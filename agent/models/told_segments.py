"""The segments that a model gives, put where they stand in the message and over what the offline
reader made of it. Pure.

A model may keep, leave out and relate. What it says commands nothing, nobody asked for a memory to
be kept because it says so, and what it leaves open or gets wrong stays as it was read offline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard, TypeVar

from agent.models.reading_answers import Raw, UnreadableAnswer, confidence_of, ids_of, word_of
from memory.text import MOST_READ
from memory.understanding import (
    COMMANDS,
    Kind,
    KnownMemory,
    Message,
    Reading,
    Related,
    Segment,
)
from memory.understanding.reading import CATEGORIES, KINDS, LIFETIMES, STANDINGS

MOST_SEGMENTS = 60
_APOSTROPHES = re.compile("['’‘ʼ]")
_END_MARKS = " \t\r\n.!?…,;"
_SENTENCE_END = "[.!?…]*+"
_QUOTES = re.compile('["“”„«»]')
_Name = TypeVar("_Name", bound=str)
# What has to agree with the head of commands offline is heard by the model alone.
_LEAVING_OUT: frozenset[Kind] = frozenset({"forget", "do_not_remember"})


def reading_of(raws: Sequence[Raw], message: Message, first: Reading) -> Reading:
    """The reading that a model means. Texts that do not stand in the message are left aside, and
    of what no segment of the model covers half the `first` reading stands. Raises UnreadableAnswer
    where nothing is left of the model's."""
    offline = list(_placed(first.segments, message.text))
    shown = {f"m{number}": each for number, each in enumerate(message.known, start=1)}
    told = [
        _read(raw, message.text[start:end], start, offline, shown)
        for raw, (start, end) in _found(raws[:MOST_SEGMENTS], message.text)
    ]
    read = [each for each in told if each is not None]
    if not read:
        raise UnreadableAnswer(
            reason="no segment in it has one of the kinds and a text that stands in the message"
        )
    left = [each for each in offline if not _is_covered(each, read)]
    return Reading(tuple(sorted([*read, *left], key=lambda each: (each.start, each.end))))


def _found(raws: Iterable[Raw], text: str) -> Iterator[tuple[Raw, tuple[int, int]]]:
    """Where their texts stand, each after the one before, else anywhere; no place twice."""
    taken: list[tuple[int, int]] = []
    after = 0
    for raw in raws:
        pattern = _verbatim(raw["text"])
        found = pattern and (pattern.search(text, after) or pattern.search(text))
        if not found or any(found.start() < end and start < found.end() for start, end in taken):
            continue
        after = found.end()
        taken.append(found.span())
        yield raw, found.span()


def _verbatim(words: str) -> re.Pattern[str] | None:
    """The words, whatever white space, apostrophes, quotation marks, capitals and last mark
    they have, and never within a word."""
    words = words.strip(_END_MARKS)
    if not 0 < len(words) <= MOST_READ:
        return None
    spelt = r"\s+".join(re.escape(each) for each in words.split())
    for marks in (_QUOTES, _APOSTROPHES):
        spelt = marks.sub(marks.pattern, spelt)
    before = r"(?<!\w)" if words[0].isalnum() else ""
    behind = r"(?!\w)" if words[-1].isalnum() else ""
    return re.compile(before + spelt + behind + _SENTENCE_END, re.IGNORECASE)


def _placed(segments: Sequence[Segment], text: str) -> Iterator[Segment]:
    """Those of a reading of which parts were taken out since, where they stand now."""
    after = 0
    for each in segments:
        start = text.find(each.text, after)
        if start >= 0:
            after = start + len(each.text)
            yield replace(each, start=start, end=after)


def _read(
    raw: Raw, text: str, start: int, offline: Sequence[Segment], shown: Mapping[str, KnownMemory]
) -> Segment | None:
    """None where its kind is none."""
    base = _under(text, start, offline)
    kind = _kind_of(raw, base)
    if kind is None:
        return None
    sure = confidence_of(raw)
    category, lifetime = word_of(raw, "category"), word_of(raw, "lifetime")
    bank, alone = raw.get("bank"), raw.get("alone")
    return Segment(
        text=text,
        start=start,
        end=start + len(text),
        kind=kind,
        kinds=_mixed(kind, sure, base.kinds),
        category=category if _is_one_of(category, CATEGORIES) else base.category,
        bank=bank.strip() if isinstance(bank, str) and bank.strip() else base.bank,
        lifetime=lifetime if _is_one_of(lifetime, LIFETIMES) else base.lifetime,
        alone=alone if isinstance(alone, bool) else base.alone,
        commands={**dict.fromkeys(COMMANDS, 0.0), kind: sure} if kind in _LEAVING_OUT else {},
        related=_related(raw, sure, shown),
    )


def _kind_of(raw: Raw, base: Segment) -> Kind | None:
    """That somebody asked for it to be kept is heard offline or not at all."""
    kind = word_of(raw, "kind")
    if not _is_one_of(kind, KINDS):
        return None
    return "fact" if kind == "remember" and base.kind != "remember" else kind


def _under(text: str, start: int, offline: Sequence[Segment]) -> Segment:
    """What the offline reader made of most of it; where it saw nothing, what is kept by default."""
    end = start + len(text)
    bare = Segment(text, start, end, "fact", {"fact": 1.0})
    over = [each for each in offline if _shared(each, start, end)]
    return max(over, key=lambda each: _shared(each, start, end), default=bare)


def _mixed(kind: Kind, sure: float, offline: Mapping[Kind, float]) -> dict[Kind, float]:
    """Of what the model leaves open, the offline reader says what it is."""
    rest = {each: (1 - sure) * share for each, share in offline.items()}
    return {**rest, kind: rest.get(kind, 0.0) + sure}


def _related(raw: Raw, sure: float, shown: Mapping[str, KnownMemory]) -> Related | None:
    """Of ids that were not shown nothing is known."""
    standing = word_of(raw, "relation")
    to = tuple(shown[each] for each in ids_of(raw) if each in shown)
    if not to or not _is_one_of(standing, STANDINGS):
        return None
    return Related(standing, to, sure)


def _is_covered(segment: Segment, read: Sequence[Segment]) -> bool:
    covered = sum(_shared(segment, each.start, each.end) for each in read)
    return 2 * covered >= segment.end - segment.start


def _shared(segment: Segment, start: int, end: int) -> int:
    """How many characters."""
    return max(0, min(segment.end, end) - max(segment.start, start))


def _is_one_of(word: str, names: tuple[_Name, ...]) -> TypeGuard[_Name]:
    return word in names
