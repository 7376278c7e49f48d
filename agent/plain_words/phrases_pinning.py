"""How people tell to pin a memory, and to take the pin off."""

from __future__ import annotations

import re

from agent.plain_words.fragments import (
    ABOUT,
    FOR_LATER,
    NAMED_MEMORY,
    ONE_MEMORY,
    STRICTLY_ABOUT,
    THAT_OR_IT,
)
from agent.plain_words.objects import has_verb, is_clean, is_mine, is_named, is_statement
from agent.plain_words.rules import rule
from agent.plain_words.sentence import Sentence

_WHICH = rf"(?:{THAT_OR_IT}|{THAT_OR_IT} (?:message|memory)|(?:the|my) last (?:one|message))"
_IN_PLACE = (
    r"(?:(?: down)?(?: (?:in|to|into) (?:your |my |the )?(?:memory|memories|top)"
    r"| to the top(?: of (?:your|my|the) memor(?:y|ies))?)?)"
)
_ALL = (
    r"(?:everything|all(?: of (?:it|them|that))?|(?:all|every one) (?:of )?(?:my|your|the) memories"
    r"|them all|it all|every memory|all memories)"
)
_KEPT = r"(?:about me|(?:that )?you (?:know|remember|have)(?: (?:about|on|of) me)?)"
_MARK = r"(?:important|pinned|a pin|permanent|a keeper|essential|protected|a favou?rite|critical)"
_OFF = r"(?:remove|take off|drop|clear|lift|delete|undo|take away) (?:the |that )?pin"
# “Pin my hair up”, “pin my tweet”, “pin my location”: other pins.
_OTHER_PINS = re.compile(
    r"\b(?:hair|tweet|post|posts|badge|tab|tabs|app|window|video|comment|skirt|dress|corsage|hopes"
    r"|flag|map|poster|picture|photo|photos|screen|taskbar|chat|channel|repo|hand|arm|ears?|on"
    r"|onto|in|by|group|message"
    r"|against|up|(?<!allergy )(?<!allergies )(?<!trip )to|under|at)\b",
    re.IGNORECASE,
)


def _is_pinnable(words: str, sentence: Sentence) -> bool:
    if not is_mine(words, sentence):
        return False
    return has_verb(words) or _OTHER_PINS.search(words) is None


PINNING = (
    rule(
        "unpin",
        rf"un-? ?pin {_ALL}(?: {_KEPT})?",
        r"(?:remove|take off|clear|drop) (?:all|every|all the|all of the|all my) pins?",
        everything=True,
    ),
    rule(
        "unpin",
        rf"un-? ?pin(?: {_WHICH})?{_IN_PLACE}",
        rf"(?:stop pinning|don'?t pin|do not pin) {_WHICH}(?: any ?more)?",
        rf"i (?:don'?t|do not|no longer) (?:need|want) {_WHICH} (?:to be |to stay )?pinned"
        rf"(?: any ?more| any longer| now)?",
        rf"i(?:'?d| would)? (?:like|want|need) {_WHICH} (?:to be )?un-?pinned",
        rf"{_WHICH} (?:can|may|should|could) be un-?pinned(?: now| again)?",
        rf"(?:don'?t|do not|stop) keep(?:ing)? {_WHICH} pinned(?: any ?more)?",
        rf"(?:remove|delete|undo|take away|take off|clear|drop|lift) (?:the|that|my|this) pin"
        rf"(?: (?:from|on|off|of) {_WHICH})?",
        rf"take (?:the|that) pin (?:off|away)(?: (?:of |from )?{_WHICH})?",
        rf"{_WHICH} (?:doesn'?t|does not|don'?t|do not|no longer) (?:needs? )?"
        r"(?:have )?to be pinned(?: any ?more| any longer)?",
        rf"{_WHICH} (?:shouldn'?t|should not) be pinned(?: any ?more)?",
        rf"{_WHICH} (?:no longer needs|doesn'?t need) (?:a|the|that) pin(?: any ?more)?",
        rf"{_WHICH} (?:isn'?t|is not|is no longer) important(?: any ?more)?,? (?:so )?unpin "
        rf"(?:it|that)",
        rf"mark {_WHICH} as (?:not important|unimportant|no longer important|unpinned|not pinned)",
        rf"make {_WHICH} (?:unpinned|not pinned)",
    ),
    rule(
        "unpin",
        rf"un-? ?pin (?:the |my |that |your )?(?:memory|memories|fact|facts|note|one|ones) "
        rf"(?:{ABOUT}|of|that) (?P<about>.+)",
        rf"un-? ?pin (?:what|everything|anything|all) (?:you (?:know|remember|have)"
        rf"|i (?:told you|said)) "
        rf"{ABOUT} (?P<about>.+)",
        rf"{_OFF} (?:from|on|off|of) (?:the |my )?(?:memory|memories|fact|note) (?:{ABOUT}|of)"
        r" (?P<about>.+)",
        rf"{_OFF} (?:from|on|off|of) (?P<about>(?:(?:my|our) .+|{NAMED_MEMORY}))",
        rf"take the pin off (?:of )?(?:the memory (?:{ABOUT}|of) )?(?P<about>(?:my|our) .+"
        rf"|{NAMED_MEMORY})",
        rf"un-? ?pin (?:the|that) (?:thing|bit|part|stuff|one) {ABOUT} (?P<about>.+)",
        rf"un-? ?pin (?P<about>{NAMED_MEMORY})",
    ),
    rule("unpin", r"un-? ?pin (?:the fact )?that (?P<about>.+)", about=is_statement),
    rule("unpin", r"un-? ?pin (?P<about>.+)", about=_is_pinnable),
    rule(
        "pin",
        rf"pin {_ALL}(?: {_KEPT})?",
        rf"pin what {_KEPT}",
        everything=True,
    ),
    rule(
        "pin",
        rf"pin {_WHICH}{_IN_PLACE}{FOR_LATER}",
        rf"(?:put|stick|add|place) a pin (?:on|to) {_WHICH}",
        rf"(?:put|stick|add) a pin in {ONE_MEMORY}",
        rf"(?:keep|have|get|leave|make) {_WHICH} (?:permanently |always )?pinned",
        rf"(?:mark|flag|star|save|keep|set) {_WHICH} as (?:very |really )?{_MARK}",
        rf"make {_WHICH} (?:a )?(?:pinned(?: memory)?|permanent|stick)",
        rf"(?:star|bookmark|protect|lock) {ONE_MEMORY}",
        rf"(?:protect|lock) {_WHICH} (?:in (?:your |my )?memory|from being (?:trimmed|forgotten"
        r"|deleted|lost))",
        rf"(?:never|don'?t ever|do not ever) (?:lose|drop|trim|remove) {_WHICH}{_IN_PLACE}",
        rf"(?:always keep|keep) {_WHICH}(?: in (?:your |my )?memory)? (?:forever|for ever|for good"
        r"|permanently|always)",
        rf"always keep {_WHICH}{_IN_PLACE}",
        rf"{_WHICH} (?:should|must|needs to|has to) (?:be|stay|remain) pinned",
        rf"i(?:'?d| would)? (?:like|want|need) {_WHICH} (?:to be )?pinned",
        # “Make sure that memory is pinned.”
        rf"(?:{_WHICH}|memory) (?:gets|is|stays) pinned(?: for good| forever)?",
    ),
    rule(
        "pin",
        rf"pin (?:the |my |that |your )?(?:memory|memories|fact|facts|one|ones) "
        rf"(?:{ABOUT}|of|that) (?P<about>.+)",
        rf"pin (?:what|everything|anything) (?:you (?:know|remember|have)|i (?:just )?(?:told you"
        rf"|said)) {ABOUT} (?P<about>.+)",
        rf"(?:mark|flag) (?:the memory (?:about|of) )?(?P<about>(?:my"
        rf"|our) [^,]+?) as (?:very )?{_MARK}",
        r"(?:keep) (?P<about>(?:my|our) [^,]+?) pinned",
        rf"(?:star|protect|lock|never lose) (?:the |my )?(?:memory|memories) (?:{ABOUT}"
        rf"|of) (?P<about>.+)",
        rf"pin (?:everything|all|anything) {STRICTLY_ABOUT} (?P<about>.+)",
        rf"pin (?:the|that) (?:thing|bit|part|stuff|one) {ABOUT} (?P<about>.+)",
        rf"pin (?P<about>{NAMED_MEMORY})",
        rf"i(?:'?d| would)? (?:like|want|need) (?:the |my )?memory (?:{ABOUT}|of) (?P<about>.+?)"
        r" (?:to be )?pinned",
        about=is_clean,
    ),
    rule("pin", r"pin (?:the fact )?that (?P<about>.+)", about=is_statement),
    rule("pin", r"pin (?P<about>.+)", about=_is_pinnable),
    rule("pin", r"pin (?P<about>[\"“«].+[\"”»])", about=is_named),
)
