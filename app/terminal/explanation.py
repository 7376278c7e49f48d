"""Why the last answer says what it says, as lines of text. Pure functions; `width` None cuts
nothing."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from itertools import zip_longest

from agent.explanation import (
    NOT_LOOKED,
    NOTHING_USED,
    Explanation,
    UnusedMemory,
    UsedMemory,
    format_measures,
    how_found,
)
from app.console import one_line, truncate
from app.terminal.answer import local_day
from memory.types import ScoreParts, StoredMemory, Why

BAR = 10
INDENT = "   "
# Two bars side by side with their names and figures; a narrower terminal has them one by one.
TWO_COLUMNS = 66
_LABEL_WIDTH = 11
_SOURCES = {"user": "what you said", "assistant": "what I said", "system": "a system message"}


def explanation_lines(explained: Explanation, width: int | None = None) -> list[str]:
    """Each memory with its scores, how it was found and where it comes from; what was left out and
    why; and what can be done about it."""
    if not explained.looked:
        return [NOT_LOOKED]
    lines = _used_lines(explained, width) + _quoted_lines(explained)
    if explained.unused:
        lines += ["", "Left out, the most relevant first:"]
        lines += _unused_lines(explained.unused, width)
    if explained.more:
        lines.append(f"{INDENT}and {explained.more} more")
    return lines + _next_lines(explained)


def share_bar(share: float) -> str:
    """BAR cells, as many of them full as the share of 1 says; any share above 0 shows."""
    full = min(math.ceil(share * BAR - 0.5), BAR)
    full = max(full, 1 if share > 0 else 0)
    return "█" * full + "░" * (BAR - full)


def _used_lines(explained: Explanation, width: int | None) -> list[str]:
    lines = ["The last answer rests on:"] if explained.used else [NOTHING_USED]
    most = max((each.why.scores.total for each in explained.used if each.why), default=0.0)
    for each in explained.used:
        lines += ["", *_memory_lines(each, max(most, 1.0), width)]
    if explained.gone:
        lines += ["", f"Forgotten since: {explained.gone} more that it rested on."]
    if _is_by_relevance([each.why.scores for each in explained.used if each.why]):
        lines += ["", "Recency and importance do not count in this ranking."]
    return lines


def _memory_lines(used: UsedMemory, most: float, width: int | None) -> list[str]:
    lines = [truncate(f"#{used.number} {one_line(used.item.content)}", width)]
    lines += [f"{INDENT}{line}" for line in _score_lines(used, most, width)]
    for name, told in _details(used.item, used.why).items():
        lines += _wrapped(name, told, width)
    return lines


def _score_lines(used: UsedMemory, most: float, width: int | None) -> list[str]:
    """Three parts that are added up, and beside them what the sum is multiplied by and the total,
    of which the highest in the answer, or 1, is the whole bar; below them how likely it answers by
    itself."""
    if used.why is None:
        return [_cell("relevance", used.relevance), _cell("answers", used.answers)]
    parts = used.why.scores
    left = [
        _cell("relevance", parts.relevance),
        _cell("recency", parts.recency),
        _cell("importance", parts.importance),
        _cell("answers", used.answers),
    ]
    right = [
        _cell("usage", parts.usage, "×"),
        _cell("quality", parts.quality, "×"),
        f"{'total':<{_LABEL_WIDTH}}{share_bar(parts.total / most)}  {parts.total:.2f}",
    ]
    if width is not None and width < TWO_COLUMNS:
        return left + right
    return [f"{one:<30}{other}".rstrip() for one, other in zip_longest(left, right, fillvalue="")]


def _cell(name: str, value: float, sign: str = " ") -> str:
    return f"{name:<{_LABEL_WIDTH}}{share_bar(value)} {sign}{value:.2f}"


def _details(item: StoredMemory, why: Why | None) -> dict[str, str]:
    """What is known beside the scores, by its name."""
    told = {"from": _source(item)}
    if why is None:
        return told
    notes = [one_line(note) for note in why.notes]
    if item.superseded_by is not None and "no longer true" not in notes:
        notes.append("replaced by another one")
    found = {"found": how_found(why), "measured": format_measures(why), "noted": "; ".join(notes)}
    return {name: said for name, said in found.items() if said} | told


def _source(item: StoredMemory) -> str:
    known = f"{_SOURCES[item.role]} on {local_day(item.created_at)}"
    if item.manually_saved:
        known += ", which you asked me to keep"
    if item.occurred_at is not None:
        known += f"; dated {local_day(item.occurred_at)}"
    return known + ("; pinned" if item.pinned else "")


def _wrapped(name: str, told: str, width: int | None) -> list[str]:
    first, rest = f"{INDENT}{name:<{_LABEL_WIDTH}}", " " * (len(INDENT) + _LABEL_WIDTH)
    if width is None:
        return [first + told]
    return textwrap.wrap(
        told, max(width, len(rest) + BAR), initial_indent=first, subsequent_indent=rest
    )


def _quoted_lines(explained: Explanation) -> list[str]:
    if not explained.quoted:
        return []
    names = {"user": "you", "assistant": "keepsake", "system": "system"}
    lines = [
        f"{INDENT}{each.relevance:.2f}  {local_day(each.said_at)}  {names[each.role]}"
        for each in explained.quoted
    ]
    return ["", "And on past messages:", *lines]


def _unused_lines(unused: Sequence[UnusedMemory], width: int | None) -> list[str]:
    """In columns: number, relevance, why not, and the words."""
    numbers = max(len(str(each.number)) for each in unused) + 1
    reasons = max(len(each.reason) for each in unused)
    return [
        truncate(
            f"{f'#{each.number}':<{numbers}} {each.share}  {each.reason:<{reasons}}  "
            f"{one_line(each.item.content)}",
            width,
        )
        for each in unused
    ]


def _next_lines(explained: Explanation) -> list[str]:
    shown = [each.number for each in explained.used] + [each.number for each in explained.unused]
    if not shown:
        return []
    change = "To change one: /pin #{0}, /edit #{0} NEW WORDS, /forget #{0}. Its history: /why #{0}."
    return ["", change.format(shown[0])]


def _is_by_relevance(scores: Sequence[ScoreParts]) -> bool:
    """Whether every total is the relevance times what it is multiplied by, and no more."""
    return bool(scores) and all(
        math.isclose(each.total, each.relevance * each.usage * each.quality) for each in scores
    )
