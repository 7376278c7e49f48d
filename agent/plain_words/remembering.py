"""“Remember that …”: the words to keep, however long, exactly as they were said."""

from __future__ import annotations

import re

from agent.plain_words.commands import Command
from agent.plain_words.fragments import FOR_LATER, IN_MEMORY, THAT
from agent.plain_words.objects import has_verb
from agent.plain_words.sentence import (
    Sentence,
    after_leads,
    before_tails,
    fold,
    in_base_form,
)

_REMEMBER = r"re?m[emb]{1,8}r"
_NOT_FORGET = (
    r"(?:don'?t|do not|dont|never|please don'?t)(?: ever)? (?:(?!forgot)f[orget]{3,5}t|4get)"
)
_VERB = (
    rf"(?:(?:always )?{_REMEMBER}(?: forever| for (?:later|next time|the future|me))?"
    rf"|{_NOT_FORGET}|(?:keep|bear)(?: it)? in mind"
    r"|memori[sz]e|take note|(?:make|take) a (?:mental )?note|note(?: to self)?(?: down)?)"
)
# Verbs that also mean other things: “save this file”, “add that to the list”.
_STORE = (
    r"(?:(?:save|store|record|log|jot down|write down|note down|put down|keep|take down"
    r"|(?:write|jot|note|put|take)(?= (?:this|that|these|the following) down\b))"
    r"(?: in (?:your )?memory| to (?:your )?memory)?"
    r"|add(?: it)? to (?:your |my |the )?memor(?:y|ies)|put (?:it )?in (?:your |my )?memory"
    r"|commit(?: it)? to memory|(?:make|create|add|save) a (?:new )?memory)"
)
_STORE_IN = (
    r"(?:(?:save|add|put|commit|store|write|keep)(?: it)? (?:to|in|into) (?:your |my |the )?"
    r"(?:long[- ]term )?memor(?:y|ies)|(?:make|create|add|save) a (?:new )?memory)"
)
_THIS = (
    r"(?:this|that|these|those|the following|this (?:fact|one|for me|about me|for later"
    r"|for next time))"
    r"(?: down)?(?: in (?:your |my )?memory| to (?:your |my )?memory| in mind| for me| for later"
    r"| for next time| for the future| about me)?"
)
_FIRST = r"(?=(?:i|i'\w+|im|ive|my|we|we'\w+|our)\b)"
# With a colon or “that” the words may be anything; else they begin with the user.
_OPENINGS = (
    (
        rf"(?P<place>(?:add|put|commit|enter|learn|take in|get)(?: {_THIS})(?: (?:to|in|into"
        rf"|under) (?:your |my |the )?(?:long[- ]term )?(?:memory|memories|mind"
        rf"|head))?\s*[:–—-]+)\s*"
    ),
    r"(?P<new>(?:(?:add|create|make|save|store) (?:an? )?(?:new )?|new )(?:memory|fact)\s*:)\s*",
    (
        r"(?P<thing>(?:here'?s |here is |this is |i have |let me (?:tell|give) you )?(?:something"
        r"|one thing|a thing|another thing|things?|a fact|some things)(?: for you)? to (?:remember"
        r"|keep in mind|memori[sz]e|note)\s*:)\s*"
    ),
    rf"(?P<colon>(?:{_VERB}(?: of)?(?: {_THIS})?|{_STORE} {_THIS}|{_STORE_IN})\s*:)\s*",
    rf"(?P<dash>(?:{_VERB}|{_STORE}) (?:of )?{_THIS}\s*[–—-]+)\s*",
    (
        r"(?P<stored>(?:save|store|record|write down|jot down|note down"
        r"|log)(?: the fact)? that\b,?)\s*"
    ),
    (
        rf"(?P<that>(?:{_VERB}"
        r"|(?:save|add|store|put|commit|record|write)(?: it)? (?:to|in|into) (?:your |my "
        r"|the )?memor(?:y|ies)"
        r"|(?:make|create|add|save) a (?:new )?memory|put (?:it )?in(?:to)? (?:your |my )?memory)"
        r"(?: of)?(?: the fact)?\s+that\b,?)\s*"
    ),
    (
        r"(?P<fact>(?:add|save|put|commit)(?: the fact)? (?=that ))that\s+(?=.+ to (?:your "
        r"|my )?memory\b)"
    ),
    rf"(?P<first>{_VERB}\s*,?\s+(?={_FIRST}))",
    (
        rf"(?P<named>(?:{_REMEMBER}|{_NOT_FORGET})\s+(?=(?:the|his|her|their|[A-Z][\w-]+(?:'s)?) "
        r"(?:(?!when\b|where\b|who\b|that\b|which\b|time\b)[\w'-]+ ){0,5}?"
        r"(?:is|are|has|have|lives|works|likes|loves|hates|prefers|=) ))"
    ),
)
# After these anything may follow.
_FREE = ("new", "colon", "dash", "place", "thing")
_OPENING = re.compile("|".join(f"(?:{one})" for one in _OPENINGS), re.IGNORECASE)
_BARE = re.compile(
    rf"(?:(?:{_REMEMBER}|memori[sz]e|{_NOT_FORGET}) {THAT}{IN_MEMORY}{FOR_LATER}"
    rf"|(?:keep|bear|have) {THAT} in (?:mind|memory|your memory){FOR_LATER}"
    rf"|(?:note|write|jot|take|put) {THAT} down{IN_MEMORY}{FOR_LATER}"
    rf"|(?:make a (?:mental )?note|take note) of {THAT}{FOR_LATER}|note {THAT}{FOR_LATER}"
    rf"|(?:save|store|record) {THAT}{IN_MEMORY}{FOR_LATER}"
    rf"|(?:save|store|add|commit|put|keep|write) (?:it|{THAT}) (?:to|in|into) (?:your |my |the )?"
    rf"(?:memory|memories){FOR_LATER}|{_REMEMBER} it{IN_MEMORY}{FOR_LATER})",
    re.IGNORECASE,
)
# “Remember that restaurant I liked” wonders about a thing; it states nothing.
_NOUN = (
    r"(?:(?:one|last|first|old|great|little|funny|crazy|lovely|other) )*(?:time|times|day|night"
    r"|evening"
    r"|morning|afternoon|place|restaurant|cafe|bar|pub|hotel|film|movie|song|book|guy|girl|man"
    r"|woman|boy"
    r"|lady|kid|trip|holiday|vacation|thing|person|show|game|party|summer|winter|spring|year|week"
    r"|weekend|joke|story|episode|scene|dog|teacher|concert|conversation|chat|talk|discussion|idea"
    r"|article|video|recipe|wedding|moment|feeling|series|band)"
)
_MUSING = re.compile(
    rf"{_NOUN},? (?:i|we|you|he|she|they|when|where|who|with|that|which|from|my)\b|{_NOUN}\Z",
    re.IGNORECASE,
)
_A_NOUN = re.compile(rf"{_NOUN}\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?]*([.!?]|\Z)")


_OWN = re.compile(r"\b(?:i|i'\w+|im|ive|me|my|mine|we|we'\w+|us|our)\b", re.IGNORECASE)
_OF_A_TEXT = re.compile(
    r"\b(?:must|should|may|can|cannot|only|not|assume|you|your|this|these|here|above|below|output"
    r"|answers?|words?|function|input|values?|integers?)\b",
    re.IGNORECASE,
)


def bare_in(sentence: Sentence) -> Command | None:
    """“Remember that.”: to keep what was said before."""
    asked = sentence.question and not sentence.addressed
    if asked or {"wish", "leave", "wonders"} & sentence.kinds:
        return None
    return Command("remember") if _BARE.fullmatch(sentence.folded) else None


def remember_in(said: str) -> Command | None:
    """The words to keep, or None. “Remember that place?” asks, “can you remember that my car
    is on level 3?” does not."""
    said = said.strip()
    begin, kinds = after_leads(said)
    if "mind" in kinds:
        said, begin = in_base_form(said[begin:]), 0
    match = _OPENING.match(fold(said), begin)
    if match is None or {"wish", "leave"} & kinds:
        return None
    asked = bool({"asks", "wonders", "mind", "polite"} & kinds)
    free = any(match[group] is not None for group in _FREE)
    text = _to_keep(said[match.end() :].strip(), asked=asked, free=free)
    if text is None or (not free and _is_musing(text)):
        return None
    if _is_remark(match, text, addressed=asked):
        return None
    # “Save that file” has another object than “save that I moved”.
    if match["stored"] is not None and not has_verb(text):
        return None
    # “Can you remember my name?” asks for the name.
    wonders = said.rstrip().endswith("?") and (match["first"] or match["named"]) is not None
    # “Never forget our fallen heroes” speaks to everybody.
    solemn = match["first"] is not None and not asked and fold(text)[:4].lower() == "our "
    if (wonders or solemn) and not has_verb(text):
        return None
    return Command("remember", text=text)


def _is_remark(match: re.Match[str], text: str, *, addressed: bool) -> bool:
    """“Note that x must be positive. Prove …”: of a text in hand, nothing of the user's."""
    opening = fold(match[0]).lower().split()
    if addressed or opening[:2] != ["note", "that"] or _OWN.search(fold(text)):
        return False
    return _SENTENCE.sub("", text, count=1).strip() != "" or _OF_A_TEXT.search(text) is not None


def _to_keep(text: str, *, asked: bool, free: bool) -> str | None:
    end, kinds, _ = before_tails(text, politeness_only=True)
    if kinds:
        question = text[end:].lstrip().startswith("?") and not asked
        text = text[:end]
        if question and not free:
            return None
    if text.endswith("?"):
        return (text.rstrip("? ") or None) if asked else None
    first = _SENTENCE.match(text)
    if not free and not asked and first is not None and first[1] == "?":
        return None
    return text or None


def _is_musing(text: str) -> bool:
    folded = fold(text).rstrip(" .!?")
    if _MUSING.match(folded) or len(folded.split()) < 2:  # noqa: PLR2004 - “remember that song”
        return True
    return _A_NOUN.match(folded) is not None and not has_verb(folded)
