"""What somebody owns, drives and uses."""

from __future__ import annotations

from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, CAPITAL, COUNT, I_HAVE, THING, I

_DEICTIC = (
    r"\b(?:this|that|these|those|it|the (?:script|command|code|test|tests|program|function|query"
    r"|following|above|error|same|file|app|example|link|article|docs?|documentation|instructions"
    r"|output|button|server|model|notebook|cell))\b"
)

THINGS = (
    Rule(
        "the name of our project",
        "possession",
        0.6,
        r"(?:the|our|my) (?:code ?name|working title|name|nickname|motto|url|domain|repo"
        r"|version) (?:of|for) (?:my|our) [\w ]{2,40} (?:is|are) \w|(?:my|our) (?:\w+ ){1,3}(?:is"
        r"|are) (?:called|named|nicknamed) \w",
        unless=r"\b(?:function|method|variable|class|file|column|table|error)\b",
    ),
    Rule(
        "what it is called",
        "possession",
        0.6,
        r"the (?:[\w'-]+ ){0,4}?(?:server|project|branch|repo\w*|service|cluster|database|office"
        r"|room|boat|cabin|bot|channel|playlist|printer|wifi|manager we use[\w ]*"
        r"|tool we use[\w ]*|app we use[\w ]*) (?:is|are) (?:called|named|[A-Z]\w+$)",
        unless=r"\b(?:white house|in the world)\b",
    ),
    Rule(
        "has",
        "possession",
        0.6,
        rf"(?:{I_HAVE}|{I}'ve got |{I} {ADVERBS}(?:keep|got) )(?:got )?(?:{COUNT}|my own|both"
        rf"|the) (?:[\w'-]+ ){{0,4}}?(?:{THING}|plot of land|land|acres|piano"
        r"|collection|sourdough starter|vinyls?|records|comics|tickets? (?:to|for)|reservation"
        r"|allotment|hives|plants|bonsai)s?\b",
        unless=r"\b(?:question|problem|issue|idea|meeting|trouble|error|headache|with my)\b"
        r"|\bthe (?:table|list|file|code|app|console|terminal|printer|server|switch)\b"
        r"|\b(?:server|router|keyboard|printer|terminal|shell|console|library) (?:that )?(?:is "
        r"|keeps )?(?:not|won't|doesn't|can't|fail|freez|crash)\w*",
    ),
    Rule(
        "has a thing by its name",
        "possession",
        0.6,
        rf"(?:{I_HAVE}|{I}'ve got )(?:got )?(?:{COUNT}"
        r"|my own) (?:[a-z]+ ){0,2}?(?:(?-i:[A-Z])[\w-]+|\w+ (?:called|named) (?-i:[A-Z])\w*)\b",
        unless=r"\b(?:question|problem|issue|idea|meeting|trouble|error|interview|exam"
        r"|appointment|call|Zoom|Teams|Excel|Python|SQL|JSON|CSV|PDF|Java\w*|API|HTML|CSS|URL"
        r"|DataFrame|React|Word|table|list|file|column|variable|string|class|function)\b",
    ),
    Rule(
        "owns, drives, bought",
        "possession",
        0.6,
        rf"{I} {ADVERBS}(?:own|drive|drove|ride|rent|lease|(?:have |'ve )?(?:just "
        r"|recently )?(?:bought|purchased|inherited|built|restored|leased)"
        rf"|(?:have |'ve )?got (?:myself )?(?:an?|my|our) new) (?:{COUNT}|my|our|all"
        r"|\w+)\s*[\w'-]*",
        unless=r"\b(?:coffee|sandwich|milk|bread|groceries|lunch|dinner|beer|pizza|snacks?|eggs"
        r"|burger|drink|ticket|gift|flowers|built (?:a|the|an) (?:function|script|query|regex"
        r"|prompt)|drove (?:to|home|back)|ride (?:home|back)|new (?:idea|question"
        rf"|problem|error|message|email|haircut|one))\b|{_DEICTIC}|\bme (?:crazy|mad"
        r"|nuts)\b|^\w+ drive (?:my|to)\b(?!.*\b(?:every|car)\b)",
        today_too=True,
    ),
    Rule(
        "my thing is",
        "possession",
        0.6,
        r"(?:my|our) (?:(?:new|old|main|work|home|second|first|current|personal|daily|electric"
        r"|vintage|gaming|holiday|summer|family|favou?rite"
        rf"|{CAPITAL}\w+) ){{0,3}}{THING}(?:'s \w+)? {ADVERBS}(?:is (?:an?|from|made"
        r"|called|named|in|on|near|located|painted|parked|at|about|set|\d|(?-i:[A-Z])|red|blue"
        r"|green|black|white|silver|grey|gray|yellow|electric|old|vintage|running \w+|zsh|fish"
        r"|bash|vim|neovim|emacs)|runs (?!slow|into|out|fine|really)|has (?!a (?:problem|flat"
        r"|virus|bug)|no|stopped|crashed|died|been \w+ing)|was (?:made|built|stolen|my)"
        r"|got stolen|uses|faces|costs|overlooks|sells|opens|covers|weighs|are (?:an?|from|made"
        r"|called|\w+))",
        unless=r"\b(?:broken|dead|slow|frozen|stuck|down|in the (?:shop|garage)|out of|acting"
        r"|making|at \d+\s*%|on \d+\s*%|on fire|offline|not|messy|dirty)\b",
    ),
)
