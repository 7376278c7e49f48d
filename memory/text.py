"""Text as it is stored, and as it is read.

What was said is stored as it was (`to_storable`). What reads it (the rules that learn, understand a
command or search) is given another form of it (`to_readable`), in which no run of white space, no
invisible mark and no other width of the letters is left, and of which there is only so much: the
patterns of these rules may cost more than the length of what they read.
"""

from __future__ import annotations

import re
import unicodedata

# Characters, as many as a memory can have: what is longer is kept, and not read beyond them.
MAX_READ_CHARS = 8_192

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?|\u2028|\u2029")

# Letters, digits and signs in another width or face: ﬁ, Ａ, 𝐀, Ⓐ. What NFKC makes of others would
# say something else (x² and ½), or come apart (´).
_OTHER_FORM = re.compile(
    "[\u24b6-\u24e9\ufb00-\ufb06\uff01-\uffee\U0001d400-\U0001d7ff\U0001f130-\U0001f149]+"
)
# Marks without a shape: soft hyphens, directions of writing, spaces without width.
_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]+")
# A joiner belongs to the signs of an emoji or of a script that joins its letters.
_JOINERS = re.compile("[\u200c\u200d]+")
_GAP = re.compile(r"[^\S\n]+")
_BREAK = re.compile(r" ?\n ?")
_PARAGRAPH = re.compile(r"\n{3,}")


def to_storable(text: str) -> str:
    """NFC, line ends as \\n, without NUL, other control characters and lone surrogates."""
    text = _LINE_END.sub("\n", _SURROGATE.sub("", text))
    return unicodedata.normalize("NFC", _CONTROL.sub("", text)).strip()


def to_readable(text: str, most: int = MAX_READ_CHARS) -> str:
    """The text as rules read it: at most `most` characters, up to the end of a sentence.

    Letters of another width or face are the common ones (NFKC), invisible marks are gone, white
    space is one space, one line end or two. Doing it twice changes nothing.
    """
    return _up_to(_plain(text), most)


def is_read_whole(text: str, most: int = MAX_READ_CHARS) -> bool:
    """Whether nothing is left out of what is read."""
    return len(text) <= most or len(_plain(text)) <= most


def _plain(text: str) -> str:
    if not text.isascii():
        text = _OTHER_FORM.sub(lambda form: unicodedata.normalize("NFKC", form[0]), text)
        # Composed before the joiners are looked at, too: some signs become one of ASCII (K, ;).
        text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
        text = unicodedata.normalize("NFC", _JOINERS.sub(_joined, text))
    return _PARAGRAPH.sub("\n\n", _BREAK.sub("\n", _GAP.sub(" ", text))).strip()


def _joined(joiners: re.Match[str]) -> str:
    """One joiner between two signs that are not of ASCII; elsewhere it hides a word."""
    text, start, end = joiners.string, *joiners.span()
    signs = (text[start - 1 : start], text[end : end + 1])
    return "" if any(each.isascii() or each.isspace() for each in signs) else joiners[0][0]


def _up_to(text: str, most: int) -> str:
    """Up to the end of a sentence: half of one may say the opposite of the whole."""
    if len(text) <= most:
        return text
    ends = (text.rfind(end, most // 2, most + 1) for end in (". ", "! ", "? ", "\n", " "))
    *sentences, word = (end + 1 for end in ends)
    return text[: max(sentences) or word or most].rstrip().rstrip("\u200c\u200d")


_USER_OWNS = re.compile(r"\b(the )?user['’]s\b", re.IGNORECASE)
_USER_DOES = re.compile(
    r"^(?:the )?user\s+(?P<adverb>(?:\w+ly|also|never|always|often)\s+)?(?P<verb>[\w'’]+)", re.I
)
_IRREGULAR = {
    "is": "am",
    "has": "have",
    "was": "was",
    "isn't": "am not",
    "hasn't": "haven't",
    "doesn't": "don't",
}
# What follows "user" in a compound: "user stories", "user ID", "user interface".
_COMPOUND = re.compile(
    r"(?:stor(?:y|ies)|ids?|names?|interfaces?|accounts?|guides?|manuals?|groups?|data|research|"
    r"test(?:s|ing)?|experience|agents?|space|errors?|flows?)",
    re.IGNORECASE,
)
_SIBILANT = ("sses", "shes", "ches", "xes", "zzes", "oes")


def to_first_person(text: str) -> str:
    """ "User prefers uv" → "I prefer uv": memories are kept of "User", and asked for by "I".

    A small embedding model puts texts of the same person nearer to each other
    (top-1 rose from 11 to 13 of 20 on a hard set). Vectors of memories and questions
    are made from this form, where "User" is how they begin; the words that are kept,
    shown and searched for stay as they were said.
    """
    text = _USER_OWNS.sub("my", text)
    match = _USER_DOES.match(text)
    if match is None or _COMPOUND.fullmatch(match["verb"]):
        return text
    adverb = match["adverb"] or ""
    return f"I {adverb}{_base_form(match['verb'])}{text[match.end() :]}"


def _base_form(verb: str) -> str:
    lower = verb.lower().replace("’", "'")
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if lower.endswith("ies") and len(lower) > 4:  # noqa: PLR2004 - "ties", "lies", "dies"
        return verb[:-3] + "y"
    if lower.endswith(_SIBILANT):
        return verb[:-2]
    if lower.endswith("s") and not lower.endswith("ss"):
        return verb[:-1]
    return verb
