"""What somebody does again and again, or no longer."""

from __future__ import annotations

from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, I_HAVE, NOT_THIS, OFTEN, I

_MARK = r"(?:\w+ ){0,4}?"
_LASTING_VERB = (
    r"(?:read|write|paint|draw|sing|dance|knit|crochet|sew|garden|collect|volunteer|code|program"
    r"|build|manage|lead|coach|run|own|rent|share|commute|cycle|bike|walk|swim|ski|hike|climb"
    r"|sail|surf|skate|row|box|fence|kayak|train|exercise|lift|meditate|pray|fast|shop|watch"
    r"|listen|follow|support|play|cook|bake|brew|drink|eat|smoke|vape|sleep|wake|get up"
    r"|go to (?:the gym|church|bed|school|yoga|mass|therapy|university|college)|go (?:running"
    r"|swimming|climbing|fishing|hiking|sailing|skiing|dancing)|drive|ride|fly|travel|fish|hunt"
    r"|photograph|blog|stream|game|keep|breed|raise|grow|tutor|babysit|host|wear|use|deploy|ship"
    r"|release|meet|do (?:most of my|yoga|pilates|crossfit|judo|karate|pottery|woodworking|my|the"
    r"|night shifts|standups?|code reviews?|crosswords|intermittent|taxes|all my|triathlons?)"
    r"|take (?:the (?:bus|train|metro|tram|ferry|subway)|my \w+|cold|naps|piano|dance|singing"
    r"|a \w+ (?:every|each))|spend|donate|invest|budget|journal|practi[sc]e|compose|produce|edit"
    r"|design|repair|restore|study|work|teach|earn|make (?:my|our|music|pottery|jewell?ery"
    r"|furniture|wine|cheese|beer|bread|videos|\w+ for a living)|buy (?:all|my|our|only|organic"
    r"|local|second)|sell|store|track|plan|order|speak|call my|visit my|see (?:my|a) \w+"
    r"|have (?:breakfast|lunch|dinner|coffee|my|our|standup|a standing|a weekly|a daily|therapy"
    r"|band|choir|piano|football)|snore|sleepwalk|stutter|subscribe|bring my|pack|name"
    r"|start (?:work|my|the day)|finish work|rely on|depend on|camp|forage|skip)"
)
_DEICTIC = (
    r"\b(?:this(?! (?:project|team|repo|company|house))|that|these|those|it|the (?:script|command"
    r"|code|test|tests|program|function|query|following|above|error|same|file|app|example|link"
    r"|article|docs?|documentation|instructions|output|button|server|model|notebook|cell))\b"
)

HABITS = (
    Rule(
        "habit, marked",
        "habit",
        0.6,
        rf"(?:{OFTEN}\b[^.]{{0,60}}?,? )?{I}(?:'m | am |'ve been )?\s*{ADVERBS}(?!(?:think|wonder"
        rf"|know|guess|feel|forget"
        r"|get (?:an? )?(?:error|stuck|confused|the same)|see|mean|said|say|thought"
        r"|have to (?:ask|say)|need you|want (?:you|to (?:cry|die|know))|was|were|had|did|hope"
        r"|wanted|heard|wish|saw|got|made|will|would|could|might|understand|agree|trust"
        r"|can't (?:remember|tell)|remember|appreciate)\b)(?:don't |do not "
        rf"|can |try to )?\w+(?<!ed)\b.*\b(?:{OFTEN})\b",
        unless=rf"{_DEICTIC}|\b(?:yesterday|last \w+|ago)\b|\b(?:since|for) (?:an? )?(?:hours?"
        r"|minutes?|\d+ (?:hours|minutes))\b|\bsince (?:this morning|yesterday|then|when)\b|^(?:I"
        r"|we)(?: \w+)? (?:hate|love) (?:this|it)\b|\b(?:appointment|exam|interview|flight"
        r"|wedding)\b",
    ),
    Rule(
        "habit, marked before the verb",
        "habit",
        0.6,
        rf"{I} (?:(?:almost|nearly|pretty much) )?(?:always|usually|never|normally"
        r"|typically|generally|often|rarely|mostly|mainly|seldom|hardly ever|sometimes|regularly"
        r"|occasionally) (?!(?:knew|thought|said|heard|saw|mind|know|understand|wonder|think|feel"
        r"|asked|got|had|told|expected|met|realized|realised|noticed|wanted|forget"
        r"|get (?:an? )?(?:error|confused|stuck)|did|was|were|believed|imagined|liked"
        r"|loved)\b)\w+",
        unless=rf"{_DEICTIC}|\b\w+ed (?:to|that)\b",
    ),
    Rule(
        "routine on a day",
        "habit",
        0.6,
        rf"(?:{OFTEN})\s*,? (?:I|we|my \w+(?: and I)?|our \w+) (?!(?:think|wonder|was|were|had"
        rf"|got|went|did|saw|want you|forgot)\b){ADVERBS}\w+(?<!ed) \w",
        unless=rf"{_DEICTIC}|\b(?:error|exception|last \w+|yesterday)\b|^since\b|^(?:when"
        r"|whenever) I (?:run|try|click|open|execute|call|compile|type|was|were|did|got)\b",
    ),
    Rule(
        "no longer, no more",
        "habit",
        0.8,
        rf"{I} (?:(?:no longer|don't|do not|stopped|have stopped|'ve stopped|gave up|quit"
        rf"|never) )(?:\w+ly )?(?:{_LASTING_VERB}|eating|drinking|smoking|using"
        r"|going|working|playing|believe in|own|need (?:glasses|insulin)|gluten|meat|sugar"
        r"|alcohol|coffee|celebrate|watching|reading|buying|taking|cook|have a \w+)\b",
        unless=rf"{_DEICTIC}|\bsee (?:a|my) (?:problem|reason|point|way)\b"
        r"|\bwork (?:like that)\b|\b(?:follow|read)\s*$|\buse (?:it|that)\b",
    ),
    Rule(
        "what I do",
        "habit",
        0.6,
        rf"{I} {ADVERBS}(?:do )?{_LASTING_VERB}\b {NOT_THIS}(?!(?:the (?!gym|guitar|piano"
        r"|cello|violin|drums|bass|flute|harp|guardian|new|bus|train|car|house|lottery|stock|news"
        r"|saxophone|trumpet|banjo|ukulele|organ|accordion|oboe|viola|clarinet|tuba|double|metro"
        r"|tram|stairs|night|early|late|local|same breakfast|times|economist|bible)"
        r"|on the \w+ button|into|out of|him|her|them)\b)\S",
        unless=rf"{_DEICTIC}|\bI (?:read|keep|watch|follow|support|use|run|make|have) (?:your"
        r"|getting|an? (?:article|error|book yesterday|command|script|few|\w+ (?:article|error))"
        r"|forgetting|about \w+ yesterday|into|seeing|thinking|up)\b|\b(?:yesterday|last (?:night"
        r"|week)|ago|just now)\b|\b(?:for|to) my (?:homework|assignment)\b|^(?:I|we) order\b",
    ),
    Rule(
        "how we work",
        "habit",
        0.6,
        r"(?:at \w+|in (?:our|my) \w+|on my team|here|internally),? (?:we|I|our \w+"
        rf"|everyone|all \w+|the \w+) {ADVERBS}\w+ \w",
        unless=rf"{_DEICTIC}|\b(?:was|were|yesterday|today)\b|^(?:here (?:is|are|I)"
        r"|in my (?:opinion|view|experience|head|case|mind))",
    ),
    Rule(
        "a standing appointment",
        "habit",
        0.6,
        r"(?:(?:my|our|the) (?:\w+ )?(?:stand-?up|retro|one-on-one|1:1|sync|weekly|planning)"
        r" (?:is|starts|takes place) (?:now )?at \d|(?:my|our|the) (?:[\w-]+ ){1,3}(?:is|are"
        r"|takes? place|starts?|happens?|runs?|meets?"
        r"|begins?|ends?)\b.*\b(?:every|each|daily|weekly|monthly|on (?:mon"
        rf"|tues|wednes|thurs|fri|satur|sun)days)\b)|{I_HAVE}{_MARK}(?:standup|class"
        r"|practice|lessons?|rehearsal|therapy|training|shift|standing|weekly|daily|one-on-ones?"
        r"|retro|sync)\b.*\b(?:every|each|on \w+days?|daily|weekly)\b",
    ),
)
