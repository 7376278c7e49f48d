"""How people tell to undo a forget, and to erase all that is kept of them."""

from __future__ import annotations

from agent.plain_words.fragments import (
    ME,
    MY_DETAIL,
    ONE_MEMORY,
    YOU_HAVE_KEPT,
    YOU_KNOW,
)
from agent.plain_words.objects import is_named
from agent.plain_words.rules import rule

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
_FACTS = r"(?:memor(?:y|ies)|facts?|notes?|info|information|details?|entry|entries|things?|stuff)"
_SUBJECT = r"(?:(?:that|which) (?:is|are|was|were) )?"

_DATA = r"(?:(?:personal |user |own |stored |saved )*(?:data|information|info|details))"
_MY_DATA = rf"(?:my|our) {_DATA}(?: (?:that )?you (?:have|hold|keep|store|stored))?"
_DATA_ON_ME = (
    rf"(?:the |any )?{_DATA} (?:(?:that )?you (?:have|hold|keep|store|stored) (?:(?:about|on) me)?"
    r"|of mine|about me|on me)"
)
ERASING = (
    rule(
        "erase_me",
        rf"{_FORGET} (?:that )?(?:i (?:ever )?exist(?:ed)?|who i am)",
        rf"(?:{_DELETE}|{_FORGET}|erase) (?:about )?(?:me|myself)(?: completely| entirely)?"
        r"(?: from (?:your |the |this )?(?:memory|system|database|records|app|service|existence))?",
        rf"(?:{_DELETE}|nuke|close|cancel) (?:all )?(?:of )?my (?:user |whole "
        rf"|entire )*(?:account|profile)"
        r"(?: and (?:all )?(?:of )?(?:my |its )?(?:data|memories|everything)(?: in it)?)?",
        rf"(?:{_DELETE}|nuke) (?:all |every bit |everything )?(?:of )?(?:{_MY_DATA}|{_DATA_ON_ME})"
        r"(?: from (?:your |the |this )?(?:system|database|records|servers?|app|service))?",
        rf"(?:{_DELETE}|nuke) (?:all|every|any)? ?traces? of me",
        r"(?:delete|erase|wipe|remove) everything,? including my (?:account|data|profile)",
        r"(?:delete|erase|wipe|remove) everything and (?:close|delete|erase|remove) my account",
        rf"(?:delete|erase|remove|wipe|purge|destroy|nuke) (?:absolutely )?{_ALL}(?: {_YOU_HOLD})?"
        rf" (?:about|on|of|from) {ME}",
        r"(?:i(?:'?d| would) like|i want|i wish|i demand|i ask|i need)(?: for)?"
        r"(?: me| myself)? to be (?:completely |entirely )?(?:forgotten|erased|deleted|removed)"
        r"(?: by you| from (?:your |the )?(?:memory|system|database|records))?",
        # “I want to be forgotten” has lost its “I want to”.
        r"be (?:completely |entirely )?(?:forgotten|erased|deleted)(?: by you)?",
        r"(?:exercise|use|invoke|i (?:exercise|invoke|claim)) my (?:gdpr )?right "
        r"(?:to be forgotten|to erasure)",
        r"i(?:'?d| would)? (?:like|want) (?:all )?(?:of )?my (?:data|account) "
        r"(?:to be )?(?:deleted|erased|removed|gone|wiped)",
        r"i(?:'?d| would)? (?:like|want) everything about me (?:to be )?(?:deleted|erased"
        r"|removed|gone|wiped)",
        r"(?:gdpr )?erase me|right to be forgotten",
    ),
)

_FORGETTING = (
    r"(?:forget(?:ting)?|deletion|delete|deleting|erasure|erase|removal|remove|wipe|clear"
    r"|change|edit"
    r"|correction|action|command|memory change|operation|step|pin|unpin)"
)
_GONE = (
    rf"{ONE_MEMORY}(?: (?:that )?(?:you|i)(?:'ve)?(?: just)? (?:deleted|forgot|erased|removed))?"
)
UNDOING = (
    rule(
        "undo",
        rf"(?:i want|i need|i(?:'?d| would) like|give me|let me have) (?:it|that|{_GONE}) back",
        r"undo(?: (?:that|this|it))?(?: last(?: one| thing)?)?(?: (?:please|again))?",
        rf"undo (?:(?:the|that|my|your|this) )?(?:last |previous |latest )?{_FORGETTING}",
        r"undo (?:the|my|your) (?:last|previous|latest)(?: one| thing(?: (?:you|i) did)?)",
        r"undo what (?:you|i|we)(?:'ve| have)?(?: just)? (?:did|done|deleted|forgot|forgotten"
        r"|removed)",
        r"(?:un-?forget|un-?delete|un-?erase|un-?remove|un-?scratch)(?: (?:it|that|this|them"
        rf"|{ONE_MEMORY}))?",
        rf"(?:bring|get|give|put|roll|have) (?:me )?(?:it|that|this|them|those|{_GONE}) back"
        r"(?: (?:in|into|to)(?: your| my)? memory)?(?: again)?",
        rf"(?:bring|get|give|put|roll) (?:me )?back (?:{_GONE}|what (?:you|i)(?:'ve| have)?"
        r"(?: just)? (?:forgot|forgotten|deleted|erased|removed)|(?:that|this))",
        rf"(?:restore|recover|revert|reverse|reinstate|retrieve|rescue) (?:it|that|this|them|those"
        rf"|{_GONE}|(?:the|my) (?:deleted|forgotten|lost|erased) (?:memory|memories|one)"
        r"|what (?:you|i)(?:'ve| have)?(?: just)? (?:forgot|forgotten|deleted|erased|removed))",
        r"(?:revert|reverse|roll back) (?:the|that|my|your) (?:last |previous )?(?:change|edit)",
        r"(?:revert|reverse|cancel|stop|abort|take back) (?:the|that|my|your) (?:last |previous )?"
        r"(?:forget(?:ting)?|deletion|delete|erasure|erase|removal|change to (?:my |your )?memory)",
        r"i (?:didn'?t|did not) (?:mean|want|intend)(?: for)?(?: you)? to (?:forget|delete|erase"
        r"|remove) (?:that|this|it|them)",
        r"(?:you )?(?:shouldn'?t|should not) have (?:forgotten|deleted|erased) (?:that|this|it)",
        r"(?:don'?t|do not) (?:forget|delete|erase) (?:it|that|this) after all",
        r"(?:keep|remember) (?:it|that|this|them) after all",
        r"i (?:didn'?t|did not) mean (?:that|it|to),? (?:please )?(?:undo|bring it back"
        r"|restore it)",
        r"ctrl ?[+-]? ?z",
    ),
    rule(
        "undo",
        r"(?:undo|restore|revert|bring back|recover|unforget) (?:everything|all(?: of it)?"
        r"|all (?:of )?(?:my|the) (?:deleted |forgotten )?memories)",
        r"(?:bring|get) (?:everything|it all|all of it) back|restore (?:my|your) (?:memories"
        r"|memory)",
        everything=True,
    ),
    rule(
        "undo",
        r"undo (?:the |my )?(?:forgetting|forget|deletion|deleting|removal|erasure|erasing)"
        r"(?: of| about)? (?P<about>.+)",
        r"(?:bring back|restore|recover|unforget|undelete|reinstate|get back) (?:the |my )?"
        r"(?:memory|memories|fact|facts) (?:about|of|on|that) (?P<about>.+)",
        r"(?:bring back|restore|recover|reinstate) (?:what|everything) (?:you (?:knew|know|forgot"
        r"|had)|i (?:told you|said)) about (?P<about>.+)",
        r"(?:un-?forget|un-?delete)(?: about)? (?P<about>.+)",
        rf"(?:restore|bring back|recover) (?P<about>{MY_DETAIL})",
        r"i (?:didn'?t|did not) (?:mean|want|intend)(?: for)?(?: you)? to (?:forget|delete|erase) "
        r"(?:about )?(?P<about>my .+)",
        about=is_named,
    ),
)
