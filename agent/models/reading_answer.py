"""What a model answers when it reads a message, put over what the offline reader made of it. Pure.

Servers differ in how far they hold a model to a schema: an answer is taken for what can be
understood of it. A model may keep, leave out and relate. What it says commands nothing, nobody
asked for a memory because it says so, and what it leaves open or gets wrong stays as it was read
offline.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeGuard, TypeVar

from memory.errors import UnreadableAnswer
from memory.understanding import (
    CATEGORIES,
    COMMANDS,
    KINDS,
    LIFETIMES,
    STANDINGS,
    Interpretation,
    Kind,
    MessageText,
    Related,
    Segment,
    remaining_segments,
)

Raw: TypeAlias = dict[str, Any]
MAX_SEGMENTS, MAX_TEXT_CHARS, _MAX_ANSWER_CHARS, _MAX_TRIES = 60, 8_192, 100_000, 400
# What a segment is worth for which the model gave no usable confidence: not enough to replace.
UNSTATED = 0.7
_OPENING = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder(strict=False)
_ID = re.compile(r"\bm\d{1,3}\b")
_END_MARKS = " \t\r\n.!?…,;"
_SPELLINGS = [re.compile("['’‘ʼ]"), re.compile('["“”„«»]')]
_Name = TypeVar("_Name", bound=str)
# Of these the head of commands has its say offline; here the model speaks for both.
_LEAVING_OUT: frozenset[Kind] = frozenset({"forget", "do_not_remember"})


def read_answer(answer: str, message: MessageText, first: Interpretation) -> Interpretation:
    """The reading that a model means. What does not stand in the message, and what reaches into
    something that the user asked to forget or to leave out, is not taken from it; of what it covers
    less than half the `first` reading stands. Raises UnreadableAnswer where nothing of the answer
    is a segment of the message."""
    offline = list(_placed(first.segments, message.text))
    shown = {f"m{number}": each for number, each in enumerate(message.known, start=1)}
    found = _found(_segments_in(answer)[:MAX_SEGMENTS], message.text)
    told = [_read(raw, message.text[start:end], start, offline, shown) for raw, start, end in found]
    if not any(told):
        raise UnreadableAnswer(
            reason="it holds no segment with one of the kinds and a text that stands in the message"
        )
    read = _beside_wishes([each for each in told if each is not None], offline)
    left = [each for each in offline if not _is_covered(each, read)]
    return Interpretation(tuple(sorted([*read, *left], key=lambda each: (each.start, each.end))))


def _segments_in(answer: str) -> list[Raw]:
    """The last list of segments, in an object or by itself, what stands before it being a draft;
    else those that stand alone."""
    alone: list[Raw] = []
    whole: list[Raw] = []
    for value in _values_in(answer[:_MAX_ANSWER_CHARS]):
        inner = value.get("segments", value) if isinstance(value, dict) else value
        if isinstance(inner, list):
            whole = [each for each in inner if _is_segment(each)] or whole
        elif _is_segment(inner):
            alone.append(inner)
    return whole or alone


def _values_in(text: str) -> Iterator[Any]:
    """The JSON values that stand somewhere in a text; of one that was cut off those within it."""
    end = tries = 0
    while (opening := _OPENING.search(text, end)) and tries < _MAX_TRIES:
        tries += 1
        try:
            value, end = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            end = opening.end()
            continue
        yield value


def _is_segment(value: Any) -> TypeGuard[Raw]:
    return isinstance(value, dict) and isinstance(value.get("text"), str)


def _found(raws: Iterable[Raw], text: str) -> Iterator[tuple[Raw, int, int]]:
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
        yield raw, *found.span()


def _verbatim(words: str) -> re.Pattern[str] | None:
    """The words, whatever white space, apostrophes, quotation marks, capitals and last mark
    they have, and never within a word."""
    words = words.strip(_END_MARKS)
    if not 0 < len(words) <= MAX_TEXT_CHARS:
        return None
    spelt = r"\s+".join(re.escape(each) for each in words.split())
    for marks in _SPELLINGS:
        spelt = marks.sub(marks.pattern, spelt)
    before = r"(?<!\w)" if words[0].isalnum() else ""
    behind = r"(?!\w)" if words[-1].isalnum() else ""
    return re.compile(f"{before}{spelt}{behind}[.!?…]*+", re.IGNORECASE)


def _placed(segments: Sequence[Segment], text: str) -> Iterator[Segment]:
    """Those of a reading of which parts were taken out since, where they stand now."""
    after = 0
    for each in segments:
        start = text.find(each.text, after)
        if start >= 0:
            after = start + len(each.text)
            yield replace(each, start=start, end=after)


def _read(
    raw: Raw, text: str, start: int, offline: Sequence[Segment], shown: Mapping[str, str]
) -> Segment | None:
    """None where its kind is none."""
    base = _under(text, start, offline)
    kind = _kind(raw, base)
    if kind is None:
        return None
    sure = _confidence(raw)
    category, lifetime = _word(raw, "category"), _word(raw, "lifetime")
    bank, alone = raw.get("bank"), raw.get("alone")
    read = Segment(
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
    return replace(read, says_what=kind in _LEAVING_OUT and not read.names_nothing)


def _beside_wishes(read: Sequence[Segment], offline: Sequence[Segment]) -> list[Segment]:
    """Those that touch nothing of what the user was heard offline to ask to be forgotten or left
    out, nor what belongs to that. Where the model hears such a wish, what belongs to the segment
    before it offline does so still."""
    free = remaining_segments(offline, lambda each: each.forgets or each.leaves_out)
    closed = [each for each in offline if each not in free]
    left = [each for each in read if not any(_shared(one, each.start, each.end) for one in closed)]
    if not any(each.kind in _LEAVING_OUT for each in left):
        return left
    return [
        replace(each, alone=each.alone and _under(each.text, each.start, offline).alone)
        for each in left
    ]


def _kind(raw: Raw, base: Segment) -> Kind | None:
    """That somebody asked for it to be kept is heard offline or not at all."""
    kind = _word(raw, "kind")
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


def _confidence(raw: Raw) -> float:
    value = raw.get("confidence")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return UNSTATED
    return value if 0 <= value <= 1 else UNSTATED


def _related(raw: Raw, sure: float, shown: Mapping[str, str]) -> Related | None:
    """Of ids that were not shown nothing is known."""
    standing = _word(raw, "relation")
    ids = dict.fromkeys(_ID.findall(str(raw.get("memories")).casefold()))
    to = tuple(shown[each] for each in ids if each in shown)
    return Related(standing, to, sure) if to and _is_one_of(standing, STANDINGS) else None


def _word(raw: Raw, name: str) -> str:
    """A value of a fixed set, as it is spelled there: “Adds to” is adds_to."""
    return "_".join(str(raw.get(name)).casefold().replace("_", " ").split())


def _is_one_of(word: str, names: tuple[_Name, ...]) -> TypeGuard[_Name]:
    return word in names


def _is_covered(segment: Segment, read: Sequence[Segment]) -> bool:
    covered = sum(_shared(segment, each.start, each.end) for each in read)
    return 2 * covered >= segment.end - segment.start


def _shared(segment: Segment, start: int, end: int) -> int:
    """How many characters."""
    return max(0, min(segment.end, end) - max(segment.start, start))
