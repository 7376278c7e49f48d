"""Where the sentences and clauses of a text end, and whether it only asks. Pure, English first,
linear in the length."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A run of marks is looked at from its beginning only, or a long one would take quadratic time.
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"”’')\]]*+(?=\s|$)|[。！？]+[」』”]*|\n")
_ABBREVIATED = re.compile(
    r"(?:\b(?i:e\.g|i\.e|dr|mrs?|ms|prof|st|vs|approx|nr|jr|sr|dept|jan|feb|aug|sept?|oct|nov"
    r"|dec)|\b[A-HJ-Z]|(?:^|\n)[ \t]*\d{1,2})\.$"
)
_LOOK_BACK = 12
_CLAUSE_END = re.compile(r"[,;:](?=\s)|(?=\s[–—-]\s)|[、，；]")


def sentence_ends(text: str) -> Iterator[int]:
    """The places after each final mark and before each line end. A full stop after an abbreviation,
    an initial or an item's number ends nothing."""
    for match in _SENTENCE_END.finditer(text):
        at = match.start() if match[0] == "\n" else match.end()
        if match[0] != "." or not _ABBREVIATED.search(text, max(0, at - _LOOK_BACK), at):
            yield at


def clause_ends(text: str) -> Iterator[int]:
    """The places after each comma, semicolon and colon, and before each dash between words."""
    return (match.end() for match in _CLAUSE_END.finditer(text))


def split_sentences(text: str) -> Iterator[str]:
    """The sentences with their final marks, without empty ones."""
    start = 0
    for end in sentence_ends(text):
        if piece := text[start:end].strip():
            yield piece
        start = end
    if rest := text[start:].strip():
        yield rest


# A mark inside quotation marks is somebody else's: My favourite book is "Who Moved My Cheese?"
_MARKED = re.compile(r"[?？؟՞][\s.!)\]*_]*$|^\s*¿.*\?")
_MOST_WORDS = 25
_FILLER = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|ok|okay|please|well|so|sorry|excuse me|good (?:morning"
    r"|afternoon|evening|day)|(?:just|i was) (?:curious|wondering|asking)|(?:a )?quick question"
    r"|(?:one|another|next) question|question|i (?:forgot|forget)|i (?:can't|cannot|don't|do not)"
    r" (?:remember|recall|know)|by the way|btw|help|tell me|let me know)(?: \w+)?\W*$",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"^(?:(?:hi|hey|hello|ok|okay|please|oh|um|hmm+|well|sorry|excuse me|by the way|btw|quick"
    r" question|remind me|tell me)\b[\s,!.:–—-]*+)+",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|can|could|will|would|should|shall|has|have|had|may|might)"
    r"(?:n['’]t)?"
)
_SUBJECT = r"(?:i|you|we|they|he|she|it|there|this|that|my|your|our|his|her|their|the)"
_OPENS = re.compile(
    rf"(?:and |so |but |then )?(?:"
    rf"(?:who|what|when|where|why|how)(?:['’](?:s|re|d|ll)|\s+{_AUXILIARY})\b"
    rf"|who\s+[a-z]+\b|what\s+(?:happened|about)\b|why\s+not\b"
    rf"|how\s+(?:\w+\s+){{1,4}}{_AUXILIARY}\s+(?:{_SUBJECT}\b|(?-i:[A-Z]))"
    rf"|(?:what|which|whose)\s+(?:\w+\s+){{1,4}}{_AUXILIARY}\s+(?:{_SUBJECT}\b|(?-i:[A-Z]))"
    r")",
    re.IGNORECASE,
)
# "Which is why I left" goes on with what was said; "what's mine" and the like are not told apart.
_GOES_ON = re.compile(r"which is (?:why|how|what|when|where)\b", re.IGNORECASE)
_INVERTED = re.compile(
    r"(?:(?:do|does|did|is|are|am|was|can|could|will|would|shall|have|has)(?:n['’]t)?"
    r"\s+(?:i|you|we|they|he|she|it|there)\b|(?:should|may)(?:n['’]t)?\s+(?:i|we|they|he|she|it)\b"
    r"|(?:is|are|does|can|could|would|should)\s+(?:my|your|our|his|her|their)\b)",
    re.IGNORECASE,
)
_TELLS_ME = re.compile(
    r"(?:tell|remind) me\s+(?:again\s+)?(?:who|what|which|whose|where|about)\b", re.IGNORECASE
)
_ASKED = re.compile(
    r"(?:(?:the |this )?user(?:\s+(?:has|had))?\s+(?:just\s+|once\s+|also\s+)*(?:asked|asks|asking"
    r"|is asking|was asking|wanted to know|wants to know|would like to know|inquired|enquired"
    r"|inquires|queried)|i\s+(?:just\s+|once\s+|also\s+)?asked)"
    r"(?:\s+(?:me|you|us|the assistant|keepsake))?,?"
    r"\s+(?:about|who|whom|what|when|where|which|whose|why|how|if|whether|a question)\b",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"[;–—]|\s-\s|\b(?:because|since|(?:and|but) (?:\w+ )?(?:was|were|is|are|has|had|got|found"
    r"|learn\w*|decided|the assistant|the answer)|the answer (?:is|was))\b",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",\s*(?:right|no|yes|ok|okay|remember|correct|eh|huh|you know"
    rf"|{_AUXILIARY}\s+(?:i|you|we|they|he|she|it|there))\s*\?+$",
    re.IGNORECASE,
)
# What is told before the question of the same sentence: "My son can't eat nuts, what can I bake?"
_TOLD_FIRST = re.compile(
    r"^(?:(?:and|but|so|since|because|as|now that|given that)\s+)?"
    r"(?!(?:if|when|whenever|while|who|what|where|which|whose|why|how|in|on|at|for|with|about"
    rf"|regarding|according|based|to|by|between|after|before|{_AUXILIARY})\b)"
    r"(?:i|we|my|our|he|she|it|they|there|the|(?-i:[A-Z])\w*)(?:['’]\w+)?"
    r"(?:\s+\S+){2,}?(?:[,;:–—](?=\s)|\s[–—-]\s)",
    re.IGNORECASE,
)
_ONLY_LEADS = re.compile(
    r"^(?:i(?:['’]m| am| was)(?: just)? (?:curious|wondering|asking)|i(?:['’]d| would) like to know"
    r"|i (?:just )?(?:want|need|wanted) to (?:know|ask)|i have a question)\b[\s,:–—-]*",
    re.IGNORECASE,
)
_TELLS_BY_ASKING = re.compile(
    r"^(?:(?:do|did) you (?:know|remember|realise|realize|hear) that|did i (?:ever )?(?:tell you"
    r"|mention|say) that|(?:can|would) you believe|(?:can|could|will|would) you (?:please )?(?:"
    r"(?:always|never)|remember that|(?:please )?call me))\b",
    re.IGNORECASE,
)
_NAMES_FAVOURITE = re.compile(r"(?:my|our|his|her|their|the user['’]s) favou?rite\b", re.IGNORECASE)


def is_question(content: str) -> bool:
    """Whether the text asks and tells nothing, in all of its sentences.

    "When is Ada's recital? On Friday." tells, and so do "We live in Oslo, don't we?", "My son can't
    eat nuts, what can I bake?", "I wonder whether Tom is back" and "My favourite question is why".
    A question of more than 25 words tells as well: it brings along what it is about.
    """
    asks = False
    for sentence in split_sentences(content):
        if _asks(sentence):
            asks = True
        elif not _FILLER.match(sentence):
            return False
    return asks


def _asks(sentence: str) -> bool:
    if _ASKED.match(sentence):
        return _ANSWERED.search(sentence) is None
    if _TELLS_ME.match(sentence):
        return True
    bare = _LEAD_IN.sub("", sentence)
    if _TELLS_BY_ASKING.match(bare) or _GOES_ON.match(bare) or len(bare.split()) > _MOST_WORDS:
        return False
    if _OPENS.match(bare) or _INVERTED.match(bare):
        return True
    return _MARKED.search(sentence) is not None and not _tells_first(_ONLY_LEADS.sub("", bare))


def _tells_first(sentence: str) -> bool:
    return _NAMES_FAVOURITE.match(sentence) is not None or any(
        pattern.search(sentence) for pattern in (_TAG, _TOLD_FIRST)
    )
