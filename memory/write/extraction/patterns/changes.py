"""What is over, and what is otherwise now."""

from __future__ import annotations

from memory.write.extraction.patterns.happenings import WHO
from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, CAPITAL, I_AM, NOT_THIS, THING, I

_OVER = (
    r"(?:quit|cancell?ed|dropped out of|gave up(?: on)?|given up(?: on)?|stepped down (?:as|from)"
    r"|(?:got|gotten) rid of|gave away|given away|went off|gone off|moved out of|resigned (?:as"
    r"|from)|called off|traded in|swapped|ditched|scrapped|unsubscribed from|phased out|shut down"
    r"|switched (?:from|banks|doctors|dentists|jobs|teams|schools|providers)|changed (?:banks"
    r"|doctors|dentists|jobs|teams|schools|providers)|went (?:part|full)[- ]time|postponed"
    r"|moved in with|stopped \w+ing|finished|outgrew|came off|let go of|dropped|replaced|sold|left"
    r"|traded|left behind|lost|had to (?:sell|cancel|give up|let go of|quit|drop|leave)|shelved"
    r"|binned|wound down|found|gave"
    r"|ended|paused)"
)
_ALWAYS_OVER = (
    r"(?:(?:dropped out of|stepped down (?:as|from)|gone off|went off|gave up|given up|gone back"
    r" to|went"
    r" back to"
    r"|resigned as|moved out of|retired from) (?!this|that|it\b|on\b|the (?:idea|rest|beginning))\w"
    r"|(?:stopped|quit) (?!working|responding|raining|loading|being|thinking|trying|asking"
    r"|at\b)\w+ing (?!this|that|it\b|the (?:server|app|script|program|process|file|car|video)\b)\w"
    r"|(?:switched|changed) (?:banks?|doctors?|dentists?|jobs?|teams?|schools?|providers?"
    r"|phones?|gyms?|companies|departments|careers?|majors?)\b|went (?:part|full)[- ]time"
    r"|(?:stopped) (?:my|the) (?:\w+ )?(?:diet|medication|therapy|treatment|pills|lessons|course))"
)
_LASTING_THING = (
    rf"(?:{THING}|[\w-]+ (?:club|choir|gym|band|team|group|board|school|course|diet|trip"
    rf"|subscription"
    r"|membership|contract|project|company|degree|train|program(?:me)?)|company|firm|bakery|restaurant"
    r"|pizzeria|hospital|museum|school|university|army|church|club|choir|gym|band|team|group|board"
    r"|course|programme|diet|trip|holiday|vacation|wedding|subscription|membership|lease|contract"
    r"|project|degree|thesis|novel|marathon|renovation|bathroom|kitchen|training|therapy|treatment"
    r"|chemo|medication|pills?|piano|guitar|dog|cat|habit|job|position|role|season ticket|agency"
    r"|stand-?ups?|name \w+|(?:\w+ )?(?:logo|slogan|design|feature|theme)|newsletter|channel"
    r"|orchestra|committee|council|union|sofa|couch|piano lessons"
    r"|lessons|plan to \w+|idea of"
    r" \w+ing)"
)
_MINE = (
    rf"(?:my|our|all (?:my|our)|the (?:[\w-]+ ){{0,2}}?{_LASTING_THING}\b|the (?-i:[A-Z])\w+"
    rf"|{CAPITAL}\w+|\w+(?:ing|s)?\W*$|\w+ing\b|\w+ (?:for|because|after|in)\b)"
)
_SMALL = (
    r"\b(?:this|that|it|these|those)\W*$|\b(?:left|lost|dropped|replaced|sold|finished|stopped"
    r"|cancelled|canceled) (?:my |our |the )?(?:keys?|phone|wallet|umbrella|glasses|charger|bag"
    r"|house|home|office|work|room|building|party|meeting|call|shop|store|kids|ball|file|tab|line"
    r"|table|column|script|code|function|order|homework|task|lunch|dinner|breakfast|report"
    r"|chapter|page|episode|assignment|message|question|comma|word|temper|mind|battery|bulb|way"
    r"|thread|track|connection|coffee|tea|drink|meal|food|beer|run|shower|workout|cup|game|match|bet|row|semicolon|app|game|program|editor|browser|command|download|warning|error|paragraph|sentence"
    r"|window|door|sandwich|bus|train|plane|turn|place|pen|jacket|coat|hat|scarf|lens)\b"
    r"|\bstopped (?:working|responding"
    r"|raining|loading|being)\b|\b(?:an hour|a minute|minutes) ago\b|\btoday\b|\bsold out\b"
    r"|\bleft (?:early|late|over|off|out|by|at|on)\b|\bleft (?:turn|side|\w+ minutes)\b"
)
_STATE_OF_MIND = (
    r"\b(?:understand|know|care|remember|see (?:it|that|the|why|how)|feel like|think|believe"
    r"|take it|stand it|hold|wait|find|get it|work(?:s|ing)?(?:\W*$| any)|help you|trust you"
    r"|follow|recall"
    r"|tell|hear|ask|bother|matter|questions?|(?:the|this|that) (?:error|bug|message|code|file"
    r"|button|script|app|page|link|function|test|build)|mad|angry|sick|tired|hungry|sure|sad"
    r"|surprised|funny|what to do|have (?:time|energy|ideas?))\b"
)
CHANGES = (
    Rule(
        "over",
        "habit",
        0.6,
        rf"{I}(?:'ve| have)? {ADVERBS}(?:just )?(?:{_OVER} {_MINE}|{_ALWAYS_OVER})",
        unless=_SMALL,
        today_too=True,
    ),
    Rule(
        "put an animal down",
        "event",
        0.8,
        rf"{I} had to (?:put (?:(?:my|our) )?\w+ (?:down|to sleep)|say goodbye to (?:my|our) )",
        today_too=True,
    ),
    Rule(
        "not any more",
        "habit",
        0.6,
        rf"(?:{I}\b|{WHO}|(?:my|our) [\w' -]{{2,30}}?|the \w+ \w+ (?:is|are))(?:'m|"
        rf" )?(?=.*(?:\bno longer"
        r"\b|\bany ?more(?:\W|$)(?! \w+s\b)|\bafter all\W*$))(?=.*(?:n't|\bnot\b|\bno longer\b))"
        r" ?\w",
        unless=rf"{_STATE_OF_MIND}|\b(?:this|that|it)\b",
    ),
    Rule(
        "is so now",
        "habit",
        0.6,
        rf"{I_AM}(?:now )?(?:down|up) to \d+ ?(?:kg|kilos?|pounds|lbs|hours|cigarettes|days"
        rf"|stone)\b"
        rf"|(?:(?:these days|nowadays|now),? )?{I_AM}(?:now )?(?:on|with (?=(?-i:[A-Z]))|down to"
        rf"|up to|back (?:to"
        r"|on|with)) (?!page|hold|board|top|chapter|level|step|question|my (?:phone|desk|bike"
        r"|knees)|it\b|this\b|that\b|the (?:phone|bus|train|way|page|line|same)|home\b|work\b|my"
        r" way)[\w ]+ (?:now|these days|nowadays)\W*$",
    ),
    Rule(
        "does so now",
        "habit",
        0.6,
        rf"{I} {ADVERBS}(?:take|send|pay|meet|swim|run|cycle|walk|eat|drink|use|read|write|sleep"
        rf"|get up|wake"
        r"|go to bed|have|own|earn|spend|charge|teach|train|play|wear|buy|order|shop|rent|drive"
        r"|work|start"
        r"|finish|cook|bake|listen|report|commute|bank|sing|volunteer|deploy|ship|host|grow)"
        r" (?!this|that|it\b"
        r"|to\b|an? (?:question|problem|headache|meeting|minute|moment|call|bit|fever|cold)|no"
        r" (?:idea|time)"
        r"|some (?:\w+ )?(?:time|questions?)|you\b|the (?:same|result|error|answer|right)|enough"
        r"|better"
        r"|your\b)"
        r"\w.* (?:now|these days|nowadays)\W*$",
    ),
    Rule(
        "came to like",
        "preference",
        0.8,
        rf"{I}(?:'ve| have)? (?:started|come|grown|begun|learned) to (?:like|love|hate|enjoy"
        rf"|dislike|prefer)"
        rf" {NOT_THIS}\w",
    ),
    Rule(
        "these days",
        "habit",
        0.6,
        rf"(?:these days|nowadays),? {I} (?!think|wonder|feel|know|guess|see|hear)\w+ \w",
    ),
    Rule(
        "may again",
        "constraint",
        0.6,
        rf"(?:{I} (?:can|may|am allowed to|could) (?:finally )?(?:eat|drink|have|use|drive|run"
        rf"|walk|fly"
        r"|travel|work|swim|exercise|smoke|wear|take|do|lift|play) [\w ]+ (?:again|now)\W*$"
        r"|[\w' -]{3,40} (?:is|are) (?:fine|ok(?:ay)?|allowed|welcome|possible)(?: (?:with|for)"
        r" (?:me|us)(?: again| now)?| again)\W*$)",
        unless=r"^(?:this|that|it|these|those|everything|all|he|she|they|you|which|there)\b",
    ),
    Rule(
        "need not any more",
        "preference",
        0.8,
        r"(?:please )?(?:don't|do not|stop) (?:answer|reply|call|address|use|add|write|send|give"
        r"|remind|suggest"
        r"|speak|talk|format|end|start|sign)\w* (?!this|that|it\b).*\bany ?more(?:\W|$)|you"
        r" (?:don't (?:have|need) to|no longer (?:have|need) to|can stop|needn't|can (?:now"
        r" )?(?:use|give"
        r"|write|call|be|answer)) (?!this|that|it\b|worry|apologi)\w.*\b(?:any ?more|from now on"
        r"|again|calling"
        r"|using|me (?!the|a|an|some)\w+)\b",
    ),
    Rule(
        "changed one's mind",
        "decision",
        0.8,
        rf"{I}(?:'ve| have)? changed (?:our|my) minds?\b[^\w]*(?:\w+ ){{3,}}",
    ),
)
