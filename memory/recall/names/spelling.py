"""The words of a text as names are told by: their capitals, and what stands around them. Pure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import zip_longest

_WORD = re.compile(r"[^\W\d_][\w-]*")
_ENDS_SENTENCE = frozenset('.!?:;\n"“(')
_APOSTROPHES = frozenset("'’")


@dataclass(frozen=True)
class Word:
    """`plain` is small and without accents, so that "zoe" is Zoë; `gap` what stands between it and
    the next one; `opens` says that a sentence begins with it."""

    plain: str
    is_name_like: bool
    opens: bool
    possessive: bool
    gap: str

    @property
    def ends_clause(self) -> bool:
        return any(each in ",.!?:;\n" for each in self.gap)


def words_of(text: str) -> list[Word]:
    """In their order; "Maria's" is "maria", possessive, and the "s" is left out."""
    text = unicodedata.normalize("NFC", text)
    matches = [each for each in _WORD.finditer(text) if not _is_ending(text, each)]
    words: list[Word] = []
    opens = True
    for match, following in zip_longest(matches, matches[1:]):
        gap = text[match.end() : following.start() if following else len(text)]
        words.append(_word(match[0], gap, opens=opens))
        opens = _opens_next(match[0], gap)
    return words


def _word(text: str, gap: str, *, opens: bool) -> Word:
    plain = plain_of(text)
    possessive = gap[:1] in _APOSTROPHES and (_adds_s(gap) or plain.endswith("s"))
    capital = text[0].isupper() and any(each.islower() for each in text)
    return Word(plain, capital, opens, possessive, gap)


def _adds_s(gap: str) -> bool:
    return gap[1:2].casefold() == "s" and not gap[2:3].isalnum()


def plain_of(word: str) -> str:
    """Small, and without accents."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each))


def _is_ending(text: str, match: re.Match[str]) -> bool:
    """The "s" of "Maria's", the "t" of "don't"; not the "Brien" of "O'Brien"."""
    at = match.start()
    return at > 1 and text[at - 1] in _APOSTROPHES and text[at - 2].isalpha() and match[0].islower()


def _opens_next(word: str, gap: str) -> bool:
    """ "Dr. Vogt" is one sentence."""
    if gap.startswith(".") and word.casefold() in ("dr", "mr", "mrs", "ms", "prof", "st"):
        return False
    return not _ENDS_SENTENCE.isdisjoint(gap)
