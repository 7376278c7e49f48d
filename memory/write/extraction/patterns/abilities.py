"""Body, health, languages, skills and experience."""

from __future__ import annotations

from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, CAPITAL, HEALTH, I_AM, I_HAVE, UNIT, I

ABILITIES = (
    Rule(
        "languages",
        "identity",
        0.8,
        rf"(?:{I} {ADVERBS}(?:can |can't |don't |cannot )?{ADVERBS}(?:speak|understand"
        r"|read and write)"
        rf"|{I_AM}{ADVERBS}fluent in) (?:a (?:little|bit of) |some |basic |fluent "
        r"|fluently |no |only |four |three "
        rf"|two |five |both |\d )?(?:{CAPITAL}\w+|languages|\w+(?:ish|ian|ese|man)\b"
        r"|french|dutch|hindi|arabic|greek)",
    ),
    Rule(
        "size and place",
        "identity",
        0.6,
        rf"(?:{I_AM}(?:about |around )?(?:\d|\w+) (?:foot|feet|ft|cm|m|metres|meters|kg"
        r"|kilos|pounds|stone)\b"
        rf"|(?-i:I'm in) {CAPITAL}\w+(?:,.*|$)|I am in {CAPITAL}\w+$|{I_AM}on (?:an?"
        r"|the) [\w-]+ (?:[\w-]+ )?diet\b)",
        unless=r"\b(?:Paris|London|\w+) (?:right now|today|this week|for the)\b|\btrouble\b",
    ),
    Rule(
        "health",
        "identity",
        0.8,
        rf"(?:{I_HAVE}(?:got |had )?(?:{ADVERBS})(?:a |an )?(?:mild |severe |bad "
        rf"|chronic )?{HEALTH}|{I} {ADVERBS}(?:get (?:\w+ )?(?:migraines|car ?sick|sea ?sick"
        rf"|motion sick"
        r"|nosebleeds|heartburn|hives|panic attacks|cold easily|rashes|headaches (?:from"
        rf"|when)|anxious (?:in|when|around|on))|suffer from|live with {HEALTH}"
        r"|take (?:medication|insulin|\w+ for my|\w+ (?:every|each|daily))|wear (?:glasses"
        r"|contact|hearing|a hearing|an? size|size))"
        rf"|{I_AM}{ADVERBS}(?:recovering from|taking (?:medication|insulin)"
        r"|being treated|undergoing|on (?:insulin|medication|antidepressants|statins"
        r"|blood thinners|a \w+ diet|keto|a diet"
        rf"|beta blockers|birth control|warfarin|metformin|the pill)))\b",
    ),
    Rule(
        "skill and experience",
        "identity",
        0.6,
        rf"{I} {ADVERBS}(?:know (?-i:[A-Z])\w+|can (?:read (?-i:[A-Z])\w+|play|swim|ski"
        r"|drive|ride|cook|code|sail|fly|surf|juggle|sing|dance|type|knit|sew)"
        r"|know how to (?:play|swim|ski|drive|ride|cook|code|sail|fly|surf|knit|sew|speak)"
        r"|can't (?:swim|drive|ski|cook|ride|sing|dance|whistle|read music|code\b|smell"
        r"|hear (?:well|out|in|with)|see (?:colou?rs|well))|never learned to|hold an?"
        r"|speciali[sz]e in|weigh|have (?:over |about |more than )?"
        rf"(?:\w+ )?{UNIT} of (?:\w+ )?experience|have (?:an?|two"
        r"|three) (?:\w+ ){0,3}(?:degree|phd|doctorate|black belt|citizenship|passports?"
        r"|licen[cs]e|background|diploma|accent|twin|scar|certificate|tattoos?))\b",
        unless=r"\bknow \w+ (?:is|are|was|said|has|will|can)\b|\b(?:hold"
        r"|can cook) (?:a )?(?:minute|second|moment|that|this|it)\b",
    ),
    Rule(
        "what I have been or never been to",
        "identity",
        0.6,
        rf"{I_HAVE}{ADVERBS}(?:been to (?:{CAPITAL}|\d+ |\w+ (?:countries|continents))"
        r"|been (?:a|an|in|with|at|on|sober|vegan|vegetarian|playing|running|writing|learning"
        r"|practi[sc]ing|doing (?:yoga|judo|karate|ballet|crossfit|pottery)|collecting|coaching"
        r"|married|together|dating|volunteering|singing|dancing|climbing|cycling|swimming|skiing"
        r"|painting|programming|coding|gardening|using|driving|taking|seeing an?)\b.*"
        rf"\b(?:for|since|all my life)\b|visited {CAPITAL}|travel\w+ (?:to|through"
        r"|around)\b|(?:run|finished|completed) \w+ (?:half )?marathons?|(?:never|not) (?:eaten"
        r"|tried|smoked|driven|flown|owned|had (?:alcohol|coffee|a pet)|learned|left|drunk"
        r"|been (?:to|abroad|on))|published|written (?:a|two|three|several|\d+) (?:books?"
        r"|novels?)|had (?:an?|my) (?:\w+ )?(?:surgery|operation|transplant|miscarriage|stroke"
        r"|heart attack)|smoked|quit|given up|stopped)",
        unless=r"\b(?:for (?:\w+ )?(?:hours|minutes|a while)|trying|tried (?:this|that|it"
        r"|restarting)|hours\b|quit the|waiting)\b",
    ),
    Rule(
        "used to",
        "identity",
        0.6,
        rf"{I} {ADVERBS}used to (?:be|live|work|smoke|play|drink|teach|own|have|study|run"
        r"|eat|drive|sing|dance|love|like|hate|swim)\b",
        unless=r"\bused to (?:be able|have to)\b",
    ),
)
