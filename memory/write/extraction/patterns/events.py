"""What happened and what is ahead, where it is momentous or has a date."""

from __future__ import annotations

from memory.write.extraction.patterns.happenings import GOING, MOMENTOUS, OCCASION, WHO
from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, CAPITAL, I_AM, I_HAVE, PERSON, I

_TRIP = (
    r"(?:flew|travell?ed|went|drove|sailed|cycled|hiked|walked"
    rf"|took the train) (?:\w+ )?(?:to|around|across|through|in|from) (?:the )?{CAPITAL}"
    rf"|visited (?:{CAPITAL}|my {PERSON})|(?:saw|heard) {CAPITAL}.*\b(?:live|concert)\b|was (?:in"
    rf"|at) {CAPITAL}|stayed in {CAPITAL}|spent .*\b(?:in|at) {CAPITAL}|attended \w"
)
_TODAY = r"\b(?:today|tonight|this (?:morning|afternoon|evening|minute)|in an hour)\b"

EVENTS = (
    Rule(
        "what happened",
        "event",
        0.8,
        rf"{I}(?:'ve| have)? {ADVERBS}(?:have |has )?{ADVERBS}{MOMENTOUS}",
        unless=r"^I was born\b|\bmet (?:my )?deadline\b|\bbecame (?:clear|obvious|confused)\b"
        r"|\bsigned (?:in|out)\b|\bgot into (?:trouble|bed)\b|\b(?:finished|completed) (?:this"
        r"|that|it|the (?:task|homework|assignment))\b|\bmoved (?:on\b|the\b|it\b|this\b"
        r"|a (?:file|bit))|\bpassed the (?:salt|argument|wrong|value|parameter|data)\b"
        r"|\bfailed (?:the|my) (?:build|tests?)\s*$|\bwon the (?:bet|game|argument)\b"
        r"|\bstarted (?:the|an? (?:server|process|script|app|new (?:chat|conversation|file|tab)"
        r"|download)|learning about this)\b|\bjoined (?:the )?(?:call|meeting|tables?|channel"
        r"|two)\b|\b(?:opened|launched) (?:a|my|our|the) (?:file|ticket|issue|pr|tab|app|browser"
        r"|terminal|door|window|bottle)\b|\bbroke my (?:build|code|heart|streak)\b"
        r"|\bcompleted (?:this|that|it|the)\b|\breturned (?:to|from) (?:the|this)\b",
        today_too=True,
    ),
    Rule(
        "moved, subject left out",
        "event",
        0.8,
        r"(?:just |recently |finally )*(?:moved (?:to|from|into|in with)|got (?:married|engaged"
        r"|divorced|promoted|a new (?:job|puppy|dog|cat|car))|adopted an?|graduated|started (?:at"
        r"|a new|my new|working)|bought (?:a|our|my) (?:\w+ )?(?:house|car|flat|boat|bike)"
        r"|quit my|retired|became|turned \d+)\b",
        unless=r"\bmoved (?:to|from) (?:the )?(?:next|trash|folder|bin)\b",
        today_too=True,
    ),
    Rule(
        "a journey",
        "event",
        0.6,
        rf"{I} {ADVERBS}(?:{_TRIP})",
        today_too=True,
        dated=True,
    ),
    Rule(
        "an examination or an operation",
        "event",
        0.6,
        rf"{I} {ADVERBS}had (?:my |an? )?(?:\w+ ){{0,2}}(?:removed|exam|interview|scan|mri"
        r"|appointment)\b|my \w+ (?:was|were|has been|have been) (?:operated|removed|replaced"
        r"|taken out)\b",
        today_too=True,
    ),
    Rule(
        "a loss",
        "event",
        0.6,
        r"(?:my|our) \w+ (?:\w+ )?(?:got|was|were|has been) (?:stolen|burgled|robbed|totaled"
        r"|totalled|flooded|broken into|destroyed|sold)\b",
        today_too=True,
    ),
    Rule(
        "years somewhere",
        "event",
        0.6,
        rf"{I} {ADVERBS}(?:spent|was|were|served|did) (?:\w+ ){{0,4}}?(?:in|at|as)\b.*"
        r"\b(?:years?|months|in (?:19|20)\d\d|military service|national service)\b"
        r"|I spent (?:\w+ ){1,2}(?:years?|months) \w",
        unless=r"\bthis (?:year|month)\b",
    ),
    Rule(
        "what is ahead",
        "event",
        0.6,
        rf"(?:{I_AM}|{I}(?:'ll| will) be ){ADVERBS}{GOING}\b|{I}(?:'ll| will) (?:fly|travel|move"
        rf"|marry|start|leave|visit|turn|graduate|retire)\b"
        r"|I (?:fly|travel|move|start|leave|graduate|retire|turn)\b",
        unless=rf"{_TODAY}|\bgoing to (?:bed|sleep|the (?:store|shop|gym|supermarket|toilet)|eat"
        r"|try|make|cook|ask|call|check)\b|\bleaving work\b|\bgoing (?:home|out|crazy|mad"
        r"|shopping)\b|\b(?:seeing|taking|running|starting) (?:this|that|it|the|a (?:nap|break"
        r"|shower|look))\b",
        dated=True,
    ),
    Rule(
        "an expected child, a divorce",
        "event",
        0.8,
        rf"{I_AM}{ADVERBS}(?:expecting (?:a|an|our|my|twins|triplets)|having (?:a baby"
        r"|twins)|(?:\w+ )?(?:weeks|months) pregnant|pregnant|due in|getting (?:married|divorced"
        r"|separated))\b",
    ),
    Rule(
        "an occasion on a date",
        "event",
        0.6,
        rf"(?:{I_HAVE}(?:got )?|{WHO} (?:has|have) |(?:my|our"
        rf"|the) )(?:[\w'-]+ ){{0,5}}?{OCCASION}\b",
        unless=rf"{_TODAY}|\bmeeting (?:now|soon)\b|\b(?:was|were) (?:great|fun|boring|nice"
        r"|awful|good|bad|ok)\b|\b(?:world war|super bowl|olympics|world cup|battle"
        r"|independence)\b|^the (?:final|match|game|term|date|course|contract|launch of)\b"
        r"|\bmoon\b|\bif\b",
        dated=True,
    ),
    Rule(
        "an occasion of one's circle on a date",
        "event",
        0.6,
        rf"(?=.*\b(?:{OCCASION}|evening|picnic|barbecue|bbq|fair|open day|school play|play"
        rf"|recital|agm"
        r"|assembly|inspection|rehearsal|tournament|sale|derby|renovation|delivery|excursion|outing"
        r"|offsite|off-site|summer camp|camp|sports day|fundraiser|repairs?|boiler|lease)\b)"
        rf"(?:(?:on|in|from|next|this) [^,]{{3,25}}? )?(?:the|our) (?-i:[a-z'’ -]{{2,50}}?)"
        rf" (?:has|have"
        rf"|holds?|hosts?|is|are|takes? place|starts?|begins?|opens?|closes?|will be|ends?"
        rf"|expires?)\b",
        unless=rf"{_TODAY}|^(?:on|in|from|next|this)? ?[^,]*\bthe (?:world|stock|sun|moon|game|film"
        r"|movie|election|olympics|government|president|party (?:was|were)|war|new (?:film|phone"
        r"|game)|weather|shop|store)\b|\b(?:i|we|you) \w+ed\b|\b(?:said|says|told|they)\b",
        dated=True,
    ),
    Rule(
        "due on a date",
        "event",
        0.6,
        r"(?:my|our) (?:[\w'-]+ ){1,4}?(?:is|are|expires?|ends?|starts?|begins?|runs?|opens?"
        r"|arrives?|takes place|leaves)\b",
        unless=rf"{_TODAY}|\bin an? \w+ mood\b|\b(?:is|are) (?:an?|the|not|so|very|really"
        r"|called)\b|^(?:my|our) (?:\w+ )?(?:goals?|dreams?|plans?|budget|birthday|\w+'s)\b",
        dated=True,
    ),
)
