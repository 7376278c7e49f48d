"""How people tell not to keep something, and to keep what was refused."""

from __future__ import annotations

import re

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
from agent.plain_words.sentence import fold

_OF_ONESELF = re.compile(
    r"(?:i|i'\w+|im|ive|my|we|we'\w+|our)\b|(?!(?:what|why|how|who|where|when|which|do|does|did|is"
    r"|are|was|can|could|would|should|will|have|has|tell|give|in|on|it|you)\b)[\w' -]*?\b(?:is"
    r"|are|was"
    r"|were|has|had|will|wants?|lives?|works?)\b",
    re.IGNORECASE,
)

_IT = (
    rf"(?:{THAT_OR_IT}|(?:any|none) of (?:this|that|it|{WHAT_I_SAID})|all (?:this|that)"
    r"|(?:that|this) one)"
)
_WHERE = (
    rf"(?:(?: as a memory| on record| in mind|(?: down)?)?{IN_MEMORY}{FOR_LATER}(?: any ?more)?)"
)
_KEEPING = r"(?:remember|keep|save|store|record|note|memori[sz]e|retain|add|put|commit|write down)"

_ANYWAY = (
    r"(?:anyway|anyways|anyhow|any way|regardless|nonetheless|nevertheless|all the same|even so"
    r"|no matter what|in any case|despite (?:that|it|everything)|in spite of (?:that|it)"
    r"|even (?:though|if) (?:i|you) (?:have |had |just |once )?(?:asked|told|said|deleted|forgot"
    r"|erased|removed|refused|warned)\b.{0,40})"
)
KEEPING_ANYWAY = (
    rule(
        "remember_anyway",
        rf"{_KEEPING} (?:{THAT_OR_IT})(?: down)?(?: (?:in|to|into) (?:your |my )?memory)?,? "
        rf"{_ANYWAY}",
        rf"{_ANYWAY},? {_KEEPING} (?:{THAT_OR_IT})",
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
        rf"i (?:said|insist|mean it|repeat),? {_KEEPING} (?:{THAT_OR_IT})|force (?:remember|save"
        rf"|keep)(?: {THAT_OR_IT})?",
    ),
    # With the words themselves: “remember anyway that I live in Oslo”.
    rule(
        "remember_anyway",
        rf"{_KEEPING}(?: {THAT_OR_IT})? {_ANYWAY}\s*(?:[:–—-]+\s*|that )(?P<text>.+)",
        rf"{_ANYWAY},? {_KEEPING} that (?P<text>.+)",
        rf"{_KEEPING}(?: that| the fact that|:) (?P<text>.+?),? {_ANYWAY}",
        about=is_clean,
    ),
)

KEEPING_NOT = (
    rule(
        "do_not_remember",
        rf"{DO_NOT} {KEEP} {_IT}{_WHERE}",
        r"(?:this is|that is|that'?s|this'?s|that was|this was|it'?s|it is|this stays|that stays"
        r"|this (?:all )?(?:should|must|has to|needs to) (?:be|stay)|everything i say now is"
        r"|this one'?s|this one is|keep (?:this|that|it)|what i(?:'m| am) (?:saying(?: now)?"
        r"|telling you(?: now)?"
        r"|about to (?:say|tell you)) is|everything i just said is)? "
        r"?(?:strictly |totally |completely )?"
        r"off the record",
        rf"(?:keep|leave|exclude|omit|hold) {_IT} (?:out of|away from|off|from|out)"
        r" (?:of )?(?:your |my |the )?(?:memory|memories|records?|notes)",
        rf"{_IT} (?:shouldn'?t|should not|mustn'?t|must not|doesn'?t|does not|can'?t|may not"
        rf"|won'?t)"
        r" (?:go|belong|get|end up|enter|land|stay|remain|need to (?:go|be))(?: in| into| to)?"
        r" (?:your |my |the )?(?:memory|memories|records?|notes)",
        rf"i (?:don'?t|do not|wouldn'?t) (?:want|like) you (?:remembering|saving|storing|keeping"
        rf"|recording|noting) {_IT}|{DO_NOT} go (?:remembering|saving|storing|keeping) {_IT}",
        rf"{DO_NOT} (?:include|take|put|write|enter|move) {_IT} (?:in|into|to) (?:your |my |the )?"
        r"(?:memory|memories|records?)",
        rf"(?:ignore|skip) {_IT} (?:for|in) (?:your |the |my )?memory",
        rf"{_IT} (?:must|should|has to|needs to|ought to|can|is to) (?:stay|be kept|be left|remain)"
        r" (?:out of|off|away from) (?:your |my |the )?(?:memory|memories|records?)",
        r"(?:stay|be kept) out of (?:your |my |the )?memory",
        r"(?:(?:the next (?:bit|part|thing|message)|what (?:i(?:'m going to)? say|comes) next"
        r"|everything (?:i say )?from here|my (?:last|next) message) (?:is|was) )(?:strictly )?"
        r"off the record",
        rf"i(?:'?d| would) (?:rather|prefer)(?: to)? not (?:have|see) {_IT} (?:saved|remembered"
        r"|kept|stored|recorded)",
        rf"(?:{_IT} (?:is|was|'s) )?not (?:to be (?:remembered|saved|stored|kept|recorded)"
        r"|for (?:your |the |my )?(?:memory|memories|record))",
        rf"(?:nothing|none|not a word) (?:of )?(?:(?:that )?i(?:'ve)? (?:just |ever )?(?:say|said"
        rf"|told you|tell you)(?: now)?|{THAT_OR_IT}) (?:should|must|may|is to|needs to"
        rf"|ought to) be "
        r"(?:saved|remembered|kept|stored|recorded)",
        rf"i(?:'?d| would)? (?:don'?t|do not|never|not|rather not|prefer not to)(?: want| like)?"
        rf"(?: to (?:have|see))? {_IT} (?:to be |to go |to end up |to get )?(?:in|into) (?:your "
        r"|my |the )?(?:memory|memories|records?)",
        rf"i(?:'?d| would) (?:rather|prefer) {_IT} (?:not be|to not be|not to be|weren'?t|wasn'?t)"
        r" (?:saved|remembered|kept|stored|recorded)",
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
        rf"(?:skip|avoid|refrain from|no|never ?mind|forget about) (?:remembering|saving|storing"
        rf"|keeping|recording) {_IT}",
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
        "do_not_remember",
        rf"{DO_NOT} (?:remember|save|store|keep|record|memori[sz]e) (?:this|that)"
        r"(?: (?:bit|part|one))?(?:\s*[:,–—-]\s*(?:but )?| but )(?P<about>.+)",
        rf"{DO_NOT} {KEEP} (?:what|anything|everything|whatever|the things?"
        rf"|stuff) (?:that )?i(?:'ve)?"
        rf"(?: just)? (?:said|say|told you|tell you|mentioned) {ABOUT} (?P<about>.+)",
        rf"{DO_NOT} {KEEP} (?:anything|things|stuff|any memories|memories|facts|any (?:details"
        rf"|facts|info"
        rf"|information)) {ABOUT} (?P<about>.+)",
        about=lambda *_: True,
    ),
    rule(
        "do_not_remember",
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
    # “Make sure this isn't saved”; said alone it states what is.
    rule(
        "do_not_remember",
        rf"(?:{_IT} )?(?:isn'?t|is not|doesn'?t get|does not get|never gets|won'?t be) (?:saved"
        r"|remembered|kept|stored|recorded)(?: anywhere)?",
        r"(?:doesn'?t|does not|never) (?:gets?|ends? up|lands?|goes|go|enters?)(?: in| into)? "
        r"(?:your |my |the )?(?:memory|memories|records?)",
        told=True,
    ),
    # “Off the record: I'm leaving.” Without a statement it would ask for an opinion.
    rule(
        "do_not_remember",
        r"(?:(?:this|that|it)(?:'?s| is| stays) |just |strictly |between (?:us|you and me),? "
        r"(?:and )?)*off the record\s*[:,;–—-]+\s*(?:but )?(?P<about>.+)",
        r"(?:this|it) is (?:just )?between (?:us|you and me)(?: and)? off the record\s*[:,;–—-]+\s*"
        r"(?P<about>.+)",
        about=lambda words, _: _OF_ONESELF.match(fold(words)) is not None,
    ),
    rule(
        "do_not_remember",
        rf"{DO_NOT} {KEEP} (?:the|that) (?:part|bit|thing|stuff|story|fact|detail) {ABOUT} "
        r"(?P<about>(?:my|our|me|us)\b.*)",
        rf"{DO_NOT} {KEEP} (?:the|that) (?:part|bit|thing|story) {ABOUT} (?P<about>.+)",
        about=is_clean,
    ),
    rule("do_not_remember", rf"{DO_NOT} remember that (?P<about>.+)", about=is_statement),
    rule("do_not_remember", rf"{DO_NOT} remember (?P<about>[\"“«].+)", about=is_named),
)
