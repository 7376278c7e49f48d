"""What was said, as it may be stored and as it is compared. Pure functions."""

from __future__ import annotations

import re
import unicodedata

from memory.errors import MessageRefused
from memory.text import to_storable
from memory.types import MAX_MESSAGE_CHARS

_QUOTES = str.maketrans({**dict.fromkeys("‘’‚‛′´`ʼ", "'"), **dict.fromkeys("“”„‟″«»", '"')})
_URL = re.compile(r"(?:(?i:https?://)|(?<![A-Za-z0-9])(?i:www\.))[^\s<>\[\]【】\"]+(?<![.,;:!?])")
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_CITATION = re.compile(
    rf"""【[^【】]{{0,200}}】                                     # 【4:0†source】
      | \[\^?\d{{1,4}}(?:\s?[,;–-]\s?\d{{1,4}})*\]             # [1], [2, 3], [4-6], [^1]
      | \[(?i:sources?|refs?|citations?|citation\ needed)(?:[:\s][^\[\]]{{0,100}})?\]
      | \((?:(?i:see|cf\.|e\.g\.)\s)?[A-Z][\w.,'&\s-]{{1,80}},\s?{_YEAR}  # (Smith et al., 2020
        (?:[,;:]\s[\w.,;'&\s–-]{{1,80}})?\)                      # , p. 4; Lee, 2019)""",
    re.VERBOSE,
)
_BRACKETS_AND_SPACES = re.compile(r"[\s()\[\]{}<>【】]+")
_SPACE_BEFORE_A_STOP = re.compile(r" (?=[.,;:!?](?: |$))")


def normalise(text: str) -> str:
    """The form in which two texts are compared (000), never shown and never stored.

    Case, compatibility forms (full width, ligatures) and quotation marks are folded; URLs,
    citations ([1], [source], (Smith, 2020), 【…】), brackets and invisible characters go, and what
    is between is one space. Doing it twice changes nothing. Texts that differ only in a URL come
    out the same.
    """
    text = _CITATION.sub(" ", _URL.sub(" ", _unicode_folded(text)))
    text = _BRACKETS_AND_SPACES.sub(" ", _case_folded(text)).strip()
    return _SPACE_BEFORE_A_STOP.sub("", text)


def _unicode_folded(text: str) -> str:
    if text.isascii():
        return text.translate(_QUOTES)
    visible = "".join(each for each in text if unicodedata.category(each) != "Cf")
    return unicodedata.normalize("NFKC", visible.translate(_QUOTES)).translate(_QUOTES)


def _case_folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text.casefold())
    return unicodedata.normalize("NFKC", folded.casefold()).translate(_QUOTES)


def clean_message(text: str) -> str:
    """What was said, in a form that every store and model takes.

    See `memory.text.to_storable`. Raises MessageRefused where nothing is left or it is longer than
    MAX_MESSAGE_CHARS, in which case nothing is stored.
    """
    _refuse_too_long(text)
    text = to_storable(text)
    _refuse_too_long(text)  # composed characters can come apart into several
    if not any(character.isprintable() and not character.isspace() for character in text):
        raise MessageRefused(reason="there is nothing in it to read.")
    return text


def _refuse_too_long(text: str) -> None:
    if len(text) > MAX_MESSAGE_CHARS:
        raise MessageRefused(
            reason=f"it is {len(text):,} characters long and the most is {MAX_MESSAGE_CHARS:,}. "
            "Send it in parts."
        )
