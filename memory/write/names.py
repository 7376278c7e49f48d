"""Names of people, places and organisations, by their capital letters. English, no model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.write.common_words import CALENDAR, GENERIC, OPENERS

_MAX_NAME_CHARS = 100
_MAX_WORDS = 5
_WORD = re.compile(r"[^\W_](?:[\w&+#]|[.'’-](?=\w))*")
# What may stand between two words of one name, and what may not end one.
_BETWEEN = re.compile(r" | & |, (?=Inc\b|Ltd\b)|\. ")
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "st", "prof", "mt"})
_INNER = frozenset({"of", "de", "van", "von", "der", "da", "del", "la", "di", "the", "&"})
_SENTENCE_END = re.compile(r"(?:^|[.!?:;\n•\"“(]|\s[-*–—]|^[-*])\s*$")
_CONTRACTION = re.compile(r"['’](?:s|m|ve|ll|re|d)$", re.IGNORECASE)
_SHOUTING = 0.6


def names_in(text: str) -> list[str]:
    """Runs of capitalised words, in the order of their first appearance, each once.

    The first word of a sentence counts when it is capitalised inside another one too, when the
    next word is also capitalised, or when it is no common word. "I", weekdays and months are
    no names, and a text in capitals names nobody.
    """
    words = list(_WORD.finditer(text))
    if _is_shouted(words):
        return []
    inside = {word.group() for word in words if not _opens(text, word)}
    names = (name for run in _runs(text, words) if (name := _name(text, run, inside)))
    return list(dict.fromkeys(names))


def _is_shouted(words: list[re.Match[str]]) -> bool:
    letters = [word.group() for word in words if len(word.group()) > 1]
    upper = sum(word.isupper() for word in letters)
    return len(letters) > 2 and upper > _SHOUTING * len(letters)  # noqa: PLR2004 - "IBM in USA"


def _runs(text: str, words: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    run: list[re.Match[str]] = []
    for word in words:
        if run and not _continues(text, run[-1], word):
            yield run
            run = []
        if _is_capitalised(word.group()) or (run and word.group() in _INNER):
            run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _continues(text: str, last: re.Match[str], word: re.Match[str]) -> bool:
    gap = text[last.end() : word.start()]
    if gap == ". ":
        return last.group().lower() in _TITLES
    return _BETWEEN.fullmatch(gap) is not None and not _CONTRACTION.search(last.group())


def _name(text: str, run: list[re.Match[str]], inside: set[str]) -> str | None:
    while run and (run[-1].group() in _INNER or _is_no_name(run[-1].group())):
        run = run[:-1]
    while run and (_is_no_name(run[0].group()) or _only_opens(text, run, inside)):
        run = run[1:]
    while run and (run[-1].group() in _INNER or run[-1].group().lower() in _TITLES):
        run = run[:-1]
    if not run or len(run) > _MAX_WORDS:
        return None
    name = _CONTRACTION.sub("", text[run[0].start() : run[-1].end()])
    return name if 1 < len(name) <= _MAX_NAME_CHARS and name.isprintable() else None


def _only_opens(text: str, run: list[re.Match[str]], inside: set[str]) -> bool:
    """Whether the first word has its capital from the sentence it opens."""
    first = run[0].group()
    if run[0].group() in _INNER:
        return True
    if not _opens(text, run[0]) or first in inside:
        return False
    plain = _CONTRACTION.sub("", first).lower()
    if plain in OPENERS or plain in GENERIC:
        return True
    if len(run) > 1 or not first.istitle():
        return False
    return plain.endswith(("ing", "ed", "ly")) or _is_plural(text, run[0])


def _is_plural(text: str, word: re.Match[str]) -> bool:
    """Things, not a person: "Peanuts give me …", but "Carlos lives …"."""
    if not word.group().endswith("s") or word.group().endswith("ss"):
        return False
    following = _WORD.search(text, word.end())
    return following is not None and not following.group().endswith("s")


def _opens(text: str, word: re.Match[str]) -> bool:
    before = text[max(0, word.start() - 12) : word.start()]
    return _SENTENCE_END.search(before) is not None


def _is_capitalised(word: str) -> bool:
    return word != "I" and any(each.isupper() for each in word)


def _is_no_name(word: str) -> bool:
    plain = _CONTRACTION.sub("", word).lower()
    if plain in CALENDAR or plain in ("i", "user", "ok"):
        return True
    return plain[0].isdigit()
