"""One spelling for what people type in many ways. Pure, English."""

from __future__ import annotations

import re

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
# What may stand before the matter whether or not a pause follows.
_LEAD_IN = (
    r"btw|by the way|(?:oh )?and(?: also)?|but|also|so|plus|oh|well|hey|haha|actually|basically"
    r"|honestly|personally|unfortunately|anyway|tbh|fyi|just (?:so you know|fyi)|for context"
    r"|(?:please )?(?:note|keep in mind|bear in mind|remember|know) that|turns out"
    r"|(?:the thing is|it turns out)(?: that)?|I (?:should (?:mention|add)"
    r"|forgot to mention) that|you should know that|(?:I )?(?:just )?wanted to (?:say|tell you"
    r"|mention|let you know)(?: that)?|did I mention(?: that)?|I(?:'m| am) (?:happy|proud|excited"
    r"|pleased) to (?:say|report|announce|share)(?: that)?"
)
# What is also a word of the matter itself, unless a pause follows: "No meetings before 10".
_WITH_PAUSE = (
    r"ah|um|uh|hmm+|ok(?:ay)?|alright|right|yeah|yes|yep|yup|no|nope|sure|hi|hello|then|frankly"
    r"|lol|as I (?:said|mentioned)|like I said|you know|to be honest|in fact|look|listen|note"
    r"|remember|for (?:the record|your information|background)|(?:some )?(?:background|context)"
    r"|please note|one more thing|also note|(?:please )?keep in mind|important|fun fact"
    r"|in case it helps|(?:good|big|great|sad|some) news|(?:quick )?(?:update|intro)"
    r"|I should mention|sorry|I forgot to mention|just so you're aware|in general"
    r"|generally speaking|thanks|thank you|(?:a (?:bit|little) )?about me|obviously|of course"
    r"|luckily|sadly|finally|the truth is|to give you some context|first of all|firstly|secondly"
    r"|lastly|you should know|guess what"
)
_FILLER = re.compile(
    rf"\s*(?:(?:{_LEAD_IN}|{_WITH_PAUSE})\s*(?:[,:!-]|\.\.\.|—|–)+\s*|(?:{_LEAD_IN}"
    rf"|remember(?=\s+(?:I|my|our|we)\b))\s+)",
    re.IGNORECASE,
)
_DANGLING_START = re.compile(r"^[\s\-–—*•·,:;.)\]>+]+|^\s*\d{1,2}[.)]\s+")
_TRAILING = re.compile(
    r"(?:,\s*|(?<!\s)\s+)(?:by the way|btw|just so you know|just fyi|fyi|to be honest|tbh|as I said"
    r"|actually|obviously|thank you|thanks|you know|if that helps|for what it's worth"
    r"|in case it matters|in case that helps|I should add|please)\W*$",
    re.IGNORECASE,
)
_MAX_FILLERS = 6


def in_one_spelling(text: str) -> str:
    """Straight apostrophes, "I" and its contractions as they are written in a book."""
    text = text.replace("’", "'").replace("‘", "'").replace("´", "'")
    return _SPELLED.sub(lambda word: _SPELLINGS.get(word[0].lower(), word[0]), text)


def without_fillers(clause: str) -> str:
    """ "Oh and by the way, I have two cats, actually" → "I have two cats"."""
    for _ in range(_MAX_FILLERS):
        clause = _DANGLING_START.sub("", clause)
        match = _FILLER.match(clause)
        if match is None or not clause[match.end() :].strip():
            break
        clause = clause[match.end() :]
    return _TRAILING.sub("", clause).strip()


def as_kept(clause: str) -> str:
    """Trimmed, with a capital first and no full stop last, as memories are kept."""
    kept = " ".join(clause.split()).rstrip(" .!,;:…-–—").strip()
    while kept and not (kept[-1].isalnum() or kept[-1] in "\"'”)]%+#°€$£"):
        kept = kept[:-1].rstrip()
    if kept[:2].isalpha() or kept[:1] in "aI":
        return kept[:1].upper() + kept[1:]
    return kept
