"""A statement in the form that statements are compared in. Pure, English.

Contractions are spelt out, a change or a negation is taken out of the words and kept beside them,
and words of one meaning become one word, so that "I can't stand tea any more" is "i like tea",
negated and changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from memory.first_person import as_first_person
from memory.write.statements.rewrites import REWRITES
from memory.write.statements.words import ADVERBS, NUMBER_WORD, NUMBERS, SAME, STOP, WHEN

_SPELLINGS: dict[str, str] = {
    "i": "I",
    "im": "I'm",
    "i'm": "I'm",
    "ive": "I've",
    "i've": "I've",
    "i'd": "I'd",
    "i'll": "I'll",
    "dont": "don't",
    "doesnt": "doesn't",
    "didnt": "didn't",
    "cant": "can't",
    "isnt": "isn't",
    "arent": "aren't",
    "havent": "haven't",
    "hasnt": "hasn't",
    "wasnt": "wasn't",
    "wouldnt": "wouldn't",
    "shouldnt": "shouldn't",
}
_SPELLED = re.compile(rf"(?<![\w'./-])(?:{'|'.join(_SPELLINGS)})(?![\w'/]|\.\w)", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+(?:(?:[:.'@]|(?<=\d)-)[^\W_]+)*")
_VOWEL = re.compile(r"[aeiouy]")
_CONTRACTIONS = (
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"\bi'm\b", "I am"),
    (r"(?<=\w)'re\b", " are"),
    (r"(?<=\w)'ve\b", " have"),
    (r"(?<=\w)'ll\b", " will"),
    (r"\b(i|we|you|he|she|they)'d\b", r"\1 would"),
    (r"\b(he|she|it|that|there|where)'s\b", r"\1 is"),
)
_SPELT_OUT = [(re.compile(pattern, re.I), to) for pattern, to in _CONTRACTIONS]
_LEAD = re.compile(
    r"^(?:(?:please |just )?(?:remember|note|know)(?: that)?|(?:oh|hey|hi|well|btw|by the way|fyi"
    r"|so|ok|okay|update|correction|wait)\b[,:]?|no[,:]|actually,?|for the record,?|as of \w+,?"
    r"|and|but|(?:since|as of|from|starting) (?:[\w-]+ ){0,2}[\w-]+,?(?= (?:I|we|my)\b)"
    r"|today,?)\s+",
    re.I,
)
_CHANGE = re.compile(
    r"\b(?:now|no longer|any ?more|nowadays|these days|from now on|instead|actually|in fact"
    r"|correction|switched|moved|relocated|changed|became|started|began|joined|quit|stopped"
    r"|gave up|given up|used to|turned|retired|broke up|split up|rescheduled|postponed|pushed"
    r"|cancell?ed|renamed|sold|resigned|hired|promoted|divorced|(?:a|my|our|the) new"
    r"|not .{1,60} but"
    r"|got (?:married|engaged|fired|laid off|rid)|took up|i left|we left|has left|brought forward"
    r"|went (?:back|vegan|vegetarian|part|full)|had (?:the|our|my) (?:baby|twins|\w+ child)|gave"
    r" birth|migrated|gone|become|finally|have not \w+ed since"
    r"|has not \w+ed since|raised to|(?:come|grown) to|slipped|came off|replaced|traded|swapped"
    r"|died|passed away"
    r"|have left|no more)\b",
    re.I,
)
_NEGATION = re.compile(r"\b(?:(?:do|does|did)\s+)?\b(?:not|never)\b")
_NO = re.compile(r"\b(?:no longer|no more|no)\b(?! \d)")
_ALSO = re.compile(
    r"\b(?:also|too|as well|another|second|other|besides|in addition|one of|both|part[- ]time"
    r"|sometimes|on the side|additionally)\b"
)
_PAST = re.compile(
    r"^(?:(?:i|we|he|she|they|[\w-]+) |my (?:(?!is |are |am |has |have |can |will )[\w'-]+ )+?)?"
    r"(?:(?:have |has )(?:lived|worked|studied|visited)|was|were|had|went|came|saw|ran|ate|drank"
    r"|met|took|made|did|grew|spent|wrote|read a|swam|drove|\w{3,}ed)\b"
)
_STILL_TRUE = re.compile(
    r"\b(?:moved|relocated|settled|based|switched|changed|started|joined|quit|stopped|turned"
    r"|retired|married|engaged|divorced|widowed|separated|called|named|hired|promoted|fired"
    r"|resigned|rescheduled|postponed|pushed|cancell?ed|renamed|decided|agreed|need|handed|born"
    r"|had (?:the|our|my|a) (?:baby|twins|\w+ child)|gave birth|migrated|went (?:part|full)"
    r"|gone back|went (?:up|down|back|off|vegan|vegetarian|on a diet)|slipped|raised|lowered"
    r"|extended|came off|found|bought|rose"
    r"|fell|traded|swapped|replaced|interested|allergic|died|dumped|tired|dropped|rewrote|left"
    r"|sold|laid"
    r"|retrained|updated|left-handed|right-handed|used|adopted|set up|supposed|scared|worried)\b"
)
_PERFECT = re.compile(r"\bha(?:ve|s) (?:been )?(?=\w+(?:ed|ing)\b.{0,80}\b(?:since|for)\b)")


@dataclass(frozen=True)
class Statement:
    """What a sentence says: `plain` in lower case without negation, change words and fillers.

    `history` is a "used to": it denies that something still is. `past` tells of something over.
    """

    said: str
    plain: str
    stems: tuple[str, ...]
    names: frozenset[str]
    negated: bool
    changed: bool
    also: bool
    history: bool
    past: bool

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(stem for stem in self.stems if stem[0].isdigit())

    @cached_property
    def name_stems(self) -> frozenset[str]:
        return frozenset(stem for name in self.names for stem in stems_of(name))


def read(content: str) -> Statement:
    """A memory, or a clause of one, read as one statement."""
    said = _spelt_out(content)
    lower = said.lower()
    plain, denied = _rewritten(lower)
    without_no = _NO.sub(" ", _NEGATION.sub(" ", plain))
    negated = denied or without_no != plain
    changed = _CHANGE.search(lower) is not None
    plain = ADVERBS.sub(" ", WHEN.sub(" ", without_no) if changed else without_no)
    plain = " ".join(plain.split())
    return Statement(
        said=said,
        plain=plain,
        stems=stems_of(plain),
        names=_names(said),
        negated=negated,
        changed=changed,
        also=_ALSO.search(lower) is not None,
        history="used to" in lower or "formerly" in lower,
        past=_is_past(lower),
    )


def stems_of(text: str) -> tuple[str, ...]:
    """The words that carry meaning, in order, without their endings; synonyms as one word."""
    tokens = (NUMBERS.get(token, token) for token in _TOKEN.findall(text.lower()))
    kept = (token.removesuffix("'s") for token in tokens if token not in STOP)
    return tuple(SAME.get(stem, stem) for stem in map(_stem, kept))


def _stem(word: str) -> str:
    if word[0].isdigit() or len(word) < 4:  # noqa: PLR2004 - "is", "gas"
        return word
    if word.endswith("ies"):
        return word[:-3] + "i"
    for ending in ("ing", "ed", "es", "s"):
        root = word.removesuffix(ending)
        if root != word and _VOWEL.search(root) and not word.endswith(("ss", "us", "eed")):
            return _rooted(root + "e" if root.endswith("e") and ending == "es" else root)
    return _rooted(word)


def _rooted(root: str) -> str:
    if root.endswith("y"):
        return root[:-1] + "i"
    doubled = len(root) > 3 and root[-1] == root[-2] and root[-1] not in "sl"  # noqa: PLR2004
    return root[:-1] if doubled else root.removesuffix("e")


def _spelt_out(content: str) -> str:
    """Without contractions and without what leads up to a sentence."""
    text = " ".join(in_one_spelling(content).split())
    for pattern, to in _SPELT_OUT if "'" in text or "annot" in text.lower() else ():
        text = pattern.sub(to, text)
    text = as_first_person(text)
    while (shorter := _LEAD.sub("", text)) not in (text, ""):
        text = shorter
    return text.rstrip(" .!?;,")


def _rewritten(lower: str) -> tuple[str, bool]:
    """The text in its plain words, and whether what they said was a denial."""
    denied = False
    lower = NUMBER_WORD.sub(lambda word: NUMBERS[word[0]], _PERFECT.sub("", lower))
    for pattern, to, denies in REWRITES:
        lower, count = pattern.subn(to, lower)
        denied ^= denies and count > 0
    return lower, denied


def _names(said: str) -> frozenset[str]:
    """Words with a capital, but for "I" and the first of all."""
    tokens = _TOKEN.findall(said)
    return frozenset(
        token.lower().removesuffix("'s")
        for token in tokens[1:]
        if token[0].isupper() and token.lower() not in STOP
    )


def _is_past(lower: str) -> bool:
    if _PERFECT.search(lower):
        return False
    return _PAST.search(lower) is not None and _STILL_TRUE.search(lower) is None


def in_one_spelling(text: str) -> str:
    """Straight apostrophes, "I" and its contractions as they are written in a book."""
    text = text.replace("’", "'").replace("‘", "'").replace("´", "'")
    return _SPELLED.sub(lambda word: _SPELLINGS.get(word[0].lower(), word[0]), text)
