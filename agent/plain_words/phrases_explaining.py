"""How people ask where an answer came from, and what was done with their memory."""

from __future__ import annotations

from agent.plain_words.objects import is_mine, is_statement
from agent.plain_words.rules import rule

_THAT_ANSWER = r"(?:that|this|it|so|(?:that|this|your|the) (?:last )?(?:answer|reply|response))"
_USED = r"(?:used?|using|recall(?:ed)?|based on|rely on|relied on|draw on|look(?:ed)? at|rest on)"
WHY = (
    rule(
        "why",
        rf"why (?:did|do|would|are) you (?:say|saying|answer|answering|reply|mention|mentioning"
        rf"|bring up"
        rf"|bringing up|recall|recalling|remember|remembering|know|think of|tell me|telling me)"
        rf"(?: {_THAT_ANSWER})?(?: to me| just now)?",
        r"why (?:did|do) you (?:bring|brought) (?:that|this|it) up",
        r"why (?:did|do) you (?:answer|reply|respond)(?: like)? (?:that|this)(?: way)?",
        r"why (?:this|that) (?:answer|reply|response|memory)",
        r"(?:so )?how (?:do|did|would|could|can) you (?:even |possibly )?know(?: (?:that|this"
        r"|it|about that"
        r"|that about me|this about me))?",
        r"where (?:do|did) you (?:know|get|have|learn|hear|take) (?:that|this|it)(?: from)?",
        r"where (?:does|did|do) (?:that|this|it|that answer|this answer)(?: information"
        r"| info)? come from",
        r"what (?:made|makes) you (?:say|think of|mention|remember|answer) (?:that|this|it|so)",
        r"(?:which|what)(?: of (?:my|your))? memor(?:y|ies) (?:did you use|have you used"
        r"|did you recall|are you using"
        r"|does (?:that|this|it) come from|is (?:that|this|it) (?:based on|from)|was (?:that"
        r"|this|it) (?:based on|from)"
        r"|did (?:that|this"
        r"|it) come from|were used|was used|went into (?:that|this)(?: answer)?"
        r"|(?:is|was) behind (?:that|this|your)(?: answer| reply)?)(?: for (?:that|this)(?: answer"
        r"| reply)?| (?:there|here|just now))?",
        r"what (?:is|was|are|were|'?s) (?:that|this|it|your answer|your reply|that answer"
        r"|this answer)"
        r" based on",
        r"what(?:'?s| is| was) (?:your|the) source(?: (?:for|of|behind) (?:that|this))?",
        rf"(?:show|tell|give|explain)(?: to)?(?: me)? (?:why (?:you (?:said|answered|know"
        rf"|remembered|recalled)"
        rf"|that|this)(?: {_THAT_ANSWER})?|(?:your|the) (?:sources?|evidence)(?: (?:for"
        rf"|of) (?:that|this)"
        rf"(?: answer)?)?|how you (?:know|knew) (?:that|this|it)|where (?:you got )?(?:that|this)"
        rf"(?: (?:is|came|comes))? from|(?:the|which) memories (?:you used|behind (?:that|this"
        rf"|your answer"
        rf"|that answer|this answer)|you based (?:that|this) on|(?:that"
        rf"|this)(?: answer)? is based on))",
        r"(?:show|prove)(?: to)?(?: me)? (?:that )?(?:you(?:'ve| have)? (?:really "
        r"|actually )?(?:forgot"
        r"|forgotten|deleted|erased) (?:that|it|this|them)|(?:it|that)(?:'?s"
        r"| is) (?:really )?(?:gone"
        r"|forgotten|erased|deleted))",
        r"on what (?:basis|grounds)(?: did you say (?:that|this))?",
        r"how come you (?:know|remember) (?:that|this|it)|who told you (?:that|this)",
        r"why (?:did|do) you (?:give|say) (?:me )?(?:that|this) (?:answer|reply|response)",
        r"what did you use (?:to answer (?:that|this)|for (?:that|this)(?: answer)?)",
        r"how (?:did|do) you (?:come up with|arrive at|get(?: to)?|reach|come to) "
        r"(?:that|this)(?: answer| conclusion)?",
        r"where (?:do|did) you (?:get|take|find|have) (?:that|this) (?:information|info|idea"
        r"|fact|answer)"
        r"(?: from)?",
        r"what (?:made|makes) you think (?:that|so|this)",
        r"what (?:did|do|are) you (?:base|basing) (?:that|this|it|your answer|that answer) on",
        r"when did i (?:ever )?(?:tell|say)(?: you)? (?:that|this)(?: to you)?",
        r"what(?:'?s| is| was) (?:that|this|it|your answer|that answer) based on",
        r"(?:show|tell)(?: me)? where you (?:got|learned|heard|know|took) (?:that|this"
        r"|it)(?: from)?",
        wish=False,
        leave=True,
    ),
    rule(
        "why",
        r"(?:prove|show)(?: to)?(?: me)? (?:that )?you(?:'ve| have)? (?:really "
        r"|actually )?(?:forgot"
        r"|forgotten|deleted|erased)(?: about)? (?P<about>.+)",
        r"why (?:did|do) you (?:know|remember|mention|recall|bring up|keep|save|saved"
        r"|store)(?: about)? "
        r"(?P<about>(?:my|our) .+)",
        r"how (?:do|did|come) you (?:know|remember|learn|find out)(?: about)? "
        r"(?P<about>(?:my|our|(?:where|who|how old) (?:i|we|my)\b) ?.+)",
        r"where (?:do|did) you (?:know|get|learn) (?P<about>(?:my|our) .+?) from",
        about=is_mine,
    ),
    rule(
        "why",
        r"(?:how|why|where) (?:do|did) you (?:know|remember|learn|hear"
        r"|find out)(?: from)? "
        r"(?:that )?(?P<about>(?:i|i'm|im|i've|we|we're|my|our) .+)",
        r"(?:what (?:made|makes)|why (?:do|did|would)) you (?:think|say|believe|assume"
        r"|suggest) (?:that )?"
        r"(?P<about>(?:i(?! (?:should|could|would|can|must|need|ought))|i'm|im|i've|my) .+)",
        about=is_statement,
    ),
)

_LOG = (
    r"(?:(?:memory |my |the |your |full |whole )*(?:audit(?: (?:log|trail"
    r"|history|record"
    r"|records|entries|report))?|(?:memory|activity|audit) (?:log|history|changes|trail)"
    r"|(?:an? |the )?(?:history|log|list) of (?:all )?changes(?: "
    r"to (?:my|your|the) memor(?:y|ies))?|history of"
    r" (?:my|your|the) memor(?:y|ies)|log of (?:my|your|the) memor(?:y|ies)|memory changelog))"
)
_MY_MEMORY = r"(?:my|your|the) (?:memory|memories|stored data|personal data|data)"
_DONE = (
    r"(?:done|do|changed?|did|touched|been doing|altered?|written|deleted|saved|added|modif(?:y"
    r"|ied)|edited)"
)
AUDIT = (
    rule(
        "audit",
        rf"(?:(?:show|list|display|open|print|see|view|give|read|check|get)(?: me)? )?{_LOG}"
        rf"(?: (?:of|for|on) {_MY_MEMORY}| please)?",
        r"show(?: me)? (?:the|your|my) (?:change |activity )?log",
        rf"what (?:have you|did you|has been|was|you'?ve|you have)(?: been)? {_DONE}(?: "
        rf"recently| lately"
        rf"| automatically)? (?:with|to|in|about) {_MY_MEMORY}(?: (?:recently|lately|today|so far"
        rf"|automatically|on your own|this week|yesterday))?",
        rf"what (?:has )?happened (?:to|with|in) {_MY_MEMORY}(?: (?:recently|lately|today"
        rf"|this week))?",
        rf"(?:show|tell)(?: me)? what(?:'s| has)? (?:changed|happened|been changed) (?:in|to"
        rf"|with) {_MY_MEMORY}",
        rf"what(?:'?s| has) (?:changed|happened|been happening|been changed|gone on) (?:in|to"
        rf"|with) {_MY_MEMORY}(?: (?:recently|lately|today|this week))?",
        rf"(?:show|list|tell|give)(?: me)? (?:everything|what|all|all the things|the changes"
        rf"|all changes"
        rf"|every change|a log of what|a history of what|a list of what)(?: that)? (?:you(?:'ve"
        rf"| have)?(?: "
        rf"ever)? {_DONE}|(?:was|were|has been|have been) {_DONE}|(?:has )?happened|made) "
        rf"(?:with|to|in|about) {_MY_MEMORY}",
        rf"(?:show|list|give)(?: me)? (?:all |the |any |recent |latest |every )*(?:changes?"
        rf"|actions?|writes?"
        rf"|activity|history|log|logs)(?: (?:made|taken))? (?:to|on|in|of|for|with) {_MY_MEMORY}",
        rf"who(?:'?s| has| was)? (?:accessed|changed|touched|read|seen|looked at|edited|accessing"
        rf"|used) {_MY_MEMORY}",
        rf"what (?:changes|actions) (?:have you|did you|were|have been) (?:made?|taken?)"
        rf" (?:to|in|on|with) {_MY_MEMORY}",
        rf"audit (?:{_MY_MEMORY}|yourself)",
        leave=True,
    ),
)
