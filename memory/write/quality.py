"""Whether something said can be worth remembering at all: the filter before any extraction.

Specification 002, step 2, made stricter: the message's role and length are settings, and what
is not a statement (a question, greeting, thanks, command, reaction, fragment), not the
person's own words (code, a paste, recalled text) is left out. Pure, English.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from memory.models import Role
from memory.write.extraction.blocks import is_code, is_pasted, own_prose
from memory.write.extraction.clauses import split_clauses
from memory.write.extraction.sentences import LONGEST_SENTENCE, split_sentences
from memory.write.extraction.wording import in_one_spelling, without_fillers

DEFAULT_MIN_CHARS = 8
DEFAULT_ROLES: frozenset[Role] = frozenset({"user"})
Fault = Literal["question", "greeting", "thanks", "command", "reaction", "fragment"]
Reason = Literal["a statement", "role", "too short", "code", "pasted", "recalled"] | Fault

_FAULTS: dict[Fault, str] = {
    "question": r".*\?[\"”')\s]*$"
    r"|(?:who|what|where|why|how|which|whose|when)(?:'s|'re| (?:is|are|was|were|do|does|did|can"
    r"|could|should|would|will|has|have|am|about|if|to|kind|sort|much|many|time|come|long|often"
    r"|else))\b(?! I\b.*\bis\b)|(?:can|could|would|will|should|shall|may|do|does|did|is|are|was"
    r"|were|am|have|has) (?:I|you|we|he|she|it|they|there|this|these|those|my|your|anyone|anybody"
    r"|someone)\b|any (?:idea|ideas|tips|advice|suggestions?|recommendations?|thoughts)\b",
    "greeting": r"(?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening|night|day)|morning"
    r"|greetings|howdy|bye|goodbye|see you|see ya|talk (?:to you )?later|nice to meet you"
    r"|welcome back|what's up|sup|cheers|have a (?:nice|good|great)|take care|good\s*bye"
    r"|happy \w+day)(?: (?:there|everyone|all|again|friend|buddy|assistant|keepsake|to you|you"
    r"|one|day|evening|weekend))*\W*$",
    "thanks": r"(?:(?:many |ok(?:ay)?,? |great,? |perfect,? )?(?:thanks|thank you|thx|ty|cheers"
    r"|much appreciated|I appreciate|I'm grateful|no worries|you're welcome))\b.*",
    "command": r"(?:(?:please|pls|now|then|just|so|ok(?:ay)?|go ahead and|let's|let me)\s*,? )*"
    r"(?:write|translate|summari[sz]e|show|explain|make|forget|remember|tell|give|list|find"
    r"|search|create|generate|draft|rewrite|rephrase|paraphrase|proofread|fix|correct|improve"
    r"|shorten|simplify|expand|continue|stop|help|suggest|recommend|compare|calculate|compute"
    r"|convert|define|describe|draw|design|plan|outline|brainstorm|analy[sz]e|review|check|look"
    r"|read|open|close|run|send|remind|set|add|remove|delete|update|edit|change|turn|play|pretend"
    r"|imagine|act|let|try|repeat|redo|undo|save|print|sort|count|solve|prove|finish|do (?:it"
    r"|that|this|the)|pick|choose|wait|ignore|go|start|see|note|put|book|schedule|order|buy"
    r"|format|implement|refactor|debug|test|answer|reply|respond|use|don't|do not|clear|reset"
    r"|export|import|pin|unpin|quiz|teach|guess|rate|rank|split|merge|get|elaborate|clarify"
    r"|highlight|classify|extract|label|provide|include|insert|replace|render|build|code"
    r"|compose)(?: |\W*$)",
    "reaction": r"(?:lol|lmao|rofl|haha\w*|hehe\w*|wow|omg|cool|nice|great|awesome|amazing|perfect"
    r"|excellent|ok(?:ay)?|sure|yes|yeah|yep|no|nope|nah|right|exactly|indeed|true|agreed|hmm+|oh"
    r"|ah|ugh|oops|damn|sweet|brilliant|fantastic|wonderful|interesting|fair enough|got it"
    r"|sounds good|makes sense|never mind|nevermind|no problem|of course|good (?:point|idea|one"
    r"|job|work|to know)|well done|whatever|congrat\w*)(?:[\s,!.]+(?:that|it|this|one|then|yes"
    r"|yeah|very|so|cool|nice|great|thanks|good|idea|point|I see|ok))*\W*$|(?:(?:that|this"
    r"|it)(?:'s| (?:is|was|sounds|looks|seems|makes|works|helps|worked|helped|did)))\b.{0,60}$"
    r"|I (?:really |just |do |absolutely |also )*(?:love|like|hate|enjoy|prefer|see|agree"
    r"|understand|get|know|think|hope|guess|believe|doubt|suppose|wonder|disagree|bet)(?: (?:it"
    r"|that|this|these|those|them|so|too|not|you|what you mean|the idea|that idea|this idea|now"
    r"|very|much|a lot|one|better|with you|with that|with this))*\W*$",
}
_COMPILED = {
    why: re.compile(pattern, re.IGNORECASE | re.DOTALL) for why, pattern in _FAULTS.items()
}
# Imperatives that are rules to keep, and how somebody wants to be answered or called.
_STANDING = re.compile(
    r"(?:\b(?:always|never|ever|from now on|going forward|in (?:the )?future|by default"
    r"|every time|unless I ask|each time|your (?:\w+ )?(?:answers|replies|responses|messages"
    r"|explanations|code|tone|examples)|emojis?|bullet points|exclamation marks|whenever|with me"
    r"|\b(?:don't|do not) \w+ [^,;]*\b(?:before|after|between|on \w+days?|at night|during|without"
    r"|until|unless|in the (?:morning|evening|afternoon)s?|past|for (?:me|us)|at weekends|with)\b"
    r"|^(?:please )?(?:don't|do not|stop) .*\bany ?more(?:\W|$)"
    r"|(?:short|brief|concise|long|detailed|simple|formal|lengthy) \w*(?:answers|replies"
    r"|responses|explanations)|when (?:you|I ask|explaining))\b)|^(?:please )?call me\b|^to \w"
    r"|^(?:please )?(?:speak|talk|write|address) (?:to )?me\b|^let's (?:go with|use|stick|settle"
    r"|switch|adopt|name)\b|(?:keep|make) (?:the |your )?(?:answers|replies|responses)",
    re.IGNORECASE,
)
_HAS_VERB = re.compile(
    r"\b(?:I|we|you|he|she|they|it) \w|'(?:m|re|ve|s|ll|d)\b|n't\b|\b(?:am|is|are|was|were|be"
    r"|been|has|have|had|do|does|did|can|could|will|would|should|must|may|means|never|always"
    r"|lives?|works?|likes?|loves?|hates?|prefers?|uses?|runs?|step \d|no|allergic|goes|got|went"
    r"|stands|refers|first|then|from now|by|takes?|needs?|call|address|treat|keep|prefer|decision"
    r"|decided)\b|\b\w{3,}(?:ed|es)\b|\b(?:my|our) \w+ (?:\w+ )?(?:\w+s|died|left|won|met|grew"
    r"|began|turn)\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:my|our|mine|ours)\b", re.IGNORECASE)
_WORDS_OF_A_STATEMENT = 4
_RECALLED = re.compile(
    r"advisory notes about the user|\"relevance_score\"\s*:|quoted from memory|^\s*(?:here is"
    r"|this is) what (?:I|you) (?:remember|know) about (?:you|me)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Verdict:
    """Whether something can be worth keeping, and what decided it."""

    worth: bool
    reason: Reason


def verdict(
    text: str,
    *,
    role: Role = "user",
    min_chars: int = DEFAULT_MIN_CHARS,
    roles: Collection[Role] = DEFAULT_ROLES,
) -> Verdict:
    """The verdict on a message or on one sentence of it.

    A message is worth reading where one of its clauses is; the reason of a refusal is
    the first clause's. `min_chars` counts the characters of the whole text (002 has 50).
    """
    if role not in roles:
        return Verdict(False, "role")
    if len(text.strip()) < min_chars:
        return Verdict(False, "too short")
    if why := _not_own_words(text):
        return Verdict(False, why)
    faults = [sentence_fault(each) for each in _clauses(text)]
    if all(faults):
        return Verdict(False, faults[0] if faults and faults[0] else "fragment")
    return Verdict(True, "a statement")


def sentence_fault(sentence: str) -> Fault | None:
    """What the sentence is, where it is no statement."""
    bare = " ".join(without_fillers(in_one_spelling(sentence)).split())
    for fault, pattern in _COMPILED.items():
        if pattern.match(bare) and not (fault == "command" and _STANDING.search(bare)):
            return fault
    return "fragment" if _is_fragment(bare) else None


def _is_fragment(sentence: str) -> bool:
    """Whether it says nothing of anything: no verb, and nobody of whom it could be said."""
    if " " not in sentence:
        return True
    if _HAS_VERB.search(sentence) or _STANDING.search(sentence):
        return False
    return _OWN.search(sentence) is None or sentence.count(" ") < _WORDS_OF_A_STATEMENT - 1


def _not_own_words(text: str) -> Reason | None:
    if _RECALLED.search(" ".join(text.split())):
        return "recalled"
    if is_code(text):
        return "code"
    return "pasted" if is_pasted(text) else None


def _clauses(text: str) -> Iterator[str]:
    for sentence in split_sentences(own_prose(text)):
        yield from split_clauses(without_fillers(in_one_spelling(sentence[:LONGEST_SENTENCE])))
