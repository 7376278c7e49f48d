"""Labelled lines as the network learns from them: tokens, which of them each segment is, and the
labels of both."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from tokenizers import Tokenizer

from eval.training.data import (
    LabelledCommand,
    LabelledFamily,
    LabelledMessage,
    LabelledSegment,
    LabelledSentence,
    LabelledStatement,
    MarkedSentence,
    type_message,
)
from memory.understanding import STATEMENTS
from memory.understanding.encoded_text import SEGMENT_LABELS, TOKEN_LABELS
from memory.understanding.multilingual_encoder import PAIR_TOKENS, TOKENS
from memory.understanding.relations import RELATIONS, Relation

UNKNOWN = -1
# After these nothing of the older text holds, or a part of it does not.
OVER: Collection[Relation] = ("replaces", "ends")
# Other statements of a life that a new one is put beside.
_UNRELATED = 5
_OPENED, _CLOSED = "⟦", "⟧"
# Kinds that say which command a segment is; of the others but `control` it is none.
_COMMANDING = frozenset({"remember", "forget", "do_not_remember"})
Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class SegmentExample:
    """The number of its label for each question, or UNKNOWN."""

    labels: Mapping[str, int]


@dataclass(frozen=True)
class TextExample:
    """`spans` are the segments in tokens, the special one at the beginning counted."""

    ids: list[int]
    spans: list[Span]
    segments: list[SegmentExample]
    token_labels: Mapping[str, list[int]]
    writer: str
    language: str


@dataclass(frozen=True)
class PairExample:
    older: list[int]
    newer: list[int]
    relation: int
    writer: str
    language: str

    @property
    def size(self) -> int:
        return len(self.older) + len(self.newer) + 4


@dataclass(frozen=True)
class TrainingEpoch:
    texts: Sequence[TextExample]
    pairs: Sequence[PairExample]


@dataclass(frozen=True)
class Pair:
    """What was said before and what is said now; `gone` says where in the old one stands what holds
    no more, None where nobody knows."""

    old: str
    new: str
    relation: Relation
    writer: str
    language: str
    gone: Sequence[Span] | None = None


@dataclass(frozen=True)
class _Text:
    """A text whose labels are being put on its tokens."""

    text: str
    ids: list[int]
    offsets: list[Span]

    def tokens(self, start: int, end: int) -> list[int]:
        return [at for at, (a, b) in enumerate(self.offsets) if b > start and a < end and b > a]


@dataclass(frozen=True)
class Examples:
    """Makes examples with the tokenizer of the network."""

    tokenizer: Tokenizer
    common: Collection[str] = field(default_factory=frozenset)

    def of_message(
        self, message: LabelledMessage, rng: random.Random, *, alone: bool
    ) -> TextExample:
        """As somebody might type it; `alone` says that its writer marked what stands alone."""
        bare = message.model_copy(
            update={"segments": tuple(_without_marks(each) for each in message.segments)}
        )
        whole = type_message(bare, self.common, rng)
        text = self._text(whole.text)
        ends = (*whole.starts[1:], len(whole.text))
        spans, segments, kept = [], [], []
        for place, (start, end) in enumerate(zip(whole.starts, ends, strict=True)):
            if tokens := text.tokens(start, len(whole.text[:end].rstrip())):
                spans.append((tokens[0] + 1, tokens[-1] + 2))
                segments.append(_segment(message.segments[place], alone=alone))
                kept.append((place, start, end))
        labels = _token_labels(text, [span[0] - 1 for span in spans])
        _mark_secrets(text, labels, message.segments, whole.starts)
        _mark_objects(text, labels, [(message.segments[at], a, b) for at, a, b in kept])
        return TextExample(text.ids, spans, segments, labels, message.writer, message.language)

    def of_command(self, told: LabelledCommand) -> TextExample:
        """A command of one segment or several, whose places nobody marked."""
        text = self._text(told.text)
        labels = _token_labels(text, None)
        kind = "control" if told.command != "none" else None
        kind = told.command if told.command in _COMMANDING - {"remember"} else kind
        kind = None if told.command in ("remember", "remember_anyway") else kind
        answers = {"kind": _number("kind", kind), "command": _number("command", told.command)}
        segment = SegmentExample(dict.fromkeys(SEGMENT_LABELS, UNKNOWN) | answers)
        if told.command != "none" and (told.object or told.old or told.new):
            _mark_words(text, labels, told, 0, len(told.text))
        return TextExample(
            text.ids, [(1, len(text.ids) + 1)], [segment], labels, told.writer, told.language
        )

    def of_pointing(self, told: LabelledSentence) -> TextExample | None:
        """A wish to leave out, which points back or does not."""
        if told.label == "other":
            return None
        text = self._text(told.text)
        answers = {"points_back": int(told.label == "points_back")}
        segment = SegmentExample(dict.fromkeys(SEGMENT_LABELS, UNKNOWN) | answers)
        return TextExample(
            text.ids, [(1, len(text.ids) + 1)], [segment], _token_labels(text, None), told.writer,
            told.language,
        )  # fmt: skip

    def of_secrets(self, told: MarkedSentence) -> TextExample:
        bare, marked = unmarked(told.text)
        text = self._text(bare)
        labels = _token_labels(text, None)
        labels["secret"] = [0] * len(text.ids)
        for start, end in marked:
            _set(labels["secret"], text.tokens(start, end))
        return TextExample(text.ids, [], [], labels, told.writer, told.language)

    def of_pair(self, pair: Pair) -> PairExample:
        older, newer = self._text(pair.old), self._text(pair.new)
        return PairExample(
            older.ids[:PAIR_TOKENS],
            newer.ids[:PAIR_TOKENS],
            RELATIONS.index(pair.relation),
            pair.writer,
            pair.language,
        )

    def _text(self, text: str) -> _Text:
        found = self.tokenizer.encode(text, add_special_tokens=False)
        return _Text(text, found.ids[:TOKENS], found.offsets[:TOKENS])


def pairs_of(families: Iterable[LabelledFamily]) -> list[Pair]:
    return [
        Pair(
            family.old,
            each.text,
            each.relation,
            family.writer,
            family.language,
            _gone(family, each),
        )
        for family in families
        for each in family.new
    ]


def _gone(family: LabelledFamily, told: LabelledStatement) -> Sequence[Span] | None:
    if told.relation not in OVER:
        return ()
    if told.gone is None:
        return None
    starts = map(family.old.index, told.gone)
    return [(start, start + len(words)) for start, words in zip(starts, told.gone, strict=True)]


@dataclass(frozen=True)
class Life:
    """The messages of one person, in their order; what each statement says of earlier ones is what
    pairs are made of."""

    messages: Sequence[LabelledMessage]

    @cached_property
    def statements(self) -> list[tuple[LabelledMessage, LabelledSegment]]:
        return [
            (message, each)
            for message in self.messages
            for each in message.segments
            if each.kind in STATEMENTS and each.id is not None
        ]

    def pairs(self, rng: random.Random, unrelated: int = _UNRELATED) -> list[Pair]:
        """Each statement beside those that it names, and so many others that still held then."""
        found: list[Pair] = []
        over: set[str] = set()
        for at, (message, new) in enumerate(self.statements):
            before = {each.id or "": each for _, each in self.statements[:at]}
            named = dict(new.of)
            held = [name for name in before if name not in over and name not in named]
            named |= dict.fromkeys(rng.sample(held, min(unrelated, len(held))), "other")
            found += [self._pair(message, before[name], new, how) for name, how in named.items()]
            over |= {name for name, how in new.of.items() if how in OVER}
        return found

    @staticmethod
    def _pair(
        message: LabelledMessage, old: LabelledSegment, new: LabelledSegment, how: Relation
    ) -> Pair:
        before, now = (unmarked(each.text)[0] for each in (old, new))
        gone = None if how in OVER else ()
        return Pair(before, now, how, message.writer, message.language, gone)


def lives_of(messages: Sequence[LabelledMessage]) -> list[Life]:
    people: dict[str, list[LabelledMessage]] = {}
    for each in messages:
        people.setdefault(each.person or each.writer, []).append(each)
    return [Life(each) for each in people.values()]


def unmarked(text: str) -> tuple[str, list[Span]]:
    """Without the marks around secrets, and where these stand in it."""
    signs: list[str] = []
    marked, opened = [], 0
    for sign in text:
        if sign == _OPENED:
            opened = len(signs)
        elif sign == _CLOSED:
            marked.append((opened, len(signs)))
        else:
            signs.append(sign)
    return "".join(signs), marked


def _without_marks(segment: LabelledSegment) -> LabelledSegment:
    return segment.model_copy(update={"text": unmarked(segment.text)[0]})


def _segment(segment: LabelledSegment, *, alone: bool) -> SegmentExample:
    command = segment.command or ("" if segment.kind == "control" else _command_of(segment.kind))
    return SegmentExample(
        {
            "kind": _number("kind", segment.kind),
            "category": _number("category", segment.category),
            "bank": _number("bank", segment.bank),
            "lifetime": _number("lifetime", segment.lifetime),
            "alone": int(segment.alone) if alone else UNKNOWN,
            "points_back": UNKNOWN,
            "command": _number("command", command),
        }
    )


def _command_of(kind: str) -> str:
    return kind if kind in _COMMANDING else "none"


def _number(question: str, label: str | None) -> int:
    return SEGMENT_LABELS[question].index(label) if label else UNKNOWN


def _token_labels(text: _Text, begins: Sequence[int] | None) -> dict[str, list[int]]:
    """Where segments begin; with None, as of all else, nothing is known. The first token always
    begins one."""
    labels = {name: [UNKNOWN] * len(text.ids) for name in TOKEN_LABELS}
    if begins is not None:
        labels["begins"] = [UNKNOWN, *(int(at in set(begins)) for at in range(1, len(text.ids)))]
        labels["begins"] = labels["begins"][: len(text.ids)]
    return labels


def _mark_secrets(
    text: _Text,
    labels: dict[str, list[int]],
    segments: Sequence[LabelledSegment],
    starts: Sequence[int],
) -> None:
    labels["secret"] = [0] * len(text.ids)
    for segment, start in zip(segments, starts, strict=True):
        for a, b in unmarked(segment.text)[1]:
            _set(labels["secret"], text.tokens(start + a, start + b))


def _mark_objects(
    text: _Text, labels: dict[str, list[int]], told: Sequence[tuple[LabelledSegment, int, int]]
) -> None:
    for segment, start, end in told:
        if segment.command and (segment.object or segment.old or segment.new):
            _mark_words(text, labels, segment, start, end)


def _mark_words(
    text: _Text,
    labels: dict[str, list[int]],
    told: LabelledSegment | LabelledCommand,
    start: int,
    end: int,
) -> None:
    names: tuple[Literal["object", "old", "new"], ...] = ("object", "old", "new")
    inside = text.tokens(start, end)
    for name in names:
        for at in inside:
            labels[name][at] = 0
        words = unmarked(getattr(told, name))[0]
        place = text.text.casefold().find(words.casefold(), start) if words else -1
        if place >= 0:
            _set(labels[name], text.tokens(place, place + len(words)))


def _set(labels: list[int], places: Sequence[int]) -> None:
    for at in places:
        labels[at] = 1
