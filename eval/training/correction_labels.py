"""Which words a labelled correction exchanges, and messages that correct nothing.

Which words those are follows from the memory and from what it says afterwards. Where that takes
words that the message does not have, only what goes is known.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from eval.training.data import LabelledCorrection, LabelledMessage
from eval.training.examples import lives_of, unmarked
from memory.understanding import STATEMENTS
from memory.understanding.corrections import WORD
from memory.understanding.encoded_text import Span

# Two words of which only so many of the last letters differ are one, inflected.
_STEM, _ENDING = 3, 2
# Beside what is told over months: so many earlier statements that share the most words with it, and
# so many others.
_NEAR, _OTHERS = 2, 2


def exchanged_words(
    memory: str, said: str, after: str
) -> tuple[list[Span] | None, list[Span] | None]:
    """Where the words stand that go from the memory, and those of the message in their place. An
    ending that is put right is left alone: of “keine Milch”, now “keinen Weizen”, milk goes.
    """
    before, now = ([*WORD.finditer(each)] for each in (memory, after))
    was, is_now = ([each[0].casefold() for each in words] for words in (before, now))
    goes: list[Span] = []
    comes: list[Span] = []
    known = True
    for kind, a, b, c, d in SequenceMatcher(None, was, is_now, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        old, new = before[a:b], now[c:d]
        found = _place(said, after, new)
        if found is None and new:
            told = [each for each in new if _place(said, after, [each]) is not None]
            endings = [each for each in new if each not in told]
            old = [each for each in old if not any(_is_inflected(each, one) for one in endings)]
            found = _place(said, after, told)
            known = known and (found is not None or not old)
        if old:
            goes.append((old[0].start(), old[-1].end()))
        if found is not None and found not in comes:
            comes.append(found)
    return goes or None, comes if goes and known else None


def _place(said: str, after: str, words: Sequence[re.Match[str]]) -> Span | None:
    """Where the message has them, side by side."""
    if not words:
        return None
    run = re.escape(after[words[0].start() : words[-1].end()])
    found = re.search(rf"(?<!\w){run}(?!\w)", said, re.IGNORECASE)
    return None if found is None else found.span()


def _is_inflected(one: re.Match[str], other: re.Match[str]) -> bool:
    first, second = one[0].casefold(), other[0].casefold()
    longest = max(len(first), len(second))
    same = next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    return first.isalpha() and same >= _STEM and longest - same <= _ENDING


def plain_talk(
    messages: Sequence[LabelledMessage], most: int, rng: random.Random
) -> list[LabelledCorrection]:
    """So many messages of lives beside what was told before them, none of which they correct: what
    has changed since was not wrong."""
    found: list[LabelledCorrection] = []
    for life in lives_of(messages):
        told: list[str] = []
        for message in life.messages:
            texts = [unmarked(each.text)[0] for each in message.segments]
            corrects = any(each.kind == "correct" for each in message.segments)
            if len(told) >= _NEAR + _OTHERS and not corrects:
                memories = _beside(" ".join(texts), told, rng)
                found.append(
                    LabelledCorrection(
                        language=message.language,
                        writer=message.writer,
                        memories=tuple(memories),
                        said=". ".join(texts),
                        of=None,
                        after=None,
                    )
                )
            kinds = [each.kind for each in message.segments]
            told += [text for text, kind in zip(texts, kinds, strict=True) if kind in STATEMENTS]
    return rng.sample(found, min(most, len(found)))


def _beside(said: str, told: Sequence[str], rng: random.Random) -> list[str]:
    words = set(said.casefold().split())
    by_words = sorted(told, key=lambda each: -len(words & set(each.casefold().split())))
    return [*by_words[:_NEAR], *rng.sample(by_words[_NEAR:], _OTHERS)]
