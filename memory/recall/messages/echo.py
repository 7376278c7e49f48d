"""Whether a reply only hands back what memory held, so that it does not outrank who said it. Pure,
English."""

from __future__ import annotations

import re

from memory.recall.messages.asking import telling_words
from memory.store.conversations.message_search import MessageRow

_QUOTED = re.compile(r"“[^”]*”|«[^»]*»|\"[^\"]*\"")
# Of all words that are left without the quotes and what memory held.
_MOST_NEW = 0.34
_ATTRIBUTING = frozenset(
    re.findall(
        r"\w+",
        "based basis tell told say said mention mentioned remember remembered recall recalled "
        "know note noted keep kept memory memories according earlier before previously once "
        "here yes all right january february march april may june july august september october "
        "november december nothing something anything only also thing things ",
    )
)


def only_repeats(row: MessageRow) -> bool:
    """Whether the message is the assistant's, holds quotes or memories it was given, and little
    else: at most a third of its words is new, dates and “you told me” aside."""
    if row.role != "assistant":
        return False
    quoted = " ".join(_QUOTED.findall(row.content))
    known = telling_words(" ".join((quoted, *row.rested_on)))
    said = _plain(telling_words(row.content))
    if not said & known:
        return False
    own = _plain(telling_words(_QUOTED.sub(" ", row.content)))
    return len(own - known) <= _MOST_NEW * len(said)


def _plain(words: set[str]) -> set[str]:
    return {word for word in words if not word.isdecimal()} - _ATTRIBUTING
