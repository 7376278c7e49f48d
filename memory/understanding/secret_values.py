"""Which words of a text are the value of a secret, such as a door's code or a PIN.

A linear head looks at the form of each word that holds a digit or a sign, and at the words around
it, with weights from `python -m eval.training` (docs/decisions/0027-secrets-in-sentences.md). Pure.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from memory.understanding.linear_models import (
    Buckets,
    LinearHead,
    character_ngrams,
    fold_text,
    load_heads,
)

FILE = Path(__file__).parent / "secret_values.npz"
BUCKETS = 2**17
# What a caller puts in the place of each sign that it has taken out before.
REMOVED = "\0"
# The log-odds that one word of a value has to reach, and each word beside it. Found on writers that
# were held out: see the decision.
SURELY, BESIDE = 0.6, -2.0
# Words to either side that are looked at in their places, and all in all; what one of the latter
# weighs against one of the former.
_NEAR, _AROUND, AROUND_WEIGHT = 3, 10, 0.5
_LONGEST = 40
_BULLETS = frozenset("-*•–")

_PIECE = re.compile(r"\0+|\n|[^\s\0]+")
_OPENING, _CLOSING = "\"'“‘«„‚`([{<¿¡", ".,;:?!…\"'”’“»`)]}>"
_RUN = re.compile(r"[0-9]+|[^\W\d_]+|.", re.DOTALL)
# How numbers are written that say when, how much or how far. The first that fits.
_FORMS = {
    "year": r"(?:19|20)\d\d",
    "clock": r"(?:[01]?\d|2[0-4])[:.h][0-5]\d(?:uhr|h|am|pm)?",
    "date": r"\d{1,2}[./]\d{1,2}(?:[./](?:\d\d|\d{4})?)?",
    "decimal": r"\d{1,3}(?:[.,]\d+)+",
    "unit": r"\d{1,4}[^\W\d_]{1,15}",
    "money": r"[£$€]\d[\d.,]*k?|\d[\d.,]*[£$€%°]",
    "version": r"[^\W\d_]{2,}\d{1,3}-[^\W\d_]+",
    "keyed": r"[#*]?\d+[#*]?(?<!\d)|[#*]\d+",
    "dashed": r"\d+(?:-\d+)+",
}
_FORM = re.compile("|".join(f"(?P<{name}>{form})" for name, form in _FORMS.items()), re.IGNORECASE)
_SIGN = re.compile(r"[^\w\s'’.,&/\\-]")
_ADDRESS = re.compile(r"://|^www\.|.@.+\.\w|^[/~.\\-]|[=(){}<>\[\]]")


@dataclass(frozen=True)
class ValueWord:
    """What stands between two spaces, at `start` to `end`, without the marks `before` and `after`
    it. `sort` says what it is made of, `form` the same sign by sign."""

    text: str
    start: int
    end: int
    before: str = ""
    after: str = ""
    form: str = ""
    sort: str = "none"
    may_be_one: bool = False


_NONE = ValueWord("^", 0, 0)


def find_secret_values(text: str) -> Iterator[tuple[int, int]]:
    """Where they start and end; one of several words is found as one.

    Nothing is found where no plain word stands, since it takes words to say what a number is."""
    head = load_heads(FILE)["secret_value"]
    for context, words in list_parts(value_words(text)):
        yield from _values(head, context, words)


def list_parts(
    words: Sequence[ValueWord],
) -> Iterator[tuple[Sequence[ValueWord], Sequence[ValueWord]]]:
    """Each item of a list, and what stands between lists, after what speaks for it: what introduces
    the list. What an item says of a code says nothing of the numbers in the next one."""
    intro: Sequence[ValueWord] = ()
    part: list[ValueWord] = []
    in_list = False
    for line in _lines(words):
        is_item = _is_item(line)
        if part and (is_item or (in_list and _has_letters(line))):
            yield (intro if in_list else ()), part
            intro, part, in_list = intro if in_list else part[-_AROUND:], [], False
        in_list = in_list or is_item
        part.extend(line)
    yield (intro if in_list else ()), part


def _lines(words: Sequence[ValueWord]) -> Iterator[Sequence[ValueWord]]:
    """Each with the end of its line."""
    ends = [at + 1 for at, each in enumerate(words) if each.text == "newline"]
    for start, end in pairwise([0, *ends, len(words)]):
        yield words[start:end]


def _is_item(line: Sequence[ValueWord]) -> bool:
    return len(line) > 1 and line[0].text in _BULLETS


def _has_letters(line: Sequence[ValueWord]) -> bool:
    return any(any(map(str.isalpha, each.text)) for each in line if each.sort != "none")


def _values(
    head: LinearHead, context: Sequence[ValueWord], words: Sequence[ValueWord]
) -> Iterator[tuple[int, int]]:
    seen = [*context, *words]
    if not any(each.sort == "word" for each in seen):
        return
    run: list[tuple[ValueWord, float]] = []
    for at, word in enumerate([*words, _NONE], start=len(context)):
        odds = value_log_odds(head, *value_features(seen, at)) if word.may_be_one else BESIDE - 1
        if odds >= BESIDE:
            run.append((word, odds))
            continue
        if any(each >= SURELY for _, each in run):
            yield run[0][0].start, run[-1][0].end
        run = []


def value_log_odds(head: LinearHead, near: Buckets, around: Buckets) -> float:
    told = head.weights[near].sum() + AROUND_WEIGHT * head.weights[around].sum()
    size = np.sqrt(len(near) + AROUND_WEIGHT**2 * len(around))
    return float(head.intercept[0] + told * head.scale[0] / size)


def value_words(text: str) -> list[ValueWord]:
    return [_word(each) for each in _PIECE.finditer(text)]


def _word(piece: re.Match[str]) -> ValueWord:
    said, start = piece[0], piece.start()
    if said[0] in "\n\0":
        return ValueWord("newline" if said == "\n" else "removed", start, piece.end(), sort="none")
    bare = said.lstrip(_OPENING)
    inner = bare.rstrip(_CLOSING)
    start += len(said) - len(bare)
    return ValueWord(
        text=fold_text(inner[:_LONGEST]),
        start=start,
        end=start + len(inner),
        before=said[: len(said) - len(bare)][-1:],
        after=bare[len(inner) :][:1],
        form="".join(map(_run, _RUN.findall(inner[:_LONGEST]))),
        sort=_sort(inner[: _LONGEST + 1]),
        may_be_one=_may_be_one(inner),
    )


def _run(run: str) -> str:
    if run[0].isdigit():
        return f"0{min(len(run), 9)}"
    if not run[0].isalpha():
        return run
    return "A" if run.isupper() else "Aa" if run[0].isupper() else "a"


def _sort(word: str) -> str:
    if any(map(str.isdigit, word)):
        if known := _FORM.fullmatch(word):
            return str(known.lastgroup)
        if word.isdigit():
            return f"{min(len(word), 9)} digits{' round' * word.endswith('0')}"
        letters = any(map(str.isalpha, word))
        return f"{'letters' if letters else 'digits'}{' signs' * (not word.isalnum())}"
    if not any(map(str.isalpha, word)):
        return "marks"
    if word.isupper():
        return "capitals"
    return "word" if word.islower() else "Word" if word[1:].islower() else "inner"


def _may_be_one(word: str) -> bool:
    """It holds what words do not: a digit, a sign, a capital inside."""
    if len(word) > _LONGEST or _ADDRESS.search(word):
        return False
    signs = len(word) >= _NEAR and _SIGN.search(word) is not None
    inside = not word.isupper() and not word[1:].islower() and word[1:] != word[1:].lower()
    return signs or any(map(str.isdigit, word)) or inside


def value_features(words: Sequence[ValueWord], at: int) -> tuple[Buckets, Buckets]:
    """The buckets of the word with what stands near it, and of all that stands around it."""
    first, last = max(0, at - _AROUND), at + _AROUND + 1
    around = [
        *(_said(each.text, "before") for each in words[first:at]),
        *(_said(each.text, "behind") for each in words[at + 1 : last]),
    ]
    near = np.array([_bucket(each) for each in _near(words, at)], np.intp)
    return near, np.unique(np.concatenate(around)) if around else np.array([], np.intp)


def _near(words: Sequence[ValueWord], at: int) -> Iterator[str]:
    word = words[at]
    by = {
        place: words[at + place] if 0 <= at + place < len(words) else _NONE
        for place in range(-_NEAR, _NEAR + 1)
    }
    sort, mark = word.sort, by[-1].after
    yield from (f"sort {sort}", f"form {word.form}", f"marks {word.before} {word.after}")
    yield from (f"mark {mark}", f"sort mark {sort} {mark}", f"sort after {sort} {word.after}")
    yield from (f"length {min(word.end - word.start, 12)}",)
    for place, each in by.items():
        if place:
            yield from (f"{place} {each.text}", f"{place} begins {each.text[:4]}")
            yield f"{place} sort {each.sort}"
        if place and abs(place) < _NEAR:
            yield from (f"{place} {sort} beside {each.text}", f"{place} {sort} by {each.sort}")
    yield from (f"two before {by[-2].text} {by[-1].text}", f"two behind {by[1].text} {by[2].text}")
    yield from (f"between {by[-1].text} {by[1].text}", f"by {by[-1].sort} {sort} {by[1].sort}")


@lru_cache(2**14)
def _bucket(feature: str) -> int:
    return zlib.crc32(feature.encode("utf-8", "surrogatepass")) % BUCKETS


@lru_cache(2**14)
def _said(word: str, where: str) -> Buckets:
    """A word and what it is made of, so that "padlock" says something of "lock"."""
    grams = character_ngrams(f" {word} ", (4, 5))
    return np.array([_bucket(f"{where} {word}"), *map(_bucket, grams)], np.intp)
