"""A found message as it is shown: a passage of a long one, the neighbours of a short one, and no
more of all than fits into the prompt. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from memory.recall.messages.asking import telling_words
from memory.recall.shown.budget import ELLIPSIS, LEAST_TOKENS, Fitted
from memory.recall.shown.sentences import sentences
from memory.recalls import RecalledMessage
from memory.secrets import redact
from memory.store.conversations.message_search import MessageRow, Neighbour
from memory.tokens import TokenCounter

# Characters: a shorter message is shown with its neighbours, a longer one as a passage.
SHORT = 160
LONG = 900
BESIDE = 160


def shown(row: MessageRow, score: float, query: str) -> RecalledMessage:
    """Without the secrets that are stored where the user wants them stored."""
    content = redact(row.content.strip())
    short = len(content) <= SHORT
    return RecalledMessage(
        id=str(row.id),
        conversation_id=str(row.conversation_id),
        role=row.role,
        content=passage(content, query),
        created_at=row.created_at,
        relevance_score=score,
        before=_beside(row.before) if short else None,
        after=_beside(row.after) if short else None,
    )


def passage(content: str, query: str) -> str:
    """The sentences in a row, of `LONG` characters at most, that hold the most of the question's
    words; the earliest of equals. A text that is no longer is returned as it is."""
    if len(content) <= LONG:
        return content
    pieces = [piece[:LONG] for piece in sentences(content)]
    asked = telling_words(query)
    held = [telling_words(piece) & asked for piece in pieces]
    start, end = max(_runs(pieces), key=lambda run: len(set().union(*held[run[0] : run[1]])))
    opening = "… " if start > 0 else ""
    closing = ELLIPSIS if end < len(pieces) else ""
    return opening + " ".join(pieces[start:end]) + closing


def fit(
    ranked: Sequence[RecalledMessage], budget: int, counter: TokenCounter
) -> Fitted[RecalledMessage]:
    """Takes messages in their order until `budget` cl100k tokens are used.

    The first that does not fit goes without its neighbours, or is cut if at least `LEAST_TOKENS` of
    it remain, and ends the list.
    """
    taken: list[RecalledMessage] = []
    used = 0
    for item in ranked:
        size = _size(item, counter)
        if used + size <= budget:
            taken.append(item)
            used += size
            continue
        part = _cut(item, budget - used, counter)
        if part is not None:
            taken.append(part)
            used += _size(part, counter)
        return Fitted(tuple(taken), used, truncated=True)
    return Fitted(tuple(taken), used, truncated=False)


def _runs(pieces: Sequence[str]) -> list[tuple[int, int]]:
    """For each sentence how far a run from it goes."""
    runs, end, length = [], 0, 0
    for start, piece in enumerate(pieces):
        while end < len(pieces) and (end <= start or length + len(pieces[end]) < LONG):
            length += len(pieces[end]) + 1
            end += 1
        runs.append((start, end))
        length -= len(piece) + 1
    return runs


def _beside(neighbour: Neighbour | None) -> str | None:
    if neighbour is None:
        return None
    words = " ".join(redact(neighbour.content).split())
    if len(words) > BESIDE:
        words = words[:BESIDE].rsplit(" ", 1)[0] + ELLIPSIS
    return f"{neighbour.role}: {words}"


def _size(item: RecalledMessage, counter: TokenCounter) -> int:
    return sum(counter.count(text) for text in (item.content, item.before, item.after) if text)


def _cut(item: RecalledMessage, room: int, counter: TokenCounter) -> RecalledMessage | None:
    alone = item.model_copy(update={"before": None, "after": None})
    if _size(alone, counter) <= room:
        return alone
    if room < LEAST_TOKENS:
        return None
    for kept in range(room - counter.count(ELLIPSIS), 0, -1):
        content = counter.cut(item.content, kept) + ELLIPSIS
        if counter.count(content) <= room:
            return alone.model_copy(update={"content": content})
    return None
