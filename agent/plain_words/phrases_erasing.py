"""How people tell to erase all that is kept of them: asking for everything to be forgotten is
asking for that."""

from __future__ import annotations

from agent.plain_words.fragments import ME, YOU_HAVE_KEPT, YOU_KNOW
from agent.plain_words.rules import rule

_DELETE = (
    r"(?:delete|erase|remove|wipe(?: out)?|purge|scrub|trash|clear(?: out)?|drop|get rid of"
    r"|take out|throw (?:away|out)|dispose of|destroy|nuke|obliterate|eliminate|discard|bin)"
)
_FORGET = r"(?:forget|unremember|un-remember|unlearn)"
_EMPTY = (
    r"(?:wipe(?: out)?|clear(?: out)?|reset|empty|flush|nuke|purge|erase|delete|scrub"
    r"|clean(?: out)?"
    r"|format)"
)
_GONE = r"(?:deleted|erased|removed|gone|wiped(?: out)?|forgotten|cleared|purged|destroyed)"
_WHOLLY = r"(?: completely| entirely| totally| fully| altogether| clean)?"
_ALL = (
    r"(?:(?:absolutely |literally )?(?:everything|anything|all(?: of it| that)?|it all|whatever"
    r"|all (?:of )?(?:the |that )?(?:things|stuff)|the things|every(?: single| last| little)?"
    r" (?:thing|bit|detail|fact)|anything and everything|the lot))"
)
_TOLD = (
    r"(?:(?:that )?(?:i|we)(?:'ve| have)?(?: ever| already)* (?:said|told you|mentioned|shared"
    r"|wrote|discussed|talked about)(?: to you| with you)?(?: so far| before| until now)?)"
)
_HELD = (
    rf"(?:(?:that )?(?:{YOU_HAVE_KEPT}|{YOU_KNOW}|you(?:'ve| have)? (?:ever )?(?:learn(?:ed|t)"
    r"|gathered|collected|picked up|heard)|(?:is|that'?s|there is) (?:saved|stored|kept|known)))"
)
_OF_ME = rf"(?:(?:about|on|of|from|regarding|concerning|related to|relating to|to do with) {ME})"
_MEMORIES = (
    r"(?:(?:(?:all|each|any)(?: (?:of|and every))?|every(?: single| last)?(?: one of)?"
    r"|the whole of) ?(?:(?:my|your|the|our|those|these) )?(?:\w+ly )?"
    r"(?:(?:stored|saved|personal|existing|old|kept) )*"
    rf"memor(?:y|ies)(?: {_HELD})?(?: {_OF_ME})?"
    r"|(?:my|your) (?:(?:whole|entire|full|complete|stored|saved|personal) )*memories"
    rf"(?: {_HELD})?(?: {_OF_ME})?|(?:the )?memories (?:{_HELD} )?{_OF_ME}"
    rf"|the memories {_HELD})"
)
_A_MEMORY = (
    r"(?:(?:your|my|our)? ?(?:(?:whole|entire|full|complete|long[- ]term) )*(?:memory|memories)"
    rf"(?: banks?| store)?(?: {_OF_ME})?|the (?:whole|entire|full|complete) memory(?: banks?)?)"
)
_DATA = (
    r"(?:(?:personal |user |own |stored |saved |private )*(?:data|information|infos?|details"
    r"|records|files? on me)(?: and (?:data|information|memories))?)"
)
_MY_DATA = (
    rf"(?:(?:all |any |every bit |every piece |the whole |everything )?(?:of )?(?:(?:my"
    rf"|our) {_DATA}"
    rf"(?: (?:that )?you(?:'ve| have)? (?:have|hold|keep|store|stored|saved|got|kept))?"
    rf"|(?:the |any )?{_DATA} (?:(?:that )?you (?:have|hold|keep|store|stored) (?:about|on) me"
    r"|of mine|about me|on me)))"
)
_ACCOUNT = r"(?:(?:all )?(?:of )?my (?:user |whole |entire |keepsake )*(?:account|profile))"
_MYSELF = r"(?:me|myself|(?:all|every|any)(?: single| last)? ?traces? of me|my existence)"
_KNOWN = rf"(?:{_ALL}(?: (?:{_HELD}|{_TOLD}))? {_OF_ME}|{_ALL} (?:{_HELD}|{_TOLD}))"
_SOLE = rf"(?:{_MYSELF}|{_KNOWN}|{_MEMORIES}|{_MY_DATA}|{_ACCOUNT})"
_WHOLE = (
    rf"(?:{_SOLE}{_WHOLLY}(?:,? and (?:{_SOLE}|(?:its|the|all) (?:data|memories)|everything"
    rf"(?: in it| else)?|my (?:memories|data)))?)"
)
_FROM = (
    r"(?: (?:from|in|out of|off) (?:your |the |this |my )?(?:memory|memories|system|database"
    r"|records|servers?|app|service|existence|mind|head|brain|storage))?"
)

ERASING = (
    rule(
        "erase_me",
        rf"{_FORGET} (?:about )?{_WHOLE}{_FROM}{_WHOLLY}",
        rf"{_FORGET} (?:that )?(?:i (?:ever )?exist(?:ed)?|who i am|(?:you|we) (?:ever )?"
        r"(?:knew|know|met|talked)(?: me)?)",
        rf"{_FORGET} (?:absolutely |literally )?(?:everything|it all|all of it)(?: so far)?",
        rf"(?:{_DELETE}) (?:absolutely )?(?:everything|it all|all of it){_FROM}",
        wish=False,
    ),
    rule(
        "erase_me",
        rf"{_DELETE} {_WHOLE}{_FROM}{_WHOLLY}|(?:close|cancel|terminate) {_ACCOUNT}"
        r"(?: and (?:all )?(?:of )?(?:my |its )?(?:data|memories|everything)(?: in it)?)?",
        rf"{_EMPTY} {_A_MEMORY}{_WHOLLY}|(?:wipe|clear|reset|empty|flush) the memory{_WHOLLY}",
        rf"take (?:{_SOLE}) out of (?:your |the )?(?:memory|system|database|records)",
        rf"{_DELETE} everything,? (?:including my (?:account|data|profile)"
        r"|and (?:close|delete|erase|remove) my account)",
        rf"(?:i(?:'?d| would)? (?:like|want|need|wish|demand|prefer)|have|get) {_WHOLE}"
        rf" (?:to be |to get |be )?(?:completely |permanently )?{_GONE}{_FROM}{_WHOLLY}",
        rf"{_WHOLE} (?:should|must|needs? to|ha(?:s|ve) to|can|ought to) (?:be "
        rf"(?:completely |permanently )?{_GONE}|go|disappear){_FROM}",
        rf"make {_WHOLE} (?:go away|disappear|vanish){_FROM}",
        r"(?:i(?:'?d| would) like|i want|i wish|i demand|i ask|i need)(?: for)?(?: me| myself)?"
        rf" to be (?:completely |entirely )?{_GONE}(?: by you)?{_FROM}",
        # “I want to be forgotten” has lost its “I want to”.
        r"be (?:completely |entirely )?(?:forgotten|erased|deleted)(?: by you)?"
        r"(?: from (?:your |the )?(?:memory|system|database|records))?",
        r"(?:exercise|use|invoke|i (?:exercise|invoke|claim)) my (?:gdpr )?right "
        r"(?:to be forgotten|(?:to|of) erasure)|(?:gdpr )?erase me|right to be forgotten",
        r"(?:start|begin)(?: again| over| anew| afresh)? (?:with|from) (?:an? |your )?"
        r"(?:empty|blank|clean|fresh) memory|wipe your mind|memory wipe",
        r"(?:leave|let) (?:nothing|not a trace) (?:about|of) me (?:be |remain |stay )?"
        r"(?:in|behind in) (?:your |the )?(?:memory|system|database|records)",
    ),
)
