"""The reader that needs no language model: segments by a trained head, kinds by a fine-tuned
encoder, what they are about by linear heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

import numpy as np

from memory.text import readable
from memory.understanding.commands import load_command_heads
from memory.understanding.features import NOT_FIRST, Token, segment_features, tokens_of
from memory.understanding.fine_tuned import FineTuned, load_fine_tuned
from memory.understanding.orders import (
    Run,
    commands_of,
    orders_of,
    sentences_of,
    sure_in,
    whole_of,
    wholes_of,
)
from memory.understanding.reading import (
    BANKS,
    CATEGORIES,
    KINDS,
    LIFETIMES,
    Category,
    Kind,
    Lifetime,
    Message,
    Reading,
    Segment,
)
from memory.understanding.segments import Span, gaps_of, spans_of
from memory.understanding.weights import Array, load_heads, most_probable

# So probable it has to be that a sentence is understood without the one before it; what does not
# begin one is a part of it.
ALONE_FROM = 0.8
# To take what is told for what was told before forgets something else.
POINTS_BACK_FROM = 0.7
_SENTENCE_ENDS, _LOOKED_BACK = ".!?…", 100
KINDS_FILE = Path(__file__).parent / "kinds.npz"
# So many segments of a message are read by the encoder, 5 ms each; what follows in a long one by
# n-grams.
READ_CLOSELY = 48
Kinds = Mapping[Kind, float]


class OfflineReader:
    """Reads with the weights of the package (docs/decisions/0025-offline-reader.md).

    What stands in quotation marks is somebody else's where the message asks for something to be
    done with it, or a colon or a question mark leads to it; what somebody tells in the words of
    another is told all the same.
    """

    def __init__(self) -> None:
        self._heads = load_heads()
        self._commands = load_command_heads()

    def read(self, message: Message) -> Reading:
        text = readable(message.text)
        spans = spans_of(text, self._heads["boundary"])
        vectors: dict[str, Array] = {}
        segments = self._segments(text, spans, vectors)
        quoted = [each for each in spans if each.quoted]
        if quoted and not (_introduced(text, quoted) or _asks(segments)):
            spans = spans_of(text, self._heads["boundary"], quotations=False)
            segments = self._segments(text, spans, vectors)
        return self._with_orders(text, _without_pastes(text, segments), vectors)

    def describe(self, text: str) -> Segment:
        """The text as one segment, for what it is about; its kind is not looked at closely."""
        text = readable(text)
        span = Span(0, len(text))
        return self._segment(text, span, 0, 0, self._roughly(text, 0, 0))

    def gaps(self, text: str) -> list[tuple[Token, float]]:
        """Each word and mark of a text, with how probable it is that a segment begins there."""
        return gaps_of(tokens_of(text), self._heads["boundary"])

    def _with_orders(
        self, text: str, segments: Sequence[Segment], vectors: dict[str, Array]
    ) -> Reading:
        """What is not read closely commands nothing."""
        sentences = sentences_of(text, segments, [_opens(text, each.start) for each in segments])
        wholes = wholes_of(sentences)[:READ_CLOSELY]
        _vectors([each.text for each in wholes], vectors)
        parts = [Run(at, at + 1, each.text) for at, each in enumerate(segments)]
        own = [each for run in sentences for each in parts[run.first : run.last]]
        shares = {
            run: self._commands.shares(run.text, vectors[run.text])
            for run in [*own, *wholes]
            if run.text in vectors
        }
        told = [
            replace(each, commands=shares.get(part, {}))
            for each, part in zip(segments, parts, strict=True)
        ]
        whole = self._whole(text, segments, vectors) if sure_in(shares) else None
        commands = commands_of(shares, whole)
        orders = orders_of(text, told, sentences, commands, self._commands.objects)
        return Reading(tuple(told), tuple(orders))

    def _whole(
        self, text: str, segments: Sequence[Segment], vectors: dict[str, Array]
    ) -> Mapping[str, float] | None:
        """How probable each command is of the message as one."""
        whole = whole_of(text, segments)
        if whole is None:
            return None
        _vectors([whole.text], vectors)
        return self._commands.shares(whole.text, vectors[whole.text])

    def _segments(
        self, text: str, spans: Sequence[Span], vectors: dict[str, Array]
    ) -> list[Segment]:
        last = len(spans) - 1
        own = [at for at, span in enumerate(spans) if not span.quoted]
        words = {at: text[spans[at].start : spans[at].end] for at in own}
        closely = _closely([words[at] for at in own[:READ_CLOSELY]], vectors)
        kinds = dict(zip(own, closely, strict=False))
        kinds |= {at: self._roughly(words[at], at, last - at) for at in own[READ_CLOSELY:]}
        return [
            self._segment(text, span, at, last - at, kinds[at])
            if at in kinds
            else _quotation(text[span.start : span.end], span)
            for at, span in enumerate(spans)
        ]

    def _roughly(self, words: str, index: int, following: int) -> Kinds:
        shares = self._heads["kind"].probabilities(segment_features(words, index, following))
        return dict(zip(KINDS, shares.tolist(), strict=True))

    def _segment(self, text: str, span: Span, index: int, following: int, kinds: Kinds) -> Segment:
        words = text[span.start : span.end]
        buckets = segment_features(words, index, following)
        heads = self._heads
        category = most_probable(CATEGORIES, heads["category"].probabilities(buckets))
        lifetime = most_probable(LIFETIMES, heads["lifetime"].probabilities(buckets))
        return Segment(
            text=words,
            start=span.start,
            end=span.end,
            kind=max(kinds, key=lambda kind: kinds[kind]),
            kinds=kinds,
            category=cast(Category, category),
            bank=most_probable(BANKS, heads["bank"].probabilities(buckets)),
            lifetime=cast(Lifetime, lifetime),
            alone=index == 0 or (_opens(text, span.start) and self._alone(words, following)),
            points_back=heads["points_back"].yes(buckets) >= POINTS_BACK_FROM,
        )

    def _alone(self, words: str, following: int) -> bool:
        buckets = segment_features(words, NOT_FIRST, following)
        return self._heads["alone"].yes(buckets) >= ALONE_FROM


@cache
def load_kinds() -> FineTuned:
    """Read once, in half a second. Raises ModelFileChanged."""
    return load_fine_tuned(KINDS_FILE)


def _closely(texts: Sequence[str], vectors: dict[str, Array]) -> list[Kinds]:
    if not texts:
        return []
    _vectors(texts, vectors)
    shares = load_kinds().shares(np.array([vectors[each] for each in texts])).tolist()
    return [dict(zip(KINDS, each, strict=True)) for each in shares]


def _vectors(texts: Sequence[str], vectors: dict[str, Array]) -> None:
    """Adds those that are missing."""
    missing = [each for each in dict.fromkeys(texts) if each not in vectors]
    if missing:
        vectors |= zip(missing, load_kinds().vectors(missing), strict=True)


def _opens(text: str, start: int) -> bool:
    before = text[max(0, start - _LOOKED_BACK) : start]
    said = before.rstrip()
    return not said or said[-1] in _SENTENCE_ENDS or "\n" in before[len(said) :]


def _quotation(words: str, span: Span) -> Segment:
    return Segment(words, span.start, span.end, "quotation", {"quotation": 1.0})


def _asks(segments: Sequence[Segment]) -> bool:
    return any(each.asks for each in segments)


def _introduced(text: str, quoted: Sequence[Span]) -> bool:
    before = (text[max(0, each.start - _LOOKED_BACK) : each.start].rstrip() for each in quoted)
    return any(each.endswith((":", "?")) for each in before)


def _without_pastes(text: str, segments: Sequence[Segment]) -> list[Segment]:
    """What follows "Summarise this:" on lines of its own is what it is about."""
    for at, each in enumerate(segments[:-1]):
        between = text[each.end : segments[at + 1].start]
        if each.asks and each.text.endswith(":") and "\n" in between:
            pasted = (_quotation(one.text, Span(one.start, one.end)) for one in segments[at + 1 :])
            return [*segments[: at + 1], *pasted]
    return list(segments)
