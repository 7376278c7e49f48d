"""The words of a text as names are told by: their capitals, and what stands around them. Pure."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

# Whatever is no letter stands in the gap behind a word, so that the two go over a text together.
_WORD_AND_GAP = re.compile(r"([^\W\d_][\w-]*)([\W\d_]*)")
_ENDS_CLAUSE = frozenset(",.!?:;\n")
_ENDS_SENTENCE = frozenset('.!?:;\n"“(')
_APOSTROPHES = frozenset("'’")


class Word(NamedTuple):
    """`plain` is small and without accents, so that "zoe" is Zoë; `gap` what stands between it and
    the next one; `opens` says that a sentence begins with it."""

    plain: str
    is_name_like: bool
    opens: bool
    possessive: bool
    gap: str

    @property
    def ends_clause(self) -> bool:
        return not _ENDS_CLAUSE.isdisjoint(self.gap)


def words_of(text: str) -> list[Word]:
    """In their order; "Maria's" is "maria", possessive, and the "s" is left out."""
    words: list[Word] = []
    opens = True
    for word, gap in _words_and_gaps(unicodedata.normalize("NFC", text)):
        plain = plain_of(word)
        capital = word[0].isupper() and any(map(str.islower, word))
        # Most words stand before a space, which tells nothing.
        alone = gap == " "
        words.append(Word(plain, capital, opens, not alone and _is_possessive(plain, gap), gap))
        opens = not alone and _opens_next(word, gap)
    return words


def _words_and_gaps(text: str) -> list[tuple[str, str]]:
    """An ending belongs to the gap before it: the "s" of "Maria's", the "t" of "don't"; not the
    "Brien" of "O'Brien"."""
    pairs = _WORD_AND_GAP.findall(text)
    if "'" not in text and "’" not in text:
        return pairs
    found: list[list[str]] = []
    before, gap_before = "", ""
    for word, gap in pairs:
        if gap_before in _APOSTROPHES and before[-1].isalpha() and word.islower():
            found[-1] += word, gap
        else:
            found.append([word, gap])
        before, gap_before = word, gap
    return [(word, "".join(gaps)) for word, *gaps in found]


def _is_possessive(plain: str, gap: str) -> bool:
    return gap[:1] in _APOSTROPHES and (_adds_s(gap) or plain.endswith("s"))


def _adds_s(gap: str) -> bool:
    return gap[1:2].casefold() == "s" and not gap[2:3].isalnum()


def plain_of(word: str) -> str:
    """Small, and without accents."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each))


def _opens_next(word: str, gap: str) -> bool:
    """ "Dr. Vogt" is one sentence."""
    if gap.startswith(".") and word.casefold() in ("dr", "mr", "mrs", "ms", "prof", "st"):
        return False
    return not _ENDS_SENTENCE.isdisjoint(gap)
