"""Reads a message without a language model: where it is cut, and what each segment is and is
about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import cast

import numpy as np

from memory.text import to_readable
from memory.understanding.commands import (
    SegmentRun,
    choose_commands,
    combined_runs,
    find_command_mentions,
    find_sure_runs,
    lead_in,
    load_command_heads,
    message_run,
    sentence_runs,
)
from memory.understanding.fine_tuned_encoder import FineTunedEncoder, load_fine_tuned
from memory.understanding.linear_models import (
    NOT_FIRST,
    Array,
    LinearHead,
    Token,
    gap_features,
    load_heads,
    most_probable_label,
    segment_features,
    tokenize,
)
from memory.understanding.types import (
    BANKS,
    CATEGORIES,
    KINDS,
    LIFETIMES,
    Category,
    Interpretation,
    Kind,
    Lifetime,
    MessageText,
    Segment,
)

# Found on writers that were held out: see the model card.
CUT_FROM = 0.4
# Words of somebody else, and no title or nickname. The upper bound keeps the search linear.
_QUOTED = re.compile(
    r'"[^"]{25,2000}"|“[^”]{25,2000}”|„[^“”]{25,2000}[“”]|«[^»]{25,2000}»'
    r"|(?<!\w)['‘][^\n]{25,600}?['’](?!\w)|^[ \t]*[>|].*$",
    re.DOTALL | re.MULTILINE,
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_HEADER = re.compile(r"^[A-Z][\w-]{1,12}: \S.*\n[A-Z][\w-]{1,12}: \S", re.MULTILINE)
_SYMBOLS = re.compile(r"[{}\[\]<>=;|\\_$`#*()]")
_LINK = re.compile(r"(?<!\S)\S+://\S+")
# Words that are set off by Markdown are prose.
_EMPHASIS = re.compile(r"(?<![\w*_`])([*_]{1,3}|`)(?=\S)([^\n*_`]+)(?<=\S)\1(?![\w*_`])")
_HEADING = re.compile(r"^[ \t]*(?:#{1,6}|[-*+])[ \t]+")
_CODE_FROM = 0.08
_FEWEST_SYMBOLS = 3


@dataclass(frozen=True)
class SegmentSpan:
    """From `start` to `end` of the text; `quoted` where the words are not the writer's own."""

    start: int
    end: int
    quoted: bool = False


def split_segments(
    text: str, boundary: LinearHead, *, quotations: bool = True
) -> list[SegmentSpan]:
    """The segments of a readable text, without the space around them. With `quotations`, what
    stands in quotation marks is a segment of its own; code and mail headers always are."""
    found: list[SegmentSpan] = []
    for part in _parts(text, quotations):
        if part.quoted:
            found.append(part)
        else:
            found += _cut(text, part, boundary)
    return [trimmed for each in found if (trimmed := _trimmed(text, each))]


def _parts(text: str, quotations: bool) -> Iterator[SegmentSpan]:
    """The writer's own words and those of others, in turn."""
    header = _HEADER.search(text)
    end = header.start() if header else len(text)
    at = 0
    found = [*_code(text, end), *(_quoted(text, end) if quotations else ())]
    for start, stop in sorted(found, key=lambda each: (each[0], -each[1])):
        if start < at:
            continue
        yield SegmentSpan(at, start)
        yield SegmentSpan(start, stop, quoted=True)
        at = stop
    yield SegmentSpan(at, end)
    if header:
        yield SegmentSpan(end, len(text), quoted=True)


def _quoted(text: str, end: int) -> Iterator[tuple[int, int]]:
    for each in _QUOTED.finditer(text, 0, end):
        yield each.span()


def _code(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Fenced, or lines in which signs that prose does not need are more than one in twelve."""
    for each in _FENCED.finditer(text, 0, end):
        yield each.span()
    at = 0
    for line in text[:end].splitlines(keepends=True):
        prose = _EMPHASIS.sub(r"\2", _HEADING.sub("", _LINK.sub("", line)))
        symbols = len(_SYMBOLS.findall(prose))
        if symbols >= max(_FEWEST_SYMBOLS, _CODE_FROM * len(prose)):
            yield at, at + len(line)
        at += len(line)


def _cut(text: str, part: SegmentSpan, boundary: LinearHead) -> Iterator[SegmentSpan]:
    start = part.start
    tokens = tokenize(text[part.start : part.end])
    for token, share in boundary_probabilities(tokens, boundary)[1:]:
        if share >= CUT_FROM:
            yield SegmentSpan(start, part.start + token.start)
            start = part.start + token.start
    yield SegmentSpan(start, part.end)


def boundary_probabilities(
    tokens: Sequence[Token], boundary: LinearHead
) -> list[tuple[Token, float]]:
    """Each word and mark, with how probable it is that a segment begins there; 1 for the first."""
    shares = (boundary.yes(gap_features(tokens, gap)) for gap in range(1, len(tokens)))
    return list(zip(tokens, (1.0, *shares), strict=False))


def _trimmed(text: str, span: SegmentSpan) -> SegmentSpan | None:
    """None where nothing but white space and marks is left."""
    words = text[span.start : span.end]
    if not any(each.isalnum() for each in words):
        return None
    start = span.start + len(words) - len(words.lstrip())
    return SegmentSpan(start, span.start + len(words.rstrip()), span.quoted)


# So probable it has to be that a sentence is understood without the one before it; what does not
# begin one is a part of it.
ALONE_FROM = 0.8
# To take what is told for what was told before forgets something else.
POINTS_BACK_FROM = 0.7
_SENTENCE_ENDS, _LOOKED_BACK = ".!?…", 100
KINDS_FILE = Path(__file__).parent / "kinds.npz"
# So probable it has to be that what stands before a colon wants remembered what follows.
LEADS_FROM = 0.95
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

    def read(self, message: MessageText) -> Interpretation:
        text = to_readable(message.text)
        spans = split_segments(text, self._heads["boundary"])
        vectors: dict[str, Array] = {}
        segments = self._segments(text, spans, vectors)
        quoted = [each for each in spans if each.quoted]
        if quoted and not (_introduced(text, quoted) or _asks(segments)):
            spans = split_segments(text, self._heads["boundary"], quotations=False)
            segments = self._segments(text, spans, vectors)
        return self._with_orders(text, _without_pastes(text, segments), vectors)

    def describe(self, text: str) -> Segment:
        """The text as one segment, for what it is about; its kind is not looked at closely."""
        text = to_readable(text)
        span = SegmentSpan(0, len(text))
        return self._segment(text, span, 0, 0, self._roughly(text, 0, 0))

    def gaps(self, text: str) -> list[tuple[Token, float]]:
        """Each word and mark of a text, with how probable it is that a segment begins there."""
        return boundary_probabilities(tokenize(text), self._heads["boundary"])

    def _with_orders(
        self, text: str, segments: Sequence[Segment], vectors: dict[str, Array]
    ) -> Interpretation:
        """What is not read closely commands nothing."""
        sentences = sentence_runs(text, segments, [_opens(text, each.start) for each in segments])
        wholes = combined_runs(sentences)[:READ_CLOSELY]
        _vectors([each.text for each in wholes], vectors)
        parts = [SegmentRun(at, at + 1, each.text) for at, each in enumerate(segments)]
        own = [each for run in sentences for each in parts[run.first : run.last]]
        looked_at = [each for each in [*own, *wholes] if each.text in vectors]
        _vectors([lead for each in looked_at if (lead := lead_in(each.text))], vectors)
        shares = {run: self._shares(run.text, vectors) for run in looked_at}
        told = [
            replace(each, commands=shares.get(part, {}))
            for each, part in zip(segments, parts, strict=True)
        ]
        whole = self._whole(text, segments, vectors) if find_sure_runs(shares) else None
        commands = choose_commands(shares, whole)
        orders = find_command_mentions(text, told, sentences, commands, self._commands.objects)
        return Interpretation(tuple(told), tuple(orders))

    def _shares(self, text: str, vectors: Mapping[str, Array]) -> Mapping[str, float]:
        """How probable each command is; “remember:” is one whatever it leads to."""
        lead = lead_in(text)
        if lead:
            alone = self._commands.shares(lead, vectors[lead])
            if alone["remember"] >= LEADS_FROM:
                return alone
        return self._commands.shares(text, vectors[text])

    def _whole(
        self, text: str, segments: Sequence[Segment], vectors: dict[str, Array]
    ) -> Mapping[str, float] | None:
        """How probable each command is of the message as one."""
        whole = message_run(text, segments)
        if whole is None:
            return None
        _vectors([whole.text], vectors)
        return self._commands.shares(whole.text, vectors[whole.text])

    def _segments(
        self, text: str, spans: Sequence[SegmentSpan], vectors: dict[str, Array]
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

    def _segment(
        self, text: str, span: SegmentSpan, index: int, following: int, kinds: Kinds
    ) -> Segment:
        words = text[span.start : span.end]
        buckets = segment_features(words, index, following)
        heads = self._heads
        category = most_probable_label(CATEGORIES, heads["category"].probabilities(buckets))
        lifetime = most_probable_label(LIFETIMES, heads["lifetime"].probabilities(buckets))
        return Segment(
            text=words,
            start=span.start,
            end=span.end,
            kind=max(kinds, key=lambda kind: kinds[kind]),
            kinds=kinds,
            category=cast(Category, category),
            bank=most_probable_label(BANKS, heads["bank"].probabilities(buckets)),
            lifetime=cast(Lifetime, lifetime),
            alone=index == 0 or (_opens(text, span.start) and self._alone(words, following)),
            points_back=heads["points_back"].yes(buckets) >= POINTS_BACK_FROM,
        )

    def _alone(self, words: str, following: int) -> bool:
        buckets = segment_features(words, NOT_FIRST, following)
        return self._heads["alone"].yes(buckets) >= ALONE_FROM


@cache
def load_kind_model() -> FineTunedEncoder:
    """Read once, in half a second. Raises ModelFileChanged."""
    return load_fine_tuned(KINDS_FILE)


def _closely(texts: Sequence[str], vectors: dict[str, Array]) -> list[Kinds]:
    if not texts:
        return []
    _vectors(texts, vectors)
    shares = load_kind_model().shares(np.array([vectors[each] for each in texts])).tolist()
    return [dict(zip(KINDS, each, strict=True)) for each in shares]


def _vectors(texts: Sequence[str], vectors: dict[str, Array]) -> None:
    """Adds those that are missing."""
    missing = [each for each in dict.fromkeys(texts) if each not in vectors]
    if missing:
        vectors |= zip(missing, load_kind_model().vectors(missing), strict=True)


def _opens(text: str, start: int) -> bool:
    before = text[max(0, start - _LOOKED_BACK) : start]
    said = before.rstrip()
    return not said or said[-1] in _SENTENCE_ENDS or "\n" in before[len(said) :]


def _quotation(words: str, span: SegmentSpan) -> Segment:
    return Segment(words, span.start, span.end, "quotation", {"quotation": 1.0})


def _asks(segments: Sequence[Segment]) -> bool:
    return any(each.asks for each in segments)


def _introduced(text: str, quoted: Sequence[SegmentSpan]) -> bool:
    before = (text[max(0, each.start - _LOOKED_BACK) : each.start].rstrip() for each in quoted)
    return any(each.endswith((":", "?")) for each in before)


def _without_pastes(text: str, segments: Sequence[Segment]) -> list[Segment]:
    """What follows "Summarise this:" on lines of its own is what it is about."""
    for at, each in enumerate(segments[:-1]):
        between = text[each.end : segments[at + 1].start]
        if each.asks and each.text.endswith(":") and "\n" in between:
            pasted = (
                _quotation(one.text, SegmentSpan(one.start, one.end)) for one in segments[at + 1 :]
            )
            return [*segments[: at + 1], *pasted]
    return list(segments)
