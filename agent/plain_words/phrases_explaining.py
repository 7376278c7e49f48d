"""How people ask where an answer came from."""

from __future__ import annotations

from agent.plain_words.objects import is_mine, is_statement
from agent.plain_words.rules import rule

_THAT_ANSWER = r"(?:that|this|it|so|(?:that|this|your|the) (?:last )?(?:answer|reply|response))"
_USED = r"(?:used?|using|recall(?:ed)?|based on|rely on|relied on|draw on|look(?:ed)? at|rest on)"
_EVER = r"(?: (?:ever|still|even|all|already|actually|just|always|in the first place))*"
_MEMORY = r"(?:(?:that|this|the) (?:last )?(?:memory|fact))"
_IT = rf"(?:that|this|it|these|those|about (?:that|this|it)|(?:that|this) one|{_MEMORY})"
_IN = (
    r"(?:in(?:to|side)? (?:your |my |the )?(?:memory|memories|records?|notes)"
    r"|(?:stored|saved|kept|recorded|remembered|noted|on file)"
    r"(?: (?:in|on) (?:your |my |the )?(?:memory|memories|file|record))?)"
)
_IN_MEMORY = r"(?: (?:in|to|into) (?:your |my |the )?(?:memory|memories))"
_OF_ME = r"(?: (?:about|of|on) me)"
_KEEP = (
    r"(?:remember(?:ed)?|know|known|recall(?:ed)?|saved?|stored?|keep|kept|note|noted|recorded?"
    r"|memori[sz]ed?|have|had|got|write down|written down"
    r"|remembering|saving|storing|keeping|recording)"
)
_EXPLAIN = r"(?:(?:show|tell|give|explain|say|know|see|find out|understand)(?: to)?(?: me)?)"
WHY = (
    rule(
        "why",
        rf"why (?:did|would|are) you (?:answer|answering|reply|mention|mentioning"
        rf"|bring up|bringing up|recalling|think of|tell me|telling me)"
        rf"(?: {_THAT_ANSWER})?(?: to me| just now)?",
        # “Why do you say that?” asks for reasons; “why did you say that?” for where it came from.
        rf"why did you say(?: {_THAT_ANSWER})?(?: to me| just now)?",
        rf"(?:why|how come) (?:(?:do|did|would|are|have) )?you(?:'ve)?{_EVER} {_KEEP}(?:"
        rf" {_IT})?{_OF_ME}?"
        rf"{_IN_MEMORY}?",
        rf"(?:why|how come) (?:is|was|are|were|has|have|did|does) {_IT}{_EVER} {_IN}",
        rf"(?:why|how|when) (?:is|was|has|did) {_IT}(?: been)?{_EVER} (?:remembered|saved|stored"
        rf"|kept"
        rf"|noted|recorded|memori[sz]ed|learned|learnt){_IN_MEMORY}?",
        rf"how (?:did|does|has) {_IT} (?:get|got|gotten|come|end up|ended up|land|landed|go|went"
        rf"|make its way) "
        rf"{_IN}",
        rf"how (?:do|did|have) you (?:ever )?(?:remember|learn|learned|learnt|find out|found out"
        rf"|hear"
        rf"|heard|work out|figure out) {_IT}{_OF_ME}?|how did you (?:find|figure|work) {_IT} out",
        rf"(?:since when|how long)(?: (?:do|did|have))? you {_EVER}?(?:known|know|remember"
        rf"|remembered"
        rf"|had|stored) ?{_IT}{_OF_ME}?",
        rf"when (?:did|have) (?:i|we) (?:ever )?(?:say|tell|told|mention|share|shared|discuss"
        rf"|talk about|write"
        rf"|bring up)(?: you| to you)? {_IT}(?: (?:to|with) you)?",
        rf"when (?:did|have) you (?:first )?(?:learn|save|store|remember|note|record|hear|get"
        rf"|find out|write) {_IT}(?: down)?{_OF_ME}?",
        rf"where (?:do|did|have) you (?:know|get|got|have|learn|learned|hear|heard|take|pick"
        rf"|find|found) {_IT}{_OF_ME}?"
        rf"(?: from| up)?",
        rf"where(?:'?s| is| does| did| has) {_IT}(?: (?:come|came|stem|originate))?(?: from)",
        rf"(?:which|what) (?:chat|conversation|message|session|talk|day) (?:is|was|does|did"
        rf"|has) {_IT}"
        rf"(?: come| came)? from|in (?:which|what) (?:chat|conversation|message) did i (?:say|tell"
        rf"|mention)(?: you)? {_IT}",
        r"(?:why|how) (?:do|did|come) you (?:know|remember) so (?:much|many things) (?:about"
        r"|of) me",
        r"did i (?:ever )?tell you (?:that|this),? (?:and )?(?:when|where|how)",
        rf"(?:(?:what(?:'?s| is| was)|{_EXPLAIN}) )(?:your|the) (?:source|origin)"
        rf" (?:for|of|behind) {_IT}|what(?:'?s| is| was) the reason (?:that "
        rf"|why )?you {_KEEP} {_IT}",
        rf"for (?:what|which) reason (?:do|did|have) you {_KEEP} {_IT}",
        rf"on what (?:basis|grounds) (?:do|did|have) you (?:{_KEEP}|say|believe) {_IT}",
        rf"what(?:'?s| is| was) {_MEMORY} based on|where (?:does"
        rf"|did) your memory of {_IT} come from",
        rf"why (?:is|was) {_MEMORY} (?:there|here)|why (?:is|was) {_IT} a memory",
        rf"(?:why|how|when) did {_IT} get (?:saved|stored|remembered|kept|noted|recorded)",
        r"why (?:does|do) (?:your|my) (?:memory|memories) say (?:that|this|so)",
        rf"why did you (?:make|take|create|keep) (?:a |any )?(?:memory|note|record) (?:of|about"
        rf"|out of)"
        rf" {_IT}|why (?:did|have|do) you (?:write|written|note|noted|put) {_IT} down",
        rf"why did you (?:decide|choose|want|bother|need|have) to {_KEEP} {_IT}",
        rf"why did you (?:think|find|consider)(?: that)? {_IT}(?: (?:was|is))? (?:worth"
        rf"|important enough"
        rf" for|relevant enough for) (?:remembering|saving|keeping|storing|memory)",
        rf"how did you (?:get|obtain|come by) {_MEMORY}|how (?:did|do) you come to {_KEEP} {_IT}",
        rf"when (?:was|did) {_MEMORY} (?:made|created|written|added|formed|begin|start)",
        r"who (?:gave|told) you (?:that|this)(?: information| info| fact)?",
        rf"(?:from |in )?(?:which|what|where) ?(?:chat|conversation|message|session|talk)?"
        rf" (?:do|did|have) you (?:know|learn|learned|get|got|hear|take) {_IT}(?: (?:from|in))?",
        rf"from where (?:do|did|have) you (?:know|get|got|learn|have) {_IT}",
        rf"{_EXPLAIN} (?:when|where|how) i (?:told you|said|mentioned)(?: (?:that|this|it))",
        rf"{_EXPLAIN} (?:why|how|where) you(?:'ve)?{_EVER} (?:know|knew|{_KEEP}|got|get|have|had"
        rf"|learned"
        rf"|learnt|heard|found out) {_IT}{_OF_ME}?(?: from)?",
        rf"{_EXPLAIN} (?:why|how|where) {_IT} (?:is|was|got|came|comes|ended up)(?: {_IN}| from"
        rf"| saved"
        rf"| stored| remembered)",
        rf"{_EXPLAIN} {_MEMORY}",
        r"why (?:did|do) you (?:bring|brought) (?:that|this|it) up",
        r"why (?:did|do) you (?:answer|reply|respond)(?: like)? (?:that|this)(?: way)?",
        r"why (?:this|that) (?:answer|reply|response|memory)",
        r"(?:so )?how (?:do|did|would|could|can) you (?:even |possibly )?know(?: (?:that|this"
        r"|it|about that"
        r"|that about me|this about me))?",
        r"where (?:does|did|do) (?:that|this|it|that answer|this answer)(?: information"
        r"| info)? come from",
        r"what (?:made you (?:say|think of|mention|answer)|ma(?:de|kes) you remember)"
        r" (?:that|this|it|so)",
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
        r"what (?:did|do|are) you (?:base|basing) (?:that|this|it|your answer|that answer) on",
        r"what(?:'?s| is| was) (?:that|this|it|your answer|that answer) based on",
        r"(?:show|tell)(?: me)? where you (?:got|learned|heard|know|took) (?:that|this"
        r"|it)(?: from)?",
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
        r"(?:why|how come) (?:is|are|was|were) (?P<about>(?:my|our) .+?) (?:still )?"
        rf"{_IN}",
        rf"(?:why|how come) (?:do|did|have) you{_EVER} {_KEEP} (?P<about>(?:my"
        rf"|our) .+?)(?:{_IN_MEMORY})?",
        r"how did (?P<about>(?:my|our) .+?) (?:get|come|end up) "
        rf"{_IN}",
        r"when did i (?:ever )?(?:tell you|mention|talk)(?: to you)? (?:about )?(?P<about>(?:my"
        r"|our) .+)",
        r"who told you(?: about)? (?P<about>(?:my|our|me\b) ?[^,]*)",
        rf"(?:why|how come) (?:do|did|have) you(?:{_EVER}) (?:have|keep|store|make|made"
        rf"|got) (?:an? )?"
        r"(?:memory|memories|note|notes) (?:about|of|on) (?P<about>(?:my|our) .+)",
        rf"{_EXPLAIN} (?:how|why|where) you(?:'ve)? (?:know|knew|{_KEEP}|got|learned|learnt|heard)"
        r"(?: about)? (?P<about>(?:my|our|(?:where|who|how old) (?:i|we|my)\b) ?.+)",
        r"how (?:do|did|come) you (?:know|remember|learn|find out)(?: about)? "
        r"(?P<about>(?:my|our|(?:where|who|how old) (?:i|we|my)\b) ?.+)",
        r"where (?:do|did|have) you (?:know|get|got|learn|learned|have) (?P<about>(?:my"
        r"|our) .+?) from",
        r"where (?:did|do) you (?:learn|hear|find out)(?: about)? (?P<about>(?:my|our) .+)",
        r"(?:why|how come) (?:do|did) you (?:know|remember) (?P<about>(?:where|who|when|how old"
        r"|what) "
        r"(?:i|we|my|our)\b.+)",
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
        r"why (?:does|do) (?:your|my) (?:memory|memories) say (?:that )?(?P<about>(?:i|i'm|my) .+)",
        r"(?:when|where) did i (?:ever )?(?:tell|say|mention)(?: to)?(?: you)? (?:that )?"
        r"(?P<about>(?:i(?! (?:would|will|could|should|can|wanted))|i'm|im|i've|my|our) .+)",
        about=is_statement,
    ),
)
