"""How people tell to put a memory in other words."""

from __future__ import annotations

from agent.plain_words.fragments import ABOUT, MY_DETAIL, NAMED_MEMORY, ONE_MEMORY, YOU_HAVE_KEPT
from agent.plain_words.objects import is_clean
from agent.plain_words.rules import rule

_EDIT = (
    r"(?:edit|correct|fix|amend|rectify|update|change|revise|rewrite|reword|rephrase|modify|adjust"
    r"|refresh|overwrite|alter)"
)
_FIRM = r"(?:correct|amend|rectify)"
_ONE = (
    rf"(?:{ONE_MEMORY}|(?:what|the (?:last )?(?:thing|one)) you(?:'ve| have)?(?: just)?"
    r" (?:saved|stored|remembered|noted|kept)|the last memory)"
)
_TO = (
    r"(?:\s*(?::|,|-|–|—)\s*| to (?:say|read|be)(?: that)?:? | to ?(?::\s*)?"
    r"| so (?:that )?it (?:says|reads) (?:that )?| (?:with|by)(?: this)?:? | into "
    r"| as(?: follows)?:? )"
)
_STOP = r"(?:\s*[:,–—-]\s*(?:and |because |as |since )?)"
# A new wording says something of the user; “change that to bullet points” speaks of a reply.
_OF_ONESELF = (
    r"(?:(?:i|i'\w+|im|ive|we|we'\w+)\b.+"
    r"|(?:[\w'-]+ ){0,5}?[\w'-]+(?:'s| (?:is|are|was|were|has|have|lives?|works?"
    r"|likes?|loves?"
    r"|hates?|prefers?|moved|owns?|called|named|drives?|eats?|speaks?|studies|goes|ends?|starts?))"
    r"\b.+"
    r"|[\"“«][^\"”»]+[\"”»])"
)
_YOUR_MEMORY = (
    r"(?:(?:(?:your |my |the )?(?:memory|memories)|(?:your|my|the) (?:records?|notes|info"
    r"|information|knowledge))(?: (?:of|about|on) me)?|what you(?:'ve| have)? (?:already )?(?:know"
    r"|remember|have|saved|stored|got|noted|have (?:saved|stored|on file))"
    r"(?: (?:about|on|of) me)?)"
)
_KNOWN = (
    rf"(?:what (?:you (?:already )?(?:know|have|remember)|{YOU_HAVE_KEPT}"
    r"|i(?:'ve)? (?:just )?(?:told you|said))|(?:the|my|your|that)"
    r" (?:(?:saved|stored|old) )?(?:memory|memories|facts?|notes?|entry|info|information)"
    r"(?: (?:you have|we have|saved|stored))?|memory|(?:your|my) (?:knowledge|records?))"
)
_OF = rf"(?:{ABOUT}|of|for|that says|saying)"
_WRONG = (
    r"(?:(?:is|are|was|'s|isn'?t|is not|aren'?t) (?:now |all |no longer |completely |not )?(?:wrong"
    r"|outdated|out of date|incorrect|false|obsolete|old|right|correct|true|up to date|accurate"
    r"|inaccurate|mistaken)(?: now| any ?more)?|(?:needs?|has|have|must|should|ought)(?: to be"
    r"| be)?"
    r" (?:updat(?:ing|ed)|correct(?:ing|ion|ed)|fix(?:ing|ed)|chang(?:ing|ed)|edit(?:ing|ed)"
    r"|an? (?:update|correction|fix)))"
)

EDITING = (
    rule(
        "edit",
        rf"(?:edit|correction)\s*:\s*(?P<text>{_OF_ONESELF})",
        rf"(?:{_EDIT}|replace|make) {_ONE}{_TO}(?P<text>.+)",
        rf"{_EDIT} {_YOUR_MEMORY}{_STOP}(?P<text>.+)",
        rf"{_EDIT} {_YOUR_MEMORY} (?:to say|so (?:that )?it says)(?: that)?:? (?P<text>.+)",
        rf"{_FIRM} (?:that|it) to:? (?:say |read |be )?(?P<text>.+)",
        rf"(?:edit|correct|fix|amend|update|change|revise) (?:that|it){_TO}(?P<text>{_OF_ONESELF})",
        rf"(?:rewrite|reword|rephrase|record|put) (?:that|it) (?:as|to):? (?P<text>{_OF_ONESELF})",
        rf"make (?:{_ONE}|that|it) (?:say|read)(?: that)?:? (?P<text>{_OF_ONESELF})",
        rf"(?:replace|swap|exchange) (?:that|this|it) (?:with|by|for):? (?P<text>{_OF_ONESELF})",
        rf"(?:it|that|this|{_ONE}) (?:should|must|ought to|needs to) (?:say"
        rf"|read)(?: that)?:? (?P<text>{_OF_ONESELF})",
        rf"(?:it|that|this|{_ONE}) should (?:actually |really )?be:? (?P<text>{_OF_ONESELF})",
        rf"{_ONE} {_WRONG}{_STOP}(?P<text>{_OF_ONESELF})",
        rf"(?:edit|correct|amend|update|rectify) (?:that|it|{_ONE}|your memory)",
        rf"(?:edit|correct|fix|amend|update|change|reword|rephrase|modify|revise|adjust) {_ONE}",
    ),
    rule(
        "edit",
        rf"{_EDIT} {ONE_MEMORY}|(?:make|do) (?:an? )?(?:correction|change|edit|update) to {_ONE}"
        rf"(?:{_STOP}(?P<text>.+))?",
        rf"(?:change|edit) the (?:wording|text|words|date|name) of {_ONE}(?:{_TO}(?P<text>.+))?",
        rf"change {_ONE} from [^:,]{{1,40}} to (?P<text>.+)",
        rf"in {_ONE},? (?:{_EDIT}|replace) (?P<about>[^:,]{{1,60}}?) (?:to|with|by) (?P<text>.+)",
        leave=True,
    ),
    rule(
        "edit",
        rf"(?:make|do) (?:an? )?(?:correction|change|edit|update) to {_KNOWN} {_OF} "
        rf"(?P<about>[^:,]+?)(?:{_STOP}(?P<text>.+))?",
        rf"in (?:the|my|your) memory {_OF} (?P<about>[^:,]+?),? (?:please )?(?:{_EDIT}|replace)"
        r" (?P<text>[^:,]{1,60} (?:to|with|by) .+)",
        rf"(?:{_EDIT}|replace) (?P<text>[^:,]{{1,60}}) in (?:the|my"
        rf"|your) memory {_OF} (?P<about>[^:,]+?)"
        r"(?: (?:to|with|by) [^:,]+)?",
        rf"(?:the|my|your) memory {_OF} (?P<about>[^:,]+?) (?:should|must|ought to) (?:say|read|be)"
        rf"(?: that)?:? (?P<text>.+)",
        r"you(?:'ve| have)?(?: (?:got|have|saved|remembered|stored|wrote|written|noted))(?: down)? "
        r"(?P<about>my (?!question|point|meaning|intent|code|example|message|request|idea|text)"
        rf"[^:,]{{1,40}}?) wrong{_STOP}(?P<text>{_OF_ONESELF})",
        rf"{_EDIT} (?P<about>{MY_DETAIL})(?: in (?:your |my )?memory)?, (?P<text>{_OF_ONESELF})",
        about=is_clean,
        leave=True,
    ),
    rule(
        "edit",
        rf"(?:{_EDIT}|replace|swap) {_KNOWN} {_OF} (?P<about>[^:,]+?){_TO}(?P<text>.+)",
        rf"(?:{_EDIT}|replace) {_KNOWN} {_OF} (?P<about>[^:]+?){_TO}(?P<text>.+)",
        rf"(?:the|my|your|that) (?:memory|memories|fact|note|entry) {_OF} (?P<about>[^:,]+?)"
        rf" {_WRONG}"
        rf"{_STOP}(?P<text>.+)",
        rf"(?:what|everything) you (?:know|remember|have)(?: saved"
        rf"| stored)? {_OF} (?P<about>[^:,]+?)"
        rf" {_WRONG}{_STOP}(?P<text>{_OF_ONESELF})",
        rf"{_EDIT} (?P<about>{MY_DETAIL})(?: in (?:your |my )?memory)?(?:: | to (?:be "
        rf"|say )?)(?P<text>.+)",
        rf"{_EDIT} (?P<about>(?:my|our) [^:,]{{1,60}}?) in (?:your |my )?memory(?:: | to (?:be "
        rf"|say )?)"
        r"(?P<text>.+)",
        rf"(?:{_EDIT}|replace) (?P<about>[^:,]{{1,60}}?) (?:in (?:your|my) memory )?(?:to|with|by) "
        r"(?P<text>[^:,]{1,60}?) in (?:your|my) (?:memory|memories)",
        rf"in (?:your|my) (?:memory|memories),? (?:please )?(?:{_EDIT}"
        rf"|replace) (?P<about>[^:,]{{1,60}}?)"
        r" (?:to|with|by) (?P<text>.+)",
        rf"(?:{_EDIT}|replace) [\"“«](?P<about>[^\"”»]+)[\"”»] (?:to|with|by|into):? (?P<text>.+?)"
        r"(?: in (?:your|my) memory)?",
        rf"(?:{_EDIT}|replace) (?:the fact |the memory )that (?P<about>(?:i|my|our|we)\b[^:,]+?)"
        rf"(?:{_TO})(?P<text>.+)",
        rf"{_EDIT} (?:the|my|your) (?:memory|fact|entry) {_OF} (?P<about>[^:]+)",
        rf"{_EDIT} what (?:you (?:know|remember|have)|{YOU_HAVE_KEPT}) {ABOUT} (?P<about>(?:my"
        rf"|our) [^:]+)",
        rf"(?:the|my|your) memory {_OF} (?P<about>[^:,]+?) (?:needs|has) to be "
        r"(?:updated|corrected|changed|fixed|edited)",
        rf"{_EDIT} (?P<about>{NAMED_MEMORY})(?:{_TO}(?P<text>.+))?",
        about=is_clean,
        leave=True,
    ),
)
