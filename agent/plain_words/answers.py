"""Yes, no, or which of two, where a question of Keepsake's is open."""

from __future__ import annotations

import re

from agent.plain_words.sentence import fold

_MOST_CHARS = 80
_THEM = r"(?:them(?: all)?|it all|all(?: of (?:it|them))?|everything|that|those|these)"
_AS_IT_IS = r"(?:as (?:it is|they are|is)|alone|be|there|in|that way|like that)"
_YES = (
    r"yes sir|yes+|yep|yeah|yea|yup|ya|ye|y|aye|sure(?: thing)?|for sure|of course|by all means",
    r"certainly|absolutely|definitely|indeed|affirmative|totally|exactly|correct|right|positive",
    r"that'?s (?:right|correct|fine|ok|okay|good|it)|sounds good|fine(?: by me| with me)?",
    r"(?:please |just )?do(?: it| that| so)?|go (?:ahead|for it|on)|proceed|continue|make it so",
    r"confirm(?:ed)?|agreed|i (?:confirm|agree|do|am)|i'?m sure|i am sure|why not",
    rf"(?:forget|delete|erase|remove|wipe|replace|update|change|export) {_THEM}",
    r"(?:delete|erase|remove|replace|update|change) it",
    r"(?:(?:use|keep|take) )?the (?:new|newer|latest|second) one",
)
_NO = (
    r"no way|no thanks|no thank you|nope|nah|naw|nay|no+|n|negative|never(?: ?mind)?",
    r"not (?:now|yet|really|at all|this time|today|that(?: one)?)",
    r"(?:please )?(?:don'?t|do not)(?: do (?:it|that)| bother)?",
    r"(?:don'?t|do not) (?:forget|delete|change|replace|remove|erase) (?:it|that|them|anything)",
    r"(?:cancel|skip)(?: (?:it|that))?|stop|abort|hold off|let (?:it|them) be",
    rf"leave (?:it|that|them|things|everything|both)(?: {_AS_IT_IS})?",
    rf"keep (?:it|that|them|everything|all(?: of them)?)(?: {_AS_IT_IS})?",
    (
        r"keep (?:both(?: of them)?|them both)|both(?: are (?:true|right))?|they'?re both (?:true"
        r"|right)"
    ),
    r"(?:(?:use|keep|take) )?the (?:old|older|first) one",
    r"(?:i'?d )?rather not|better not|(?:absolutely|of course|certainly|definitely) not",
    r"i (?:don'?t|do not) want (?:that|to|it)|i(?:'?ve)? changed my mind",
)
# “OK” and “please” are a yes of their own, and only an opening where a no follows.
_OPENING = (r"please|ok|okay|k|alright|all right|good|great|cool|perfect",)
_FILLER = (
    r"thanks|thank you|thx|oh|well|hmm+|um+|uh|actually|then|now|just|keepsake|so|very much",
    r"a lot|sorry|and|wait|pls|but|really|for good|i think|i guess",
)
_GAP = r"(?:[\s,.!;:…–—-]+|\Z)"
_PIECES = tuple(
    (kind, re.compile(rf"(?:{words}){_GAP}", re.IGNORECASE))
    for kind, lines in (("no", _NO), ("yes", _YES), ("opening", _OPENING), ("filler", _FILLER))
    for words in lines
)
_OLD_ONE = re.compile(
    rf"(?:no{_GAP})?(?:(?:please )?(?:use|keep|take) )?the (?:old|older|first) one"
    r"(?: still)?(?: holds| is (?:still )?(?:right|true|correct))?(?:,? please)?",
    re.IGNORECASE,
)
_SIGNS = str.maketrans({"👍": " yes ", "✅": " yes ", "👌": " yes ", "👎": " no ", "❌": " no "})
_LEFTOVERS = re.compile(r"[\U0001f3fb-\U0001f3ff\ufe0f]|[\U0001f600-\U0001f64f]|[:;]-?[)(]")


def answer_in(said: str) -> bool | None:
    """True for yes, False for no, None where it is neither, both, or has more to say."""
    if len(said) > _MOST_CHARS or "?" in said:
        return None
    rest = _bare(said)
    kinds = set[str]()
    while rest:
        found = _longest(rest)
        if found is None:
            return None
        kinds.add(found[0])
        rest = rest[found[1] :]
    if "no" in kinds:
        return None if "yes" in kinds else False
    return True if kinds & {"yes", "opening"} else None


def is_old_one(said: str) -> bool:
    """Whether it says that of two things the old one holds."""
    return _OLD_ONE.fullmatch(_bare(said)) is not None


def _bare(said: str) -> str:
    return _LEFTOVERS.sub(" ", fold(said).translate(_SIGNS)).strip(" \t\n.,!;:…–—-")


def _longest(rest: str) -> tuple[str, int] | None:
    """The kind and length of the longest piece it begins with: “of course not” before “of
    course”."""
    matches = [(kind, match.end()) for kind, piece in _PIECES if (match := piece.match(rest))]
    return max(matches, key=lambda found: found[1], default=None)
