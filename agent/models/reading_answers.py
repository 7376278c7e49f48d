"""What a model answers when it reads a message, whatever it has put around and into its JSON. Pure.

Servers differ in how far they hold a model to a schema, and some not at all: an answer is taken for
what can be understood of it, and only one without any segment is refused.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from pydantic import BaseModel

from memory.errors import KeepsakeError

Raw: TypeAlias = dict[str, Any]

MOST_CHARS = 100_000
# Where no JSON begins, it is looked for further on, at so many brackets.
_MOST_TRIES = 400
# What a segment is worth for which the model gave no usable confidence: not sure enough to replace.
UNSTATED = 0.7
_PER_CENT = 100
_THOUGHT = re.compile(r"</think(?:ing)?>")
_STRINGS_AND_SLIPS = re.compile(
    r'"(?:[^"\\]|\\.)*+"|,(?=\s*+[}\]])|\b(?:None|True|False)\b', re.DOTALL
)
_SLIPS = {",": "", "None": "null", "True": "true", "False": "false"}
_DECODER = json.JSONDecoder(strict=False)
_NOT_A_WORD = re.compile(r"[^a-z]+")
_ID = re.compile(r"\bm\d{1,3}\b")
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,9})?")


class SegmentAnswer(BaseModel):
    """One segment as the model gives it.

    Plain types alone: servers differ in which bounds and formats a strict schema may have, so
    these are looked at afterwards, and what is wrong costs one value and not the message.
    """

    text: str
    kind: str
    category: str
    bank: str
    lifetime: str
    confidence: float
    alone: bool
    relation: str
    memories: list[str]


class ReadingAnswer(BaseModel):
    segments: list[SegmentAnswer]


class UnreadableAnswer(KeepsakeError):
    """A model's answer is no reading of the message: {reason}."""


def segments_in(text: str) -> list[Raw]:
    """The segments of an answer, each an object with a text. Raises UnreadableAnswer."""
    *_, plain = _THOUGHT.split(text[:MOST_CHARS])
    tidy = _STRINGS_AND_SLIPS.sub(lambda found: _SLIPS.get(found[0], found[0]), plain)
    values = list(_values_in(tidy))
    wholes = [each for each in map(_wrapped, values) if each is not None]
    alone = [each for each in values if _is_segment(each)]
    if found := next((each for each in reversed(wholes) if each), alone):
        return found
    if wholes:
        raise UnreadableAnswer(reason="it holds an empty list of segments")
    raise UnreadableAnswer(reason="no JSON object with segments is in it")


def word_of(raw: Raw, name: str) -> str:
    """A value of a fixed set, as it is spelled there: “Adds to” is adds_to."""
    value = raw.get(name)
    if not isinstance(value, str):
        return ""
    return _NOT_A_WORD.sub("_", value[:50].casefold()).strip("_")


def confidence_of(raw: Raw) -> float:
    """0 to 1, also from “90%” or 90; UNSTATED where that is none."""
    value = raw.get("confidence")
    if isinstance(value, str):
        number = _NUMBER.match(value.strip())
        value = float(number[0]) if number else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return UNSTATED
    share = value / _PER_CENT if 1 < value <= _PER_CENT else value
    return float(share) if 0 <= share <= 1 else UNSTATED


def ids_of(raw: Raw) -> list[str]:
    """The short ids that are named, each once."""
    named = raw.get("memories")
    words = " ".join(map(str, named)) if isinstance(named, list) else str(named)
    return list(dict.fromkeys(_ID.findall(words.casefold())))


def _values_in(text: str) -> Iterator[Any]:
    """The JSON values that are somewhere in a text, one after the other; of one that was cut off
    those within it."""
    at = 0
    for _ in range(_MOST_TRIES):
        starts = [each for each in (text.find("{", at), text.find("[", at)) if each >= 0]
        if not starts:
            return
        at = min(starts)
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        yield value


def _wrapped(value: Any) -> list[Raw] | None:
    """The segments of a list, or of an object that holds a list or one segment; None for what is
    neither."""
    if isinstance(value, dict) and not _is_segment(value):
        value = value.get("segments")
        value = [value] if _is_segment(value) else value
    if not isinstance(value, list) or (value and not any(map(_is_segment, value))):
        return None
    return [each for each in value if _is_segment(each)]


def _is_segment(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("text"), str)
