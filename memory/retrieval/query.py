"""What a question asks for, of memories and of past conversations, read from its words alone. Pure
functions, English."""

from __future__ import annotations

import re

from memory.embeddings.protocol import QUERY_CHARACTERS, cut_query
from memory.secrets import redact
from memory.text import to_first_person, to_readable, to_storable
from memory.types import Role
from memory.understanding.sentences import is_question

_FIRST_PERSON = re.compile(
    r"\b(i|i['’](?:m|ve|d|ll)|my|me|mine|myself|we|we['’](?:re|ve|ll|d)|our|ours|us)\b",
    re.IGNORECASE,
)
_ASKS_OR_ORDERS = re.compile(
    r"\?\s*$|^\s*(?:who|what|which|when|where|why|how|whose|can|could|do|does|did|is|are|was|were|"
    r"will|would|should|write|explain|translate|tell|give|convert|summari[sz]e|draft|compose|"
    r"define)\b",
    re.IGNORECASE,
)
_ASKS_FOR_NUMBER = re.compile(
    r"^\s*when\b|\bhow (?:many|much|long|old|often|far|big|tall|high|late|early)\b"
    r"|\b(?:what|which) (?:time|day|year|month|size|dose|age|price)\b"
    r"|\b(?:number|date|birthday|anniversary|deadline|dosage|password|pin)\b",
    re.IGNORECASE,
)
_HOLDS_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|"
    r"thousand|mon|tues|wednes|thurs|fri|satur|sun|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|daily|weekly|monthly|every|once|twice|easter|"
    r"christmas|spring|summer|autumn|winter|morning|evening|weekend)(?:day)?s?\b",
    re.IGNORECASE,
)
# Twice what is searched for: looking for secrets takes a millisecond for some thousand characters.
_LOOKED_AT = 2 * QUERY_CHARACTERS
_LOGGED = 2_000
_APOSTROPHE = re.compile("['’]")
_NAME_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NO_NAME = re.compile(
    r"i|what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|am|was|were|will|would|"
    r"should|shall|can|could|have|has|had|may|might|the|a|an|and|or|but|if|so|please|tell|"
    r"remind|show|give",
    re.IGNORECASE,
)


def prepare_query(query: str) -> str:
    """The question as both legs take it: readable, without its secrets, of 8,192 characters at
    most, and speaking of "I" where it began with "the user", as a model's questions do.

    Nothing else of a question is embedded or cached, but for parts of it. It is cut after its
    secrets are out, so that none is cut in two and missed; of a far longer one the end is dropped
    before.
    """
    return to_first_person(cut_query(redact(to_readable(to_storable(query), _LOOKED_AT))))


def query_for_log(query: str) -> str:
    """What the log's fingerprint is made of: the beginning of the question, without its secrets."""
    return redact(query[:_LOGGED])


def is_personal(query: str) -> bool:
    """Whether it may be about the one who asks: it says "my" or "we", or it does not ask or order
    anything, as a bare phrase or a statement."""
    return _FIRST_PERSON.search(query) is not None or _ASKS_OR_ORDERS.search(query) is None


def mask_names(query: str) -> str | None:
    """The question with "they" for each name in it, or None where it names nobody.

    A name is a capitalised word that does not begin the question and is no question
    word. How much a memory's cosine falls without the names tells a memory that
    answers from one that only speaks of the same person.
    """
    names = {
        name
        for match in _NAME_WORD.finditer(query)
        if match.start() > 0 and (name := _APOSTROPHE.split(match[0])[0])[0].isupper()
        if not _NO_NAME.fullmatch(name)
    }
    if not names:
        return None
    either = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(rf"\b(?:{either})\b", "they", query)


def asks_for_number(query: str) -> bool:
    """Whether the answer would be a number, a date or a time."""
    return _ASKS_FOR_NUMBER.search(query) is not None


def holds_number(text: str) -> bool:
    """Whether there is a digit, a number word, or a word for a day, a month or a season."""
    return _HOLDS_NUMBER.search(text) is not None


_LEAD = (
    r"(?:(?:and|so|but|hey|hi|hello|ok|okay|please|(?:can|could|would) you(?: please)?)\b[\s,!.]*)*"
)
_KEPT = r"(?:kept|noted|written|stored|saved|got|told you)(?: down)?"
_TOPIC_FRAME = re.compile(
    rf"^\s*{_LEAD}(?:what (?:do|did) (?:you|we|i) (?:know|have|keep|store|remember)(?: {_KEPT})?"
    rf"|what have (?:you|we|i) {_KEPT}|what(?:'s| is|’s)? (?:known|there|noted|stored)"
    r"|(?:tell me (?:again )?|is there |do (?:you|i) (?:know|have) |have (?:you|i) got )?"
    r"(?:anything|everything|something|whatever(?: there is)?|all)"
    rf"(?: that)?(?: (?:you|we|i) (?:know|have)| {_KEPT})?|tell me(?: more| again| what you know)*"
    r"|remind me(?: again)?)"
    r"\s+(?:about|on|of|concerning|regarding)\s+(?P<topic>[^?.!,;]{2,60}?)\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_MOST_WORDS = 4


def find_whole_topic(question: str) -> str | None:
    """The thing of which everything is asked for, in the question's words; None where it asks for
    something of it, or names it in a sentence rather than in a word or three."""
    match = _TOPIC_FRAME.match(question)
    if match is None or len(match["topic"].split()) > _MOST_WORDS:
        return None
    return match["topic"]


_LEAD_IN = (
    r"(?:(?:and|so|but|hey|hi|hello|well|ok|okay|please|sorry|(?:can|could) you (?:please )?"
    r"(?:tell|remind) me|tell me|remind me|do you (?:know|remember|recall))\b[\s,!.:–—-]*)*"
)
_SPEAKING = (
    r"(?:say|said|tell|told|mention(?:ed)?|talk(?:ed)?|speak|spoken?|spoke|chat(?:ted)?"
    r"|discuss(?:ed)?|write|wrote|written|ask(?:ed)?|recommend(?:ed)?|suggest(?:ed)?|advised?"
    r"|explain(?:ed)?|promised?)"
)
_ASKING = r"(?:(?:what|when|where|why|how often|how)\s+(?:else\s+|exactly\s+)?)?"
_CONVERSATION_FRAME = re.compile(
    rf"^\s*{_LEAD_IN}(?:{_ASKING}(?:did|have|had)|what(?:\s+(?:was|is) it(?:\s+that)?)?)"
    r"\s+(?P<who>i|we|you)"
    r"(?:\s+(?:ever|already|just|last|first|once|actually|even|originally|previously|both))*"
    rf"\s+{_SPEAKING}\b(?:\s+(?:to\s+|with\s+)?(?:you|me)\b)?"
    r"(?:\s+(?:anything|something|a word|much))?"
    r"(?:\s+(?:about|of|on|regarding|concerning|that|whether|if))?\s+(?P<topic>[^\s?].*)$",
    re.IGNORECASE | re.DOTALL,
)
_SPEAKERS: dict[str, Role] = {"i": "user", "you": "assistant"}
_CONTENT_WORD = re.compile(r"[^\W_]+")
# Characters: no question is asked again at such a length.
_LONGEST = 1_000
_BARE = frozenset(
    re.findall(
        r"\w+",
        "a an the and or but so of to in on at for from by with about is are am was were be "
        "been do does did have has had can could will would should i me my mine we us our you "
        "your it its this that these those what when where who whom whose which why how ever "
        "just please tell remind ",
    )
)


def conversation_topic(query: str) -> str:
    """What was spoken about, without "what did I say about …"; the question itself where it does
    not ask for what was said."""
    match = _CONVERSATION_FRAME.match(query)
    return query if match is None else match["topic"].strip()


def asks_what_was_said(query: str) -> bool:
    """Whether it is about the conversations: "did I ever mention …", "when did we talk about …"."""
    return _CONVERSATION_FRAME.match(query) is not None


def asked_speaker(query: str) -> Role | None:
    """Whose words are asked for: the user's by "did I say", the assistant's by "did you say"."""
    match = _CONVERSATION_FRAME.match(query)
    if match is None:
        return None
    return _SPEAKERS.get(match["who"].casefold())


def restates_query(content: str, query: str) -> bool:
    """Whether a message only asks the same: it tells nothing, and its words are the question's."""
    if len(content) > _LONGEST:
        return False
    return is_question(content) and content_words(conversation_topic(content)) <= content_words(
        query
    )


def content_words(text: str) -> set[str]:
    """The words without those that carry no meaning by themselves, in lower case."""
    return {word.casefold() for word in _CONTENT_WORD.findall(text)} - _BARE
