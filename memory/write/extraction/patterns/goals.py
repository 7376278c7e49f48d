"""What somebody strives for; not what they are up to in this hour."""

from __future__ import annotations

from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, DATE, I_AM, I

_SMALL = (
    r"(?!(?:know|ask|understand|see|talk|discuss|say|tell|hear|find out|figure|check|make (?:sure"
    r"|it|this|a (?:table|list|chart|function|script|point))|create an? (?:function|script|table"
    r"|list|class|file|query|chart|plot|regex|variable|new (?:file|branch|column))|generate|add"
    r"|fix|change|use|eat|sleep|go (?:home|to (?:bed|sleep)|back|over|through|out)|cry|scream|die"
    r"|punch|thank|show|print|remove|delete|sort|convert|parse|compare|try|get (?:the|this|that"
    r"|it|some|rid|all|a list)|write (?:an? |some |the )?(?:\w+ )?(?:function|script|email|e-mail"
    r"|poem|letter|query|regex|tests?|code|message|program|essay|story|post|tweet|speech|song)"
    r"|be (?:sure|clear|honest|able|alone|left)|do (?:this|that|it)|have (?:a look|lunch|dinner"
    r"|this|that|it|the)|take a|hide|scrape|filter|count|calculate|replace|read (?:the|this"
    r"|a file)|plot|call|send|order|cook|test|debug|refactor|this|that|it|you|the|point|mention"
    r"|share|start (?:by|with|over|from)|play a game|watch|grab|relax|rest|nap|shower"
    r"|make (?:dinner|lunch|breakfast|coffee|tea|pancakes)|cancel|book|return|give"
    r"|be an? \w+ today|kill|ignore|leave (?:now|soon|early)|wait|stay home|bake (?:a"
    r"|some) cake (?:today|tonight|now)))"
)
_PLANNED = (
    r"(?:learn|run|visit|travel|move|retire|start|open|buy|lose|quit|stop|climb|publish|write"
    r"|build|get|save|become|finish|study|apply|emigrate|live|work|teach|master|improve|swim"
    r"|cycle|hike|walk|sail|train|go (?:to (?!bed|sleep|the (?:store|shop|gym|toilet))"
    r"|back to (?:school|university|college)|vegan|vegetarian|freelance)|have (?:kids|children"
    r"|a (?:baby|family))|adopt|marry|propose|launch|renovate|read \w+ books|eat (?:less|more"
    r"|healthier)|drink (?:less|more)|exercise|spend (?:less|more)|pay off|sell|found|switch|pass"
    r"|graduate|own|take (?:up|a (?:sabbatical|course|gap|class))|see the|complete|earn|reach"
    r"|compete)"
)

GOALS = (
    Rule(
        "a goal by name",
        "goal",
        0.8,
        r"(?:my|our) (?:\w+[- ]){0,3}?(?:goals?|dreams?|ambition|aim|target|objective|resolution"
        r"|plan|bucket list|mission|aspiration)(?: (?:for|this|in|of) [\w ]{1,30}?)?(?:'s| (?:is"
        r"|are|includes?|has always been|was)) (?:still )?(?:to |an? |for |\w)",
        unless=r"\bplan (?:is|was) (?:not|good|great|fine|bad|the)\b|\b(?:goal"
        r"|dream) was (?:weird|scary)\b",
    ),
    Rule(
        "wants to",
        "goal",
        0.6,
        rf"{I} {ADVERBS}(?:want|wants|hope|aim|intend|plan|aspire|dream|wish"
        r"|need and want|would love|mean|have always wanted|'ve always wanted)(?: (?:to"
        rf"|of|on) )+{_SMALL}\w+",
        unless=r"\b(?:this|that|it|your \w+)\W*$|\bbuy (?:an?|some|the) (?:\w+ )?(?:present|gift"
        r"|card|ticket|thing)s?\b|\btonight\b|\b(?:want|hope|plan|intend|aim) to (?:be|get"
        r"|make) (?:this|that|it|clear|sure)\b|\b(?:regex|function|script|code|spreadsheet|csv"
        r"|json|html|css|column|button|query)\b|\bdream(?:t|ed)? of (?:a|an) \w+ last\b",
    ),
    Rule(
        "always wanted",
        "goal",
        0.6,
        rf"{I}(?:'ve| have) always (?:wanted|dreamed|hoped) (?:to|of) {_SMALL}\w",
    ),
    Rule(
        "would like to, some day",
        "goal",
        0.6,
        rf"(?:(?:one day|some ?day|eventually),? {I}(?:'d| would) (?:really |also )?(?:like"
        rf"|love) to "
        rf"{_SMALL}\w+ \w|{I}(?:'d| would) (?:really |also )?(?:like|love) to (?:someday |one day "
        rf"|eventually )?{_SMALL}{_PLANNED}\b)",
        unless=r"\bget (?:your|a \w*\s*(?:recipe|list|summary|idea)|some|feedback|more)\b"
        r"|\b(?:write|build|start) an? (?:\w+ )?(?:email|function|script|letter|poem|list"
        r"|table)\b|\bwith you\b",
    ),
    Rule(
        "is planning",
        "goal",
        0.6,
        rf"{I_AM}{ADVERBS}(?:planning (?:to {_SMALL}|on |an? (?:\w+ )?(?:trip|wedding"
        r"|move|holiday|vacation|surprise|party|career|sabbatical|renovation|hike|road)|for |our "
        r"|my )|saving (?:up )?(?:for|to)|learning (?!about\b)|training (?:for|to)"
        r"|preparing (?:for|to)|(?:looking|searching) for|hoping to (?!get (?:an|help)|find\b)"
        r"|aiming (?:to|for)"
        r"|trying to (?:lose|quit|cut|eat|drink|save|learn|get (?:fit|pregnant|in shape|better at"
        r"|healthier)|stop|reduce|become|improve my|read more|run|live|sleep|exercise|gain"
        r"|give up|spend less)|trying for a (?:baby|child|second)|working (?:on|towards?) (?:an? "
        r"|my |our )|writing (?:an?|my) (?:\w+ )?(?:book|novel|thesis|dissertation|memoir|phd"
        r"|cookbook|screenplay|musical|album)|building (?:an?|my|our) (?:\w+ )?\w+|studying for"
        r"|thinking big|determined to"
        rf"|applying (?:to|for)|going to {_PLANNED}|taking (?:\w+ )?(?:lessons|classes"
        r"|an? (?:\w+ )?course)|renovating|restoring|starting (?:an?|my|up)|expecting (?:a|our|my"
        r"|twins)|getting into|teaching myself|buying an?|self-studying|reading my way)",
        unless=r"\b(?:working on|building) (?:an?|my|our) (?:\w+ )?(?:bug|problem|issue|fix"
        r"|homework|assignment|report|presentation|email|essay|function|script|query|regex"
        r"|slide\w*|spreadsheet|answer)\b|\bgoing to (?:get|buy|write|start|stop|run|work|visit"
        r"|finish|build|walk|have|take|sell) (?:some|milk|groceries|the|this|that|it|now|by|with"
        r"|a (?:coffee|sandwich|drink|shower|nap|break|quick))\b|\bplanning (?:to (?:go to bed"
        r"|leave now|make dinner))\b|\blearning (?:how this|a lot|that|this|so much)\b"
        r"|\btrying to (?:get|run|sleep|save|learn|stop|improve) (?:this|it|the|now|a file)\b",
    ),
    Rule(
        "will, one day",
        "goal",
        0.6,
        rf"(?:(?:one day|someday|eventually)\s*,?\s*)?{I}(?:'ll| will) (?:\w+ ){{1,8}}?(?:one day"
        rf"|someday|before I(?:'m| turn)|{DATE})",
        unless=r"\b(?:today|tomorrow|tonight|try|call|check|let you|get back|ask|see|send|tell"
        r"|be back|think|buy|do (?:it|that)|look)\b",
    ),
    Rule(
        "wants children or animals",
        "goal",
        0.6,
        rf"{I} {ADVERBS}(?:don't )?want (?:\w+ )?(?:kids|children|a (?:dog|cat|family"
        r"|baby|puppy|kitten|career change))\b",
    ),
)
