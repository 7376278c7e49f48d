"""How people tell to undo a forget."""

from __future__ import annotations

from agent.plain_words.fragments import MY_DETAIL, ONE_MEMORY
from agent.plain_words.objects import is_named
from agent.plain_words.rules import rule

_FORGETTING = (
    r"(?:forget(?:ting)?|deletion|delete|deleting|erasure|erase|removal|remove|wipe|clear"
    r"|change|edit"
    r"|correction|action|command|memory change|operation|step|pin|unpin)"
    r"(?: (?:to|in|of|from) (?:my|your|the) (?:memory|memories))?"
)
_DID = r"(?:deleted?|forg[eo]t|forgotten|erased?|removed?|dropped|lost|threw away|wiped)"
_BY_US = (
    rf"(?:(?:that |which )?(?:you|i|we)(?:'ve| have)?(?: just| last)? {_DID}(?: just now)?"
    rf"|(?:that )?i(?:'ve| have)?(?: just)? (?:asked|told|had|made|wanted) you (?:to )?{_DID}"
    r"|(?:that )?was(?: just)? (?:deleted|forgotten|erased|removed))"
)
_GONE = (
    rf"(?:(?:{ONE_MEMORY}|(?:the|that) (?:last )?(?:memory|memories|thing|one|fact|things))"
    rf"(?: {_BY_US})|{ONE_MEMORY}|what(?:ever)? {_BY_US})"
)
UNDOING = (
    rule(
        "undo",
        rf"(?:i(?: do)? want|i need|i(?:'?d| would) like|give me|let me have|have|get) "
        rf"(?:it|that|this|them|{_GONE}) back(?: again)?(?: in (?:your |my )?memory)?",
        r"undo(?: (?:that|this|it))?(?: last(?: one| thing)?)?(?: (?:please|again))?",
        rf"undo (?:(?:the|that|my|your|this) )?(?:last |previous |latest )?{_FORGETTING}",
        r"undo (?:the|my|your) (?:last|previous|latest)(?: one| thing(?: (?:you|i) did)?)",
        rf"undo (?:what|whatever) (?:you|i|we)(?:'ve| have)?(?: just)? (?:did|done|{_DID})"
        r"(?: (?:to|with) (?:my|your|the) memory)?|undo (?:your|my|the) (?:last )?memory change",
        r"(?:un-?forget|un-?delete|un-?erase|un-?remove|un-?scratch)(?: (?:it|that|this|them"
        rf"|{ONE_MEMORY}))?",
        rf"(?:bring|get|give|put|roll|have) (?:me )?(?:it|that|this|them|those|{_GONE}) back"
        r"(?: (?:in|into|to)(?: your| my)? memory)?(?: again)?",
        rf"(?:bring|get|give|put|roll|call|fetch) (?:me )?back (?:{_GONE}|that|this)",
        rf"take (?:that|this|the(?: last)?|my(?: last)?) {_FORGETTING} back",
        r"(?:take back|revoke|rescind|withdraw|cancel|abort|stop|call off) (?:the|that|my|your)"
        r" (?:last )?(?:forget(?:ting)?|deletion|erasure|removal|erase)",
        rf"(?:restore|recover|revert|reverse|reinstate|retrieve|rescue) (?:it|that|this|them|those"
        rf"|{_GONE}|(?:the|my) (?:(?:last|deleted|forgotten|lost|erased|removed) )+"
        r"(?:memory|memories|one|fact|thing))",
        rf"(?:re-?add|remember) {_GONE} again|put {_GONE} back where it was",
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
        leave=True,
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
        r"(?:bring|put|get|want) the (?:memory|fact) (?:about|of|on) (?P<about>.+?) back",
        r"(?:bring back|restore|recover|get back) what (?:you (?:knew|know|remembered)|i said)"
        r" (?:about|of) (?P<about>.+)",
        rf"(?:restore|bring back|recover) (?P<about>{MY_DETAIL})",
        r"i (?:didn'?t|did not) (?:mean|want|intend)(?: for)?(?: you)? to (?:forget|delete|erase) "
        r"(?:about )?(?P<about>my .+)",
        about=is_named,
    ),
)
