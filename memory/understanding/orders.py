"""Which parts of a message command something, and the words that it is about. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.understanding.encoded import EncodedText, logits_alone
from memory.understanding.heads import shares_of
from memory.understanding.reading import (
    ASKING,
    COMMANDS,
    STATEMENTS,
    CommandName,
    Order,
    Segment,
)

# From so probable on it is some command, and from so probable on this one; what is hard to take
# back, or keeps all that is told afterwards from being remembered, has to be surer.
# docs/decisions/0029-commands.md.
SURE_FROM, NAMED_FROM, _SURER_FROM = 0.8, 0.4, 0.7
_SURER: frozenset[CommandName] = frozenset(
    {"erase_me", "memory_off", "memory_read_only", "incognito_on", "incognito_read_only"}
)
# Of an edit, which tells what was before, few examples were learned from.
_EDIT_FROM = 0.5
# So many words of a pin that by themselves are so probably told are no name of something known.
TELLS_FROM, _FEWEST_WORDS = 0.3, 4
# Their object is a part of the words; of the others it is looked for with all of them.
_WITH_OBJECT: frozenset[CommandName] = frozenset(
    {"remember", "remember_anyway", "pin", "unpin", "about", "edit"}
)
_MARKS = " \t\n.,;:!?…–—-"
_PAIRS = {'"': '"', "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "(": ")"}


def orders_of(encoded: EncodedText, segments: Sequence[Segment]) -> list[Order]:
    """In their order. Neighbours that command the same are one, but where each stands alone and may
    be about something else: “remember that I ski. Remember that I sing”."""
    orders: list[Order] = []
    for at, each in enumerate(segments):
        name = command_of(each)
        if name is None:
            continue
        start, end = _sentence(segments, at) if name in _WITH_OBJECT else (each.start, each.end)
        before = orders[-1] if orders else None
        if before and before.name == name and (before.end > start or _goes_on(segments, at)):
            start = min(start, before.start)
            orders.pop()
        orders.append(Order(name, start, end, encoded.text[start:end]))
    return [_with_words(encoded, each) for each in orders]


def command_of(segment: Segment) -> CommandName | None:
    """None for what is told, asked or doubtful."""
    if not segment.commands:
        return None
    name = max(COMMANDS, key=lambda each: segment.commands[each])
    named = segment.commands[name] >= (_SURER_FROM if name in _SURER else NAMED_FROM)
    sure = _EDIT_FROM if name == "edit" else SURE_FROM
    return name if named and 1 - segment.commands["none"] >= sure else None


def _goes_on(segments: Sequence[Segment], at: int) -> bool:
    """Whether the segment goes on with the command of the one before it."""
    name = command_of(segments[at])
    apart = name in _WITH_OBJECT and segments[at].alone
    return at > 0 and command_of(segments[at - 1]) == name and not apart


def _sentence(segments: Sequence[Segment], at: int) -> tuple[int, int]:
    """With what goes on in the same sentence and is no command or question: “remember that I moved,
    and that Ida stayed”."""
    last = at
    while (
        last + 1 < len(segments)
        and not segments[last + 1].alone
        and command_of(segments[last + 1]) is None
        and segments[last + 1].kind not in ASKING
    ):
        last += 1
    return segments[at].start, segments[last].end


def _with_words(encoded: EncodedText, order: Order) -> Order:
    if order.name not in _WITH_OBJECT:
        return order
    if order.name == "edit":
        old, new = _words(encoded, "old", order), _words(encoded, "new", order)
        overlap = old is not None and new is not None and old in new
        return replace(order, old=None if overlap else old, new=new)
    words = _words(encoded, "object", order)
    return replace(order, object=words, tells=order.name == "pin" and _tells(words, encoded))


def _tells(words: str | None, encoded: EncodedText) -> bool:
    if words is None or len(words.split()) < _FEWEST_WORDS:
        return False
    [logits] = logits_alone([words], encoded.encoder)
    kinds = shares_of("kind", logits)
    return sum(kinds[each] for each in STATEMENTS) >= TELLS_FROM


def _words(encoded: EncodedText, name: str, order: Order) -> str | None:
    """Without the marks and the quotation marks around them; None where it has none."""
    span = encoded.marked(name, order.start, order.end)
    if span is None:
        return None
    start, end = max(span[0], order.start), min(span[1], order.end)
    if encoded.text.rfind("[", start, end) > encoded.text.rfind("]", start, end):
        end = max(end, encoded.text.find("]", end, order.end) + 1)
    found = encoded.text[start:end].strip(_MARKS)
    if len(found) > 1 and _PAIRS.get(found[0]) == found[-1]:
        found = found[1:-1].strip(_MARKS)
    return found or None
