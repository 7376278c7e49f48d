"""In which language a message is answered: its own, where replies have words in that, else English.

Those that are written in Latin letters are told apart by py3langid, which ships its model. What was
measured is in docs/decisions/0031-language-of-replies.md.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from py3langid.langid import MODEL_FILE, LanguageIdentifier

Language = Literal["en", "de", "es", "fr", "no"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
ENGLISH: Language = "en"
# Close enough that whoever writes the one reads the other.
_NORWEGIAN = frozenset({"da", "nb", "nn"})
# What a conversation goes on in is left for another language only where that is sure.
BEGINS_FROM, CHANGES_FROM, OTHER_FROM = 0.6, 0.8, 0.8
# As much as tells a language; the time grows with the length.
_MOST_CHARS = 1000


@dataclass(frozen=True)
class Spoken:
    """The likeliest of the languages of replies, how probable it is among those, and whether the
    message surely is in another one altogether."""

    language: Language = ENGLISH
    share: float = 0.0
    is_other: bool = False

    def after(self, before: Language | None) -> Language | None:
        """The language to answer in, where the conversation was in `before`; None where nothing
        tells it yet."""
        if self.is_other:
            return ENGLISH
        bar = BEGINS_FROM if before is None else CHANGES_FROM
        return self.language if self.share >= bar else before


def spoken_in(text: str) -> Spoken:
    """Blocking: under a millisecond, and half a second the first time."""
    text = text[:_MOST_CHARS]
    letters = [each for each in text if each.isalpha()]
    if not any(map(_is_latin, letters)):
        return Spoken(is_other=bool(letters))
    ranked = _identifier().rank(text)
    known = dict(ranked)
    shares = {each: known[each] for each in LANGUAGES}
    likeliest = max(LANGUAGES, key=lambda each: shares[each])
    name, share = ranked[0]
    is_other = name not in {*LANGUAGES, *_NORWEGIAN} and share >= OTHER_FROM
    return Spoken(likeliest, shares[likeliest] / (sum(shares.values()) or 1.0), is_other)


def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN")


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
