"""What somebody likes, dislikes, prefers and avoids, of the world and of the assistant."""

from __future__ import annotations

from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, DIET, I_AM, LASTING, NOT_THIS, I

_LIKE = r"(?:like|enjoy|appreciate|fancy|care (?:about|for)|mind|dig)"
_STRONG = (
    r"(?:love|adore|hate|detest|loathe|despise|prefer|favou?r|avoid|dislike|can't stand"
    r"|cannot stand|crave|worship|can't (?:bear|live without|resist|tolerate|abide"
    r"|function without|do without|get enough of)|could never live without|swear by"
    r"|have a (?:soft spot|sweet tooth|weakness|passion|thing|preference)|have always (?:loved"
    r"|hated|liked|preferred|wanted))"
)
_STYLE = (
    r"(?:short|brief|concise|long|detailed|simple|direct|honest|plain|step-by-step|formal|lengthy"
    r"|terse|blunt|casual)"
)
_JUNK_OBJECT = (
    r"\b(?:you|u|ya|your|this|that (?:idea|one|answer|joke|plan|approach|suggestion|song|name"
    r"|movie)|where (?:this|it)|how (?:you|this|it|that))\b|\b(?:love|like|hate|enjoy|prefer"
    r"|dislike|mind) (?:it|that|these|those|them|him|her)\b(?! when)|\b(?:like|love) to (?:know"
    r"|see|ask|hear|think)\b|\bhate to (?:say|ask|break|bother|admit|interrupt)\b|\bloved? (?:it"
    r"|the (?:idea|movie|film|answer|joke))\b|\b(?:option|version|answer|draft"
    r"|approach) (?:[a-d]\b|\d|one|two)|\bthe (?:first|second|third|last|latter|former"
    r"|other) (?:one|option|version|draft|approach|choice|idea|answer)\b|\bmind (?:if|waiting"
    r"|that|at|the wait)\b|\bcare (?:if|about (?:this|that|it)|what|whether|who)\b"
    r"|\blike (?:I said|what|an? (?:idiot|fool))\b|\bappreciate (?:your|the|any|all|it|you"
    r"|that)\b|\bavoid (?:this|that|these|the (?:error|issue|problem|bug))\b|\bhate (?:this"
    r"|when this|bugs)\b|\bpasta of code\b|\bthis\b|\bthe way (?:you|this|that)\b"
)

RULES = (
    Rule(
        "favourite",
        "preference",
        0.8,
        r"(?:my|our) (?:\w+ )?(?:all[- ]time |absolute |least[- ]\s*)?favou?rites?\b.{2,}"
        r"|[\w\"'][^,]{1,60} (?:is|are) (?:(?:still|definitely|by far|one of) )?(?:my"
        r"|our) (?:all[- ]time |absolute |least )?favou?rites?\b",
        unless=r"^(?:this|that|it|these|those|which|what)\b|\bfavou?rite (?:part|one|of (?:these"
        r"|those))\b|^my favou?rites?\W*$|\bquestion\b",
    ),
    Rule(
        "strong preference",
        "preference",
        0.8,
        rf"{I} {ADVERBS}(?:do |don't |do not |would (?:much )?)?{ADVERBS}{_STRONG} {NOT_THIS}\S",
        unless=_JUNK_OBJECT,
    ),
    Rule(
        "strong preference, subject left out",
        "preference",
        0.8,
        r"(?:(?:really|absolutely|always) )?(?:love|adore|hate|prefer|can't stand"
        rf"|dislike) (?!(?:the|from|to you|all|is)\b){NOT_THIS}\w",
        unless=_JUNK_OBJECT,
    ),
    Rule(
        "preference",
        "preference",
        0.6,
        rf"{I} {ADVERBS}(?:do |don't |do not |didn't use to |never )?{ADVERBS}{_LIKE} {NOT_THIS}\S",
        unless=_JUNK_OBJECT,
    ),
    Rule(
        "would rather",
        "preference",
        0.8,
        rf"{I}(?:'d| would) (?:much |always |still )?(?:rather|sooner|prefer) {NOT_THIS}(?!not\b"
        rf"|if\b|die\b|stop\b|discuss\b|wait\b|talk\b"
        r"|you\b)\w+ \w",
        unless=rf"{_JUNK_OBJECT}|\bright now\b",
    ),
    Rule(
        "fan of, into, allergic to bores",
        "preference",
        0.6,
        rf"{I_AM}{ADVERBS}(?:an? (?:\w+ )?(?:fan|lover|sucker|enthusiast|nerd|geek"
        r"|fanatic|believer|connoisseur|addict|junkie|buff|aficionado|snob)\b|(?:into|fond of"
        r"|keen on|crazy about|obsessed with|passionate about|mad about|hooked on|partial to"
        r"|picky about|a stickler"
        rf"|more of an?|not much of an?|big on) {NOT_THIS}\S|an? (?:\w+ )?(?:morning"
        r"|evening|night|dog|cat|people|coffee|tea|beach|mountain|city|wine|beer|details?) person)",
        unless=r"\b(?:into|of|on|about|with) (?:this|that|it|the (?:idea|way|fact))\b",
    ),
    Rule(
        "not my thing",
        "preference",
        0.6,
        r"[\w'][^,]{2,60}? (?:is|are|isn't|aren't|has never been|'s) (?:just |really |not |so "
        r"|definitely |totally )*(?:my (?:thing|cup of tea|jam|guilty pleasure|comfort food"
        r"|happy place|passion|go-to\b.*|biggest pet peeve|pet peeve|way to \w+|escape|therapy"
        r"|outlet|superpower|kryptonite|weakness|hobby))\b",
        unless=r"^(?:this|that|it|these|those)\b",
    ),
    Rule(
        "my hobby, taste, pet peeve",
        "preference",
        0.8,
        r"my (?:\w+ )?(?:hobb(?:y|ies)|passions?|pet peeves?|guilty pleasure|comfort food"
        r"|go-to [\w ]{2,30}|preference|preferred [\w ]{2,30}|dream (?:job|car|house|holiday"
        r"|destination|vacation)|diet|taste in \w+|idea of a \w+|dietary \w+|usual (?:order"
        r"|breakfast|lunch|coffee)|biggest (?:fear|passion|hobby|regret|dream)|greatest (?:fear"
        r"|passion)|interests?|weakness|editor of choice|default [\w ]{2,20})(?:'s| (?:is|are"
        r"|include|includes|would be)) \w",
        unless=rf"{_JUNK_OBJECT}|\bpreference is (?:the|option)\b",
    ),
    Rule(
        "how the assistant is to answer",
        "preference",
        0.8,
        r"(?:(?:please|can you|could you|I(?:'d)? (?:prefer|want|like"
        r"|need) (?:it (?:if )?)?(?:you to|your|you|if you)|I would (?:like|prefer) (?:you to"
        r"|your|it if you)|in (?:the )?future,?|going forward,?|from now on,?"
        r"|by default,?) ){0,2}(?:just )?(?:always |never |don't (?:ever )?|do not |stop "
        r"|avoid )*(?:keep|kept|answer\w*|repl(?:y|ies)|respon\w+|use|using|write|writing"
        r"|speak\w*|talk\w*|add\w*|include|including|give|giving|call\w*|address\w*|format\w*"
        r"|start\w*|end\w*|explain\w*|be|say\w*|show\w*|cite|sugarcoat"
        r"|ask\w*)\b.*\b(?:your (?:\w+ )?(?:answers?|replies|responses?|messages?|explanations?"
        r"|code(?: examples)?|examples?|tone)|(?:always|from now on|in (?:the )?future"
        r"|going forward|by default|every time|each time|unless I ask)|emojis?|bullet points"
        r"|exclamation marks|when(?:ever)? (?:you )?(?:talk|answer|reply|I ask|we talk"
        r"|explain)\w*|with me)\b",
        unless=r"\b(?:that|this|it|the) (?:answer|reply|response)\b|\bexplain (?:your|the"
        r"|why) (?:answer|response)\b|\bas always\b|\bwith me\b.*\?|\byour (?:last|previous)\b"
        r"|\bshow (?:me )?your\b|\bexplain your\b",
    ),
    Rule(
        "answers of such a kind",
        "preference",
        0.8,
        r"(?:(?:please |I (?:want|like|prefer|need|hate|dislike|love)|I'd (?:like|prefer)|give me"
        r"|don't give me|no|only|just) ){1,3}"
        rf"(?:\w+,? ){{0,3}}?{_STYLE} (?:and \w+ )?(?:answers|replies|responses"
        r"|explanations|summaries|messages|instructions"
        rf"|examples|feedback)\b|{I}(?: want| need| would like|'d like"
        r"|'d prefer| expect) you to (?:always|never)\b|(?:please )?stop (?:using"
        rf"|saying|calling|adding|apologi[sz]ing|starting|ending)\b",
        unless=r"\b(?:this|that|it|these|those)\b",
    ),
    Rule(
        "what I like most",
        "preference",
        0.8,
        r"what (?:I|we) (?:\w+ )?(?:love|like|hate|enjoy|want|prefer|dislike|need)(?: \w+)? (?:is"
        r"|are) \w+ ?\w*",
        unless=r"\bfor you\b|\b(?:is|are) (?:this|that|it|an? (?:list|table|summary|recipe"
        r"|function|way))\b",
    ),
    Rule(
        "how to speak with me",
        "preference",
        0.8,
        r"(?:please )?(?:address|treat) me \w+|(?:please |from now on,? )*(?:answer|reply to) me"
        r" in \w+|(?:please )?(?:speak|talk|write) to me (?:in|like|as) \w",
    ),
    Rule(
        "takes it so",
        "preference",
        0.6,
        r"(?:I|we) (?:\w+ )?(?:need|want|take|like|drink|eat|prefer) my (?:\w+ )?(?:coffee|tea"
        r"|steak|eggs?|toast|pizza|curry|food|whisky|beer|showers?|music|baths?|bed|rice|pasta) \w",
    ),
    Rule(
        "finds it so",
        "preference",
        0.6,
        r"(?:I|we) (?:always |really )?find [^,]{2,60} (?:very |so |really |too |extremely "
        r"|quite )?(?:exhausting|boring|relaxing|annoying|stressful|fascinating|calming"
        r"|overwhelming|comforting|soothing|therapeutic|depressing|unbearable|tedious|draining"
        r"|tiring|disgusting|irritating|distracting|inspiring)\b|[\w' ]{3,50}? (?:gives?"
        r"|makes?) me (?:sick|anxious|nauseous|migraines?|headaches|a rash|hives|heartburn|sleepy"
        r"|nervous|happy)\b|Sundays? (?:is|are) for \w",
        unless=r"\b(?:this|that|it|your|these|the (?:first|second|answer|code))\b|\btoday\b",
    ),
    Rule(
        "keep answers short",
        "preference",
        0.8,
        r"(?:please )?(?:always )?keep (?:your |the |all )?(?:answers|replies|responses|messages"
        r"|explanations) \w+",
    ),
    Rule(
        "diet",
        "preference",
        0.8,
        rf"(?:{I_AM}{ADVERBS}{DIET}|vegan|vegetarian)\b",
        unless=rf"\b(?:recipes?|options?|restaurants?)\b|(?!{LASTING})\bvegan$^",
    ),
)
