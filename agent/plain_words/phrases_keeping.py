"""How people tell not to keep something, and to keep what was refused."""

from __future__ import annotations

from agent.plain_words.fragments import (
    ABOUT,
    DO_NOT,
    FOR_LATER,
    IN_MEMORY,
    KEEP,
    MY_DETAIL,
    THAT_OR_IT,
    WHAT_I_SAID,
)
from agent.plain_words.objects import is_clean, is_mine, is_named, is_statement
from agent.plain_words.rules import rule

_IT = rf"(?:{THAT_OR_IT}|(?:any|none) of (?:this|that|it)|all (?:this|that)|(?:that|this) one)"
_WHERE = (
    rf"(?:(?: as a memory| on record| in mind|(?: down)?)?{IN_MEMORY}{FOR_LATER}(?: any ?more)?)"
)
_KEEPING = r"(?:remember|keep|save|store|record|note|memori[sz]e|retain|add)"

KEEPING_ANYWAY = (
    rule(
        "remember_anyway",
        rf"{_KEEPING} (?:{THAT_OR_IT})(?: in memory| to memory)?,? "
        r"(?:anyway|anyways|anyhow|any way|regardless|nonetheless|nevertheless|all the same|even so"
        r"|no matter what|in any case|despite (?:that|it))",
        r"(?:remember|keep|save|store) (?:anyway|anyways|anyhow|regardless)",
        rf"i (?:know|don'?t (?:care|mind))[^,.;!?]{{0,60}},? (?:but )?(?:just |please )?{_KEEPING} "
        rf"{THAT_OR_IT} (?:anyway|anyways|anyhow|regardless|all the same)",
        rf"i (?:still )?want {THAT_OR_IT} (?:remembered|kept|saved|stored)(?: anyway| regardless)?",
        rf"(?:anyway|anyways|anyhow|regardless|nevertheless|nonetheless|even so"
        rf"|still),? {_KEEPING} (?:{THAT_OR_IT})",
        rf"still (?:remember|keep|save) (?:{THAT_OR_IT})",
        rf"i still (?:want|need) (?:you to (?:remember|keep|save|store) (?:{THAT_OR_IT})"
        rf"|(?:{THAT_OR_IT}) "
        r"(?:remembered|kept|saved|stored))",
        rf"i(?:'?d| would) still like (?:you to {_KEEPING} (?:{THAT_OR_IT})|(?:{THAT_OR_IT}) "
        r"(?:remembered|kept|saved))",
        rf"(?:override|ignore) (?:that|the tombstone|the warning|it"
        rf"|the refusal)(?:,)? and {_KEEPING} "
        rf"(?:{THAT_OR_IT})",
        rf"i (?:don'?t care|know),? (?:just |please )?{_KEEPING} (?:{THAT_OR_IT})(?: anyway)?",
        rf"i (?:insist|mean it),? {_KEEPING} (?:{THAT_OR_IT})|force (?:remember|save"
        rf"|keep)(?: {THAT_OR_IT})?",
    ),
)

KEEPING_NOT = (
    rule(
        "dont_remember",
        rf"{DO_NOT} {KEEP} {_IT}{_WHERE}",
        r"(?:this is|that is|that'?s|this'?s|that was|this was|it'?s|it is|this stays|that stays"
        r"|this one'?s|this one is|keep (?:this|that|it)|what i(?:'m| am) (?:saying|telling you"
        r"|about to (?:say|tell you)) is|everything i just said is)? "
        r"?(?:strictly |totally |completely )?"
        r"off the record",
        r"(?:keep|leave) (?:this|that|it) (?:out of|away from|off) (?:your |my |the )?"
        r"(?:memory|memories|record|records)",
        rf"{THAT_OR_IT} (?:shouldn'?t|should not|mustn'?t|must not|need not|needn'?t"
        r"|doesn'?t need to|does not need to|doesn'?t have to|is not to|isn'?t to|can'?t) be "
        r"(?:remembered|saved|stored|kept|recorded|memori[sz]ed)(?: anywhere)?(?: "
        r"in (?:your )?memory)?",
        r"(?:this|that|it)(?: is|'?s)(?: not|n'?t) (?:something (?:you should |to )?(?:remember"
        r"|keep)"
        r"|(?:worth|to be) (?:remembering|remembered|keeping|saving|saved|stored)|for (?:your "
        r"|the )?memory)",
        rf"no need to {KEEP} {_IT}{_WHERE}",
        rf"{DO_NOT} {KEEP} (?:what i'?m (?:about|going) to (?:say|tell you|write)"
        rf"|the next (?:thing|message|part|bit)"
        r"(?: i(?:'m going to)? (?:say|tell you|write))?|what (?:comes|follows)(?: next)?)",
        rf"i (?:don'?t|do not|never) want {_IT} (?:to be )?(?:remembered|saved|stored|kept"
        rf"|recorded)"
        rf"(?: anywhere| in (?:your |my )?memory)?",
        rf"(?:skip|avoid|refrain from|no) (?:remembering|saving|storing|keeping|recording) {_IT}",
        rf"don'?t bother (?:remembering|saving|storing|keeping) {_IT}",
        r"(?:don'?t|do not) (?:let|allow) (?:this|that|it) (?:get |go |to go |to get )?(?:in"
        r"|into|to enter|enter) (?:your |my )?memory",
        rf"{DO_NOT} learn (?:anything )?from (?:this|that|{WHAT_I_SAID})",
        rf"{DO_NOT} (?:make|keep|take|have) (?:a |any )?(?:notes?|memory|memories|records?) "
        rf"(?:of|on|about|out of) {_IT}",
        rf"{DO_NOT} file {_IT} away",
        rf"{DO_NOT} {KEEP} anything (?:i(?:'ve)? just (?:said|told you|wrote)|from (?:that"
        rf"|this) message)",
    ),
    rule(
        "dont_remember",
        rf"{DO_NOT} (?:remember|save|store|keep|record|memori[sz]e) (?:this|that)"
        r"(?:\s*[:,–—-]\s*(?:but )?| but )(?P<about>.+)",
        rf"{DO_NOT} {KEEP} (?:what|anything|everything|whatever|the things?"
        rf"|stuff) (?:that )?i(?:'ve)?"
        rf"(?: just)? (?:said|say|told you|tell you|mentioned) {ABOUT} (?P<about>.+)",
        rf"{DO_NOT} {KEEP} (?:anything|things|stuff|any memories|memories|facts|any (?:details"
        rf"|facts|info"
        rf"|information)) {ABOUT} (?P<about>.+)",
        about=lambda *_: True,
    ),
    rule(
        "dont_remember",
        rf"{DO_NOT} (?:remember|save|store|keep|record|memori[sz]e|note|log)(?: the fact)? "
        r"(?:that )?(?P<about>(?:i|i'm|im|i've|we|we're|my|our) .+?)(?: any ?more| any longer)?",
        rf"{DO_NOT} (?:remember|save|store|record|memori[sz]e) (?P<about>{MY_DETAIL}){IN_MEMORY}",
        rf"{DO_NOT} (?:put|add|keep|save|store|commit) (?P<about>.+) (?:in|to|into) (?:your "
        rf"|my |the )?memory",
        about=lambda words, sentence: (
            is_clean(words, sentence)
            and (is_mine(words, sentence) or is_statement(words, sentence))
        ),
    ),
    rule("dont_remember", rf"{DO_NOT} remember that (?P<about>.+)", about=is_statement),
    rule("dont_remember", rf"{DO_NOT} remember (?P<about>[\"“«].+)", about=is_named),
)
