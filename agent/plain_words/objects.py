"""What a command is about, and whether it is something of the user's."""

from __future__ import annotations

import re

from agent.plain_words.sentence import Sentence, fold

_MINE = re.compile(
    r"(?:(?:all|any|both|each|some|one) (?:of )?)?"
    r"(?:(?:the|that|those|a|an) [\w'-]+(?: [\w'-]+)? (?:of|in|with|at|for|from|to|about) )?"
    r"(?:my|our|(?:mine|ours|me|us)(?=$|,| and )|i|i'\w+|we|we'\w+|what i|where (?:i|we|my)"
    r"|when (?:i|we|my)|who my)\b"
    r"|the [\w'-]+(?: [\w'-]+)? (?:that |which |where )?(?:i|we|i'\w+)\b",
    re.IGNORECASE,
)
_VERB = (
    r"(?:is|are|was|were|am|'s|'re|'m|has|have|had|isn't|aren't|wasn't|lives?|works?|likes?|loves?|"
    r"hates?|prefers?|wants?|needs?|goes|speaks?|plays?|drinks?|eats?|uses?|moved|bought|owns?|can|"
    r"can't|cannot|will|won't|does|doesn't|did|didn't|don't|got|married|died|starts?|ends?|costs?|"
    r"comes?|leaves?|takes?|runs?|means?|equals?|goes|meets?|must|should|never|always|hated|liked|"
    r"lived|worked|left|changed|became|calls?|keeps?|stays?|sells?|opens?|closes?)"
)
_STATEMENT = re.compile(
    rf"(?:i|i'\w+|im|ive|we|we'\w+)\b .+"
    rf"|(?!(?:you|your|it|it's|there|this|that|one)\b)(?:[\w.-]+ ){{0,5}}?"
    rf"[\w.-]+(?: {_VERB}|'s|'re)\b.+",
    re.IGNORECASE,
)
_VERB_INSIDE = re.compile(rf"(?:\s|(?='))(?:{_VERB})\b|=|\d", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:i|i'\w+|im|me|my|mine|we|we'\w+|our|us)\b", re.IGNORECASE)
_OWNERS = re.compile(r"(?:[A-Z][\w-]+ ?){1,3}(?:'s|s') \w.*")
_NAME = re.compile(r"(?:[A-Z][\w.-]*)(?: (?:[A-Z][\w.-]*|and|of|the|de|van|von|\d+))*")
# “The deploy rule” is a thing to know; “the rules”, “your rules” are those of a model.
_RULES = r"(?:instructions?|prompts?|guidelines|rules?|training|programming|guardrails?|orders?)"
_ORDERS = re.compile(
    rf"\b(?:instructions?|prompts?|guardrails?)\b|\b(?:the|these|those|any|all) {_RULES}\b"
    rf"|\b(?:your|prior|previous|above|system|safety|initial|original) (?:[\w'-]+"
    rf" ){{0,2}}?{_RULES}\b"
    r"|^(?:all |any |the |everything )?(?:previous|prior|above|preceding)\b|\byou(?:'re| are)\b"
    r"|^your\b",
    re.IGNORECASE,
)
# Another clause follows: what stands before it was no command, or not the whole of it.
_GOES_ON = re.compile(
    r"[;:\n]|\s[—–-]+\s|[,.!?]\s*(?:and |but |so |then )*(?:let'?s|i|i'\w+|we|you|what|how|why|can|"
    r"could|just|please|tell|show|do|don'?t|then|it|it's|that|that's|she|he|they|there|go|give"
    r"|ok|no|"
    r"yes|maybe|instead|this|act|pretend|write|start|is|are|focus|use|try|come)\b"
    r"|\s(?:sometimes|all the time|every day|always|often|constantly)$|\s(?:but|and then)\s"
    r"|\sand (?:just|act|tell|let'?s|do|pretend|say|write|start|go|give|show|"
    r"answer|help|make|focus|move|concentrate|get|enjoy|be|try|come|have|take|follow|reply"
    r"|respond)\b",
    re.IGNORECASE,
)
_NO_OBJECT = re.compile(
    r"(?:it|to|how|why|if|whether|like|as|by|with|in|on|at|up|off|out|for|not|about|being|who|"
    r"never|when you|what you|all|everything|things|stuff|something|someone|anyone|people)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:it|that|this|them|these|those|him|her)(?: one| again)?|the (?:memory|fact)", re.IGNORECASE
)
_PREFIX = re.compile(
    r"(?:the (?:fact|part|bit|thing|stuff) (?:that |about )?|everything about |all about "
    r"|anything about )"
    r"|that (?=(?:i|i'\w+|my|we|our)\b)",
    re.IGNORECASE,
)
_QUOTES = "\"“”«»‘’'"
_MOST_WORDS = 30


def object_of(spoken: str) -> str | None:
    """The object in the user's words, without quotes and “the fact that”; None for that and it."""
    words = spoken.strip(" ,.")
    if len(words) > 1 and words[0] in _QUOTES and words[-1] in _QUOTES:
        words = words[1:-1].strip(" ,.")
    if match := _PREFIX.match(fold(words)):
        words = words[match.end() :]
    return None if not words or _POINTS_BACK.fullmatch(words) else words


def is_clean(words: str, _: Sentence) -> bool:
    """Whether it is one thing: no second clause, no order to a model, not half a phrase."""
    folded = fold(words)
    return not (
        _GOES_ON.search(folded)
        or _ORDERS.search(folded)
        or _NO_OBJECT.match(folded)
        or len(words.split()) > _MOST_WORDS
    )


def is_mine(words: str, sentence: Sentence) -> bool:
    return is_clean(words, sentence) and _MINE.match(fold(words)) is not None


def is_named(words: str, sentence: Sentence) -> bool:
    """Of the user, somebody's (“Maria's birthday”), a name, or quoted."""
    if is_mine(words, sentence) or words[0] in '"“«':
        return True
    shouted = sentence.spoken.isupper()
    names = _NAME.fullmatch(words) or _OWNERS.fullmatch(fold(words))
    return not shouted and names is not None and is_clean(words, sentence)


def is_owned(words: str, sentence: Sentence) -> bool:
    """Somebody's (“Maria's birthday”) or quoted; a name alone only where Keepsake was spoken to:
    “forget Paris” is said of a plan."""
    alone = _NAME.fullmatch(words) is not None and "polite" not in sentence.kinds
    return not alone and not is_mine(words, sentence) and is_named(words, sentence)


def is_told(words: str, sentence: Sentence) -> bool:
    """Named, or anything at all where Keepsake was clearly spoken to."""
    told = bool({"polite", "for_good"} & sentence.kinds)
    return is_named(words, sentence) or (told and is_clean(words, sentence))


def is_statement(words: str, sentence: Sentence) -> bool:
    """A clause that says something (“I live in Oslo”, “Anna is my sister”), not of “you”."""
    clean = is_clean(words, sentence) or _FIRST_PERSON.match(fold(words)) is not None
    return clean and _STATEMENT.fullmatch(fold(words)) is not None and not _goes_on(words)


def has_verb(words: str) -> bool:
    return _VERB_INSIDE.search(fold(words)) is not None


def _goes_on(words: str) -> bool:
    return _GOES_ON.search(fold(words)) is not None
