"""How people tell to forget something, or everything."""

from __future__ import annotations

import re

from agent.plain_words.fragments import (
    ABOUT,
    IN_MEMORY,
    MY_DETAIL,
    NAMED_MEMORY,
    ONE_MEMORY,
    STRICTLY_ABOUT,
    THAT,
    THAT_MEMORY,
    THAT_OR_IT,
    THIS_CHAT,
    WHAT_I_SAID,
    YOU_HAVE_KEPT,
    YOU_KNOW,
)
from agent.plain_words.objects import is_mine, is_named, is_owned, is_statement, is_told
from agent.plain_words.rules import rule
from agent.plain_words.sentence import Sentence

_DELETE = (
    r"(?:delete|erase|remove|wipe|purge|scrub|trash|clear|drop|get rid of|take out|throw away"
    r"|dispose of|destroy)"
)
_FORGET = r"(?:forget|unremember|un-remember|unlearn)"
_ALL = (
    r"(?:everything|anything|all(?: of it| that)?|whatever|all (?:the |of the )?things|the things)"
)
_I_TOLD = (
    r"(?:that )?i(?:'ve| have)?(?: ever| just| already)? (?:said|told you|mentioned|shared|wrote)"
)
_YOU_HOLD = rf"(?:(?:that )?(?:{YOU_HAVE_KEPT}|{YOU_KNOW}|you(?:'ve| have) learn(?:ed|t)))"
_FACTS = (
    r"(?:memor(?:y|ies)|facts?|notes?|info|information|details?|entry|entries|things?|stuff"
    r"|bits?|parts?)"
)
_SUBJECT = r"(?:(?:that|which) (?:is|are|was|were) )?"

# “Forget my problems” is a wish for oneself.
_TROUBLES = re.compile(
    r"my (?:\w+ )?(?:manners|problems?|worries|troubles?|sorrows|fears|pain|cares|heartbreak"
    r"|mistakes?"
    r"|regrets?|head|hat|keys|umbrella|wallet)\b",
    re.IGNORECASE,
)


def _is_known_of_me(words: str, sentence: Sentence) -> bool:
    return is_mine(words, sentence) and _TROUBLES.match(words) is None


def _is_asked_of_keepsake(words: str, sentence: Sentence) -> bool:
    return is_mine(words, sentence) and bool({"polite", "asks", "for_good"} & sentence.kinds)


FORGETTING = (
    rule(
        "forget",
        rf"{_FORGET} (?:about )?{THAT}",
        rf"{_FORGET} (?:all (?:of )?(?:that|this)|(?:this|that|the|our) (?:whole "
        rf"|entire )?(?:chat|conversation)|{THIS_CHAT})",
        rf"{_FORGET} (?:that )?i(?:'ve| have)?(?: ever| just)? (?:said|told you|mentioned|wrote|"
        r"brought up|asked)(?: you)? (?:that|this|it|so|anything)(?: to you)?",
        rf"{_FORGET} (?:that )?i(?: just)? (?:said|mentioned|brought up|told you)",
        rf"{_FORGET} my last (?:message|sentence|statement|remark)",
        rf"(?:get|take|throw|kick) {THAT_OR_IT} out of (?:your |my |the )?(?:memory|head|mind"
        rf"|system)",
        r"stop remembering (?:that|this|it)",
        rf"{_FORGET} (?:that|this|it) (?:ever )?happened",
        wish=False,
    ),
    # Without “please” or “for good”, “forget it” says “never mind”.
    rule("forget", rf"{_FORGET} (?:about )?(?:it|them|these|those)", told=True, wish=False),
    rule(
        "forget",
        rf"(?:delete|erase|remove|wipe|purge|scrub|discard) (?:that one|{THAT_MEMORY}"
        rf"|my last message){IN_MEMORY}",
        rf"{_DELETE} (?:{ONE_MEMORY}|{WHAT_I_SAID}){IN_MEMORY}",
        rf"{_DELETE} {THAT_OR_IT} (?:from|out of) (?:your |my |the )?(?:memory|memories|mind"
        rf"|records?)",
        rf"take {THAT_OR_IT} out of (?:your |my |the )?(?:memory|memories|mind|records?)",
        rf"let go of (?:{ONE_MEMORY})|scrap that",
        rf"(?:scratch|strike) (?:that|this|{THAT})"
        r"(?: from (?:the |your )?(?:record|memory|memories))?",
        rf"(?:make {THAT_OR_IT} (?:go away|disappear) from (?:your |my )?memory)",
        rf"(?:i(?:'?d| would) like|i want|i need) {THAT_OR_IT} (?:to be )?"
        r"(?:forgotten|deleted|erased|removed|gone|wiped)(?: from (?:your |my |the )?memory)?",
        rf"{THAT_OR_IT} (?:should|must|needs to|can|has to) be "
        r"(?:forgotten|deleted|erased|removed)(?: from (?:your |my |the )?memory)?",
    ),
    rule(
        "forget",
        rf"{_FORGET} (?:about )?(?:what|{_ALL}|{_FACTS}|the {_FACTS}|that) {_I_TOLD}(?: to)?(?: "
        rf"you)?"
        rf" {ABOUT} (?P<about>.+)",
        rf"{_FORGET} (?:that )?i(?:'ve| have)? (?:ever |just )?(?:told you|spoke|talked"
        rf"|said anything"
        rf"|said something|said a word|told you anything)(?: to you)? {ABOUT} (?P<about>.+)",
        rf"{_FORGET} (?:that )?i(?:'ve| have)? (?:ever |just )?(?:said|told you|mentioned"
        rf"|brought up)"
        r"(?: that)? (?P<about>.+)",
        rf"{_FORGET} (?:what|{_ALL}) (?:that )?{YOU_HAVE_KEPT} {ABOUT} (?P<about>.+)",
        rf"{_FORGET} (?:my|your|all|the|every|any|all my|all the|all your) {_FACTS} "
        rf"(?:{_YOU_HOLD} )?(?:{ABOUT}|of) (?P<about>.+)",
        wish=False,
    ),
    rule(
        "forget",
        rf"{_FORGET} (?:what|{_ALL}) (?:{_YOU_HOLD} )?{ABOUT} (?P<about>.+)",
        rf"{_FORGET} all about (?P<about>.+)",
        rf"{_FORGET} about (?P<about>.+)",
        about=is_told,
        wish=False,
    ),
    rule(
        "forget",
        rf"{_FORGET} (?:the fact |the part |the bit )?(?:about )?that (?P<about>.+)",
        rf"{_FORGET} (?P<about>(?:i|i'm|im|we|my|our) .+)",
        r"stop remembering (?:that )?(?P<about>.+)",
        about=is_statement,
        wish=False,
    ),
    rule(
        "forget",
        rf"(?:{_FORGET}|stop remembering) (?P<about>my .+)",
        about=_is_known_of_me,
        wish=False,
    ),
    rule("forget", rf"{_FORGET} (?P<about>our .+)", about=_is_asked_of_keepsake, wish=False),
    rule("forget", rf"{_FORGET} (?P<about>.+)", about=is_owned, wish=False),
    # “Please forget the wifi password” may name anything.
    rule("forget", rf"{_FORGET} (?P<about>the .+)", about=is_told, wish=False),
    rule(
        "forget",
        rf"{_DELETE} (?:what|whatever|{_ALL}) (?:{_YOU_HOLD}|{_I_TOLD})(?: you)? {ABOUT} "
        rf"(?P<about>.+)",
        rf"{_DELETE} (?:my|your|all|the|every|any|that|all my|all the|all your|all of the"
        rf"|all of my) "
        rf"(?:memory|memories) (?:{_YOU_HOLD} )?{_SUBJECT}"
        r"(?:about|of|on|regarding|concerning|that mentions?|mentioning|related to) (?P<about>.+)",
        rf"{_DELETE} (?:all|every|any|the|all the) (?:facts?|notes?|info|information|details) "
        rf"(?:{_YOU_HOLD} )?{STRICTLY_ABOUT} (?P<about>.+) from (?:your|my|the)? ?memory",
        rf"{_DELETE} memor(?:y|ies) (?:about|of) (?P<about>.+)",
        rf"{_DELETE} (?:the|all the|any|all) (?:stuff|things?|info|information|facts?|details?) "
        r"(?:about|on) (?P<about>(?:my|our) .+)",
        rf"{_DELETE} (?:the|my|that) memory (?:that|where|in which) (?P<about>.+)",
        rf"{_DELETE} (?P<about>.+?) (?:from|out of) "
        r"(?:(?:your|my|the|our) )?(?:memory|memories|what you (?:know|remember)(?: about me)?)",
        rf"{_DELETE} (?:the fact )?that (?P<about>(?:i|i'm|im|we|my|our) .+)",
        rf"{_DELETE} (?P<about>{MY_DETAIL})",
    ),
    rule(
        "forget",
        rf"{_FORGET} (?:about )?(?:that|the|this) {_FACTS} (?:{ABOUT}|of) (?P<about>.+)",
        rf"{_FORGET} all (?P<about>(?:of )?(?:my|our) .+)",
        rf"{_DELETE} what i(?:'ve| have)?(?: just)? (?:told you|said)(?: to you)?(?: yesterday"
        rf"| today| earlier"
        rf"| last \w+| before)? {ABOUT} (?P<about>.+)",
        about=is_named,
        wish=False,
    ),
    rule("forget", rf"{_DELETE} (?P<about>{NAMED_MEMORY})"),
    rule("forget", rf"{_FORGET} (?P<about>{NAMED_MEMORY})", about=is_told, wish=False),
    rule(
        "forget",
        rf"take (?:what|everything|all|anything) (?:{_I_TOLD}|{_YOU_HOLD})(?: you)? {ABOUT} "
        r"(?P<about>.+?) (?:out of|from|off) (?:your |my |the )?(?:memory|memories|mind|records?)",
        r"take (?P<about>(?:my|our) .+?) (?:out of|from|off) (?:your |my |the )?"
        r"(?:memory|memories|mind|records?)",
        rf"(?:{_DELETE}|{_FORGET}) (?:the|that) (?:one|thing|bit|part|stuff|story) (?:{ABOUT}|of) "
        r"(?P<about>(?:my|our) .+)",
        r"i (?:don'?t|do not|no longer|never)(?: want| need)? (?:want |need )?you to (?:still )?"
        r"(?:remember|know)(?: about)? (?P<about>(?:my|our) .+?)(?: any ?more| any longer)",
        r"i no longer (?:want|need) you to (?:remember|know|keep)(?: about)? "
        r"(?P<about>(?:my|our) .+)",
    ),
    rule("forget", rf"{_DELETE} {_ALL} (?:about|on|regarding) (?P<about>.+)", about=is_named),
    rule(
        "forget",
        rf"{_FORGET} (?P<about>(?:who|what|where|when|how old) (?:(?:my|our) [\w' -]{{1,40}}|i|we) "
        r"(?:is|are|am|was|live|work|do|did|come|was born)(?: (?:for a living|from|now|called))?)",
        about=lambda *_: True,
        wish=False,
    ),
)
