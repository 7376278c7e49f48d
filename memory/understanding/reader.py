"""The reader that needs no language model: an encoder sees the message whole, and its heads say
where segments begin, what each is, what it commands, and with which words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from memory.text import to_readable
from memory.understanding.commands import find_command_mentions
from memory.understanding.encoded_text import (
    EncodedText,
    encode_text,
    label_shares,
    logits_alone,
    most_probable,
    yes_share,
)
from memory.understanding.multilingual_encoder import load_multilingual_encoder
from memory.understanding.segmentation import Gaps, SegmentSpan, split_segments
from memory.understanding.types import (
    COMMANDS,
    SENTENCE_ENDS,
    STATEMENTS,
    Interpretation,
    Kind,
    MessageText,
    Segment,
)

# So probable it has to be that a sentence is understood without the one before it, and the first
# without the message before; what does not begin one is a part of it.
ALONE_FROM, FIRST_ALONE_FROM = 0.45, 0.6
# To take what is told for what was told before forgets something else.
POINTS_BACK_FROM = 0.5
# The letters that the encoder knows: those of Latin script.
_KNOWN_LETTERS = re.compile(r"[A-Za-zªºÀ-ɏḀ-ỿ]")
_ASKED = "?？؟"
# What is less probably no command than this may be one, and what is more probably told than this
# may be kept; so many of a message are read by themselves, some 4 ms each.
PERHAPS_NONE, PERHAPS_TOLD, MOST_READ_ALONE = 0.6, 0.2, 48
_LOOKED_BACK = 100
# As probably told by itself, the words that a wish to leave something out marks say what is meant:
# “my sister is ill”, and not “any of this”. Found on the labelled messages.
SAYS_WHAT_FROM = 0.4
# What sounds as probably like one wish and like another is two, where it can be cut.
TWO_WISHES_FROM, CUT_TWO_WISHES_FROM = 0.3, 0.03
_WISHES: tuple[Kind, ...] = ("remember", "forget", "do_not_remember")
Array = npt.NDArray[np.float32]


class OfflineReader:
    """Reads with the weights of the package (docs/decisions/0025-offline-reader.md).

    What stands in quotation marks is somebody else's where the message asks for something to be
    done with it, or a colon or a question mark leads to it; what somebody tells in the words of
    another is told all the same. What is written in other letters than Latin is told, but where it
    ends with a question mark: it is kept by default.
    """

    def read(self, message: MessageText) -> Interpretation:
        text = to_readable(message.text)
        if not any(each.isalnum() for each in text):
            return Interpretation()
        encoded = encode_text(text, load_multilingual_encoder())
        gaps = encoded.gaps()
        spans = split_segments(text, gaps)
        segments = _apart(encoded, spans, gaps)
        quoted = [each for each in spans if each.quoted]
        if quoted and not (_introduced(text, quoted) or any(each.asks for each in segments)):
            spans = split_segments(text, gaps, quotations=False)
            segments = _segments(encoded, spans)
        segments = _read_wishes(encoded, _read_alone(_without_pastes(text, segments)))
        return Interpretation(tuple(segments), tuple(find_command_mentions(text, segments)))

    def describe(self, text: str) -> Segment:
        """The text as one segment, for what it is about."""
        text = to_readable(text)
        if not text:
            return _quotation(text, SegmentSpan(0, 0))
        encoded = encode_text(text, load_multilingual_encoder())
        [logits] = encoded.segments([(0, len(text))])
        return _segment(text, SegmentSpan(0, len(text)), logits, follows=False)

    def gaps(self, text: str) -> Gaps:
        """Each word and mark of a text, with how probable it is that a segment begins there."""
        return encode_text(text, load_multilingual_encoder()).gaps()


def _segments(encoded: EncodedText, spans: Sequence[SegmentSpan]) -> list[Segment]:
    own = [each for each in spans if not each.quoted]
    logits = encoded.segments([(each.start, each.end) for each in own])
    told = dict(zip(own, logits, strict=True))
    text = encoded.text
    return [
        _segment(text, span, told[span], follows=at > 0)
        if span in told
        else _quotation(text[span.start : span.end], span)
        for at, span in enumerate(spans)
    ]


def _apart(encoded: EncodedText, spans: Sequence[SegmentSpan], gaps: Gaps) -> list[Segment]:
    """The segments, of which none sounds like two wishes: “forget that I ski and remember that I
    sing” is cut where a segment most probably begins."""
    segments = _segments(encoded, spans)
    cut = [
        part
        for span, each in zip(spans, segments, strict=True)
        for part in (_parts(encoded.text, span, gaps) if _sounds_like_two(each) else [span])
    ]
    return segments if len(cut) == len(spans) else _segments(encoded, cut)


def _sounds_like_two(segment: Segment) -> bool:
    return sum(segment.kinds.get(each, 0.0) >= TWO_WISHES_FROM for each in _WISHES) > 1


def _parts(text: str, span: SegmentSpan, gaps: Gaps) -> list[SegmentSpan]:
    words = [each for each in gaps if each[0].is_word and span.start < each[0].start < span.end]
    share, place = max(((share, word.start) for word, share in words), default=(0.0, 0))
    if share < CUT_TWO_WISHES_FROM:
        return [span]
    return [replace(span, end=len(text[:place].rstrip())), replace(span, start=place)]


def _segment(text: str, span: SegmentSpan, logits: Array, *, follows: bool) -> Segment:
    if _is_unknown(text[span.start : span.end]):
        return _by_its_mark(text[span.start : span.end], span)
    kinds = cast(Mapping[Kind, float], label_shares("kind", logits))
    least = ALONE_FROM if follows else FIRST_ALONE_FROM
    stands_alone = _opens(text, span.start) and yes_share("alone", logits) >= least
    return Segment(
        text=text[span.start : span.end],
        start=span.start,
        end=span.end,
        kind=most_probable(kinds),
        kinds=kinds,
        **_about(logits),
        alone=stands_alone,
        points_back=yes_share("points_back", logits) >= POINTS_BACK_FROM,
        commands=label_shares("command", logits),
    )


def _read_alone(segments: Sequence[Segment]) -> list[Segment]:
    """What is told, and what may be one of several commands, is read once more by itself: beside
    others it is heard that it is one, and less what about, or which."""
    wanted = [each for each in segments if _is_read_alone(each)][:MOST_READ_ALONE]
    if not wanted or len(segments) == 1:
        return list(segments)
    logits = logits_alone([each.text for each in wanted], load_multilingual_encoder())
    alone = {each.start: told for each, told in zip(wanted, logits, strict=True)}
    return [
        _by_itself(each, alone[each.start]) if each.start in alone else each for each in segments
    ]


def _read_wishes(encoded: EncodedText, segments: Sequence[Segment]) -> list[Segment]:
    """With what each wish to forget or to leave something out is about. Whether that tells what is
    to be left out is read from these words by themselves."""
    found = [
        replace(each, object=_object(encoded, segments, at))
        if each.leaves_out or each.may_ask_to_forget
        else each
        for at, each in enumerate(segments)
    ]
    about = {each.start: each.object for each in found if each.leaves_out and each.object}
    if not about:
        return found
    logits = logits_alone(list(about.values()), load_multilingual_encoder())
    told = {at: _told(each) for at, each in zip(about, logits, strict=True)}
    return [replace(each, says_what=told.get(each.start, 0.0) >= SAYS_WHAT_FROM) for each in found]


def _object(encoded: EncodedText, segments: Sequence[Segment], at: int) -> str:
    """The words that a wish marks as what it is about: its own, or of a wish to forget those of the
    clause before it, which tells nothing: “About Tom's trial: forget all that”."""
    each = segments[at]
    place = encoded.marked("object", each.start, each.end)
    before = segments[at - 1] if at else each
    if place is None and not each.leaves_out and _leads_to_a_wish(before):
        each, place = before, encoded.marked("object", before.start, before.end)
    return encoded.text[max(place[0], each.start) : min(place[1], each.end)] if place else ""


def _leads_to_a_wish(segment: Segment) -> bool:
    """Whether it says nothing by itself: “About Tom's trial:”."""
    ends = segment.text[-1:] in SENTENCE_ENDS
    return not (ends or segment.tells or segment.asks or segment.forgets)


def _told(logits: Array) -> float:
    kinds = label_shares("kind", logits)
    return sum(kinds[each] for each in STATEMENTS)


def _is_read_alone(segment: Segment) -> bool:
    if not segment.commands:
        return False
    return segment.told >= PERHAPS_TOLD or segment.commands["none"] <= PERHAPS_NONE


def _by_itself(segment: Segment, logits: Array) -> Segment:
    return replace(
        segment,
        **_about(logits),
        commands=_as_sure(segment.commands, label_shares("command", logits)),
    )


def _about(logits: Array) -> dict[str, Any]:
    return {
        name: most_probable(label_shares(name, logits)) for name in ("category", "bank", "lifetime")
    }


def _as_sure(beside: Mapping[str, float], alone: Mapping[str, float]) -> dict[str, float]:
    """As probably a command as beside the others, and which it is by itself; what wants something
    kept may be a command by itself too."""
    wishes = max(COMMANDS, key=lambda name: alone[name]) == "remember"
    if wishes and alone["none"] < beside["none"]:
        return dict(alone)
    whole = max(1 - alone["none"], 1e-6)
    shares = {name: share / whole * (1 - beside["none"]) for name, share in alone.items()}
    return shares | {"none": beside["none"]}


def _opens(text: str, start: int) -> bool:
    before = text[max(0, start - _LOOKED_BACK) : start]
    said = before.rstrip()
    return not said or said[-1] in SENTENCE_ENDS or "\n" in before[len(said) :]


def _is_unknown(words: str) -> bool:
    letters = sum(each.isalpha() for each in words)
    return letters > 2 * len(_KNOWN_LETTERS.findall(words))


def _by_its_mark(words: str, span: SegmentSpan) -> Segment:
    kind: Kind = "question" if words[-1:] in _ASKED else "fact"
    return Segment(words, span.start, span.end, kind, {kind: 1.0})


def _quotation(words: str, span: SegmentSpan) -> Segment:
    return Segment(words, span.start, span.end, "quotation", {"quotation": 1.0})


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
