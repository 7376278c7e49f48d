"""Family, friends, colleagues and animals: who they are, what they do, what happened to them."""

from __future__ import annotations

from memory.write.extraction.patterns.happenings import GOING, MOMENTOUS, WHO
from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import (
    ADVERBS,
    CAPITAL,
    COUNT,
    DATE,
    I_AM,
    I_HAVE,
    KIN,
    LASTING,
    NAME,
    PERSON,
    PET,
    I,
)

_STARTED_SCHOOL = r"started (?:school|kindergarten|daycare|nursery|walking|crawling|talking)"

PEOPLE = (
    Rule(
        "what somebody close is",
        "relationship",
        0.8,
        rf"{WHO}(?:'s|'re| (?:is|are|was|were|isn't|aren't)) {ADVERBS}"
        r"(?:[\w-]+(?:ers|ors|ists|ians|nurses|students|vegans|vegetarians|twins)\b|an? (?!bit"
        r"|little|mess|pain|nightmare|joke|genius|jerk|idiot|lot|\w+ (?:mess|pain|idiot"
        r"|nightmare)\b)[\w-]+|from\b|called\b|named\b|in (?:his|her|their) \w+"
        rf"|\d{{1,3}}\b|{LASTING}\b|(?:six|seven|eight|nine|ten|\w+teen|\w+ty(?:-\w+)?"
        r"|one|two|three|four|five|twelve|eleven)(?: (?:years?|months?)\b|\W*$| and\b)|the \w+"
        r"|my \w+|our \w+|born\b|expecting\b|getting (?:married|divorced|a\b)|turning\b|moving\b"
        r"|studying\b|working (?:as|at|in|for)|doing (?:a|an|his|her)|training (?:to|for)"
        r"|learning\b|living\b|based\b|due\b|having (?:a baby"
        rf"|surgery)|starting\b|visiting\b.*|coming\b.*{DATE}|graduating\b|retiring\b"
        r"|dating\b|seeing a\b|in (?:the )?(?:army|navy|hospital|care|prison"
        rf"|{CAPITAL}\w+|kindergarten|high|primary|college|\w+ grade|her|his)"
        r"|on (?:insulin|medication|dialysis|parental|maternity|paternity)|terminally"
        rf"|very ill|two \w+|fluent|{NAME}(?:\W|$))",
        unless=r"\b(?:is|are|was|were|'s) (?:so |really |very |being |just )*(?:tired|angry|mad"
        r"|busy|late|sick|annoyed|upset|asleep|sleeping|hungry|home|here|away|out|calling|yelling"
        r"|great|nice|awesome|the (?:best|worst)|crazy|a bit|stressed|annoying|waiting|on (?:his"
        r"|her|the) (?:way|phone))\b|(?:^| )my \w+'s \w+'s\b|\b(?:right|wrong)\b",
    ),
    Rule(
        "what somebody close has and does",
        "relationship",
        0.8,
        rf"{WHO} {ADVERBS}(?:(?:has|have) (?!to\b|been (?:sick|ill|mad|angry|trying"
        r"|asking|acting|so|very)|gone\b|left\b|a (?:headache|cold|question|meeting|fever|point)"
        r"|no idea|just (?:called|left)|asked)\w+|(?:lives?|works?|loves?|likes?|hates?|prefers?"
        r"|plays?|speaks?|teach(?:es)?|stud(?:y|ies)|owns?|runs?|drives?|eats?|drinks?|collects?"
        r"|enjoys?|adores?|dislikes?|smokes?|suffers?|uses?|goes to|go to|comes? from|attends?"
        r"|manages?|leads?|weighs?|supports?|wears?|sleeps?|sings?|dances?|cooks?|bakes?|paints?"
        r"|writes?|does (?:yoga|judo|ballet|pilates)|takes? (?:insulin|medication|care)"
        r"|turns? (?:\d+|\w+)|needs? (?:insulin|a wheelchair|glasses|surgery|her|his|special"
        r"|medication)|wants to (?:be|become|study)|arrives?|visits?|got (?:a (?:new )?(?:job"
        r"|promotion)|married|engaged|divorced|into)|avoids?|volunteers?|grows?|raises?"
        r"|keeps? (?:bees|chickens|kosher|halal)|gr[eo]w up|used to|swims?|skis?|coaches|barks"
        r"|bites|sheds|snores|starts? (?:school|kindergarten|university|college|her|his|work)"
        r"|specialises|specializes|freelances|commutes|celebrates?|doesn't|don't|does not|can't"
        r"|cannot|never|won't|isn't|no longer)\b)",
        unless=r"\b(?:likes?|loves?|hates?) (?:it|this|that|your|the idea)\b|\b(?:doesn't|don't"
        r"|won't|can't|never|cannot|does not) (?!(?:eat|drink|like|drive|speak|live|work|smoke"
        r"|have (?:kids|children|a)|swim|walk|tolerate|use|see well|hear|own|celebrate|believe in"
        r"|go to|allow|read|let|sleep|know how to|do (?:dairy|gluten)|stand|enjoy|want (?:kids"
        r"|children)|get along|talk to|fly))\w|\bworks? (?:fine|great|now|well)\b|(?:^"
        r"| )my \w+'s \w+'s\b|\b(?:keeps \w+ing|just (?:called|asked|left|came))\b",
    ),
    Rule(
        "what somebody close does, as a rule",
        "relationship",
        0.6,
        rf"{WHO} {ADVERBS}(?!(?:says|thinks|wants|asks|is|was|feels|needs|looks|seems"
        r"|keeps|knows|sounds|hopes|tells|calls|has|texts|means|gets|makes|does not|thanks"
        r"|wonders|agrees|insists|yes|this|disagrees|expects|suggests|claims|believes|complains"
        r"|always|sometimes|sends|'s)\b)\w{3,}s\b \w"
        rf"|{WHO} (?:can't|cannot) (?:have|eat|drink|tolerate|digest|stand) \w",
        unless=r"\b(?:my|our) \w+'s \w+'s\b|\b(?:this|it|that)\W*$",
    ),
    Rule(
        "what happened to somebody close",
        "event",
        0.8,
        rf"{WHO} (?:has |have )?{ADVERBS}{MOMENTOUS}",
        today_too=True,
    ),
    Rule(
        "what is ahead of somebody close",
        "event",
        0.6,
        rf"{WHO}(?:'s| (?:is|are|will be)) {ADVERBS}{GOING}\b",
        dated=True,
        today_too=True,
        unless=r"\btonight\b|\btoday\b",
    ),
    Rule(
        "a name or a day of somebody close",
        "relationship",
        0.8,
        rf"(?:my|our) {PERSON}(?:'s|s'|') (?:{CAPITAL}\w+'s )?(?:\w+ )?(?:name|names"
        r"|birthday|anniversary|wedding|favou?rite[\w ]*|phone number|number|e-?mail|address|job"
        r"|allergy|pronouns|age|school|nickname|due date|shoe size|middle name)\s*(?:is|are|'s)\b",
        unless=r"(?:^| )my \w+'s \w+'s\b",
    ),
    Rule(
        "a named one, in our own places",
        "relationship",
        0.6,
        rf"{CAPITAL}\w+ (?:goes to|attends|lives|works|is in|is at|plays|started (?:at|in)"
        rf"|sleeps|sits"
        r"|trains|volunteers|teaches|studies) .*\b(?:(?:my|our) (?:\w+ )?(?:school|kindergarten"
        r"|daycare|nursery|college|class|club|team"
        r"|choir|band|street|neighbou?rhood|village|town|building|garden|room|house|office|department)"
        r"|with us|with me|next door to us)\b",
        unless=r"^(?:it|this|that|he|she|they|there|what|who|everybody|everyone|nobody|someone|people"
        r"|python|java\w*|excel|windows|google|chrome)\b",
    ),
    Rule(
        "what happened to a named one",
        "event",
        0.6,
        rf"(?!(?:it|this|that|he|she|they|there|what|who|everybody|everyone|nobody|someone)\b){CAPITAL}[a-z]+"
        r" (?:turned (?:\d|1[0-7]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
        r"|(?:died|passed away) (?:yesterday|last (?:night|week|month)|this (?:morning|week)|in"
        r" my arms"
        rf"|on (?:the )?(?:\d|\w+day))|(?:moved|has moved) (?:in|out)\b|{_STARTED_SCHOOL}|lost"
        rf" (?:his|her) first"
        r" tooth|took (?:his|her) first steps)",
        today_too=True,
    ),
    Rule(
        "owes",
        "relationship",
        0.6,
        rf"{I} {ADVERBS}owes? (?:my \w+|{CAPITAL}\w+) \w",
        unless=r"\b(?:apology|answer|explanation|thanks)\b",
    ),
    Rule(
        "gave a name",
        "relationship",
        0.6,
        rf"{I} {ADVERBS}(?:named|nicknamed|call) (?:my|our) {PERSON} (?!back\b|when\b"
        r"|every\b|on\b)\w+",
    ),
    Rule(
        "names of somebody close",
        "relationship",
        0.8,
        rf"the (?:name of my {PERSON}|names of (?:my|our) {PERSON}) (?:is|are)\b",
    ),
    Rule(
        "is my sister",
        "relationship",
        0.8,
        rf"(?:(?!(?:she|he|they|it|who|that|this)\b){NAME}|(?-i:[a-z]\w+)) (?:is|are|was"
        rf"|'s) (?:also |now )?(?:my|our) (?:new )?{PERSON}\b(?!'s)",
        unless=r"^(?:that|this|it|he|she|what|who|which|there|they)\b",
    ),
    Rule(
        "has people and animals",
        "relationship",
        0.8,
        rf"(?:{I_HAVE}|{I}'ve got |{I} (?:(?:just|recently|finally) )?(?:adopted|raise|foster"
        rf"|adopt|lost|got) )(?:got )?(?:just |only )?(?:{COUNT}|no|my|the \w+est"
        rf"|twin) (?:[\w-]+ ){{0,3}}?(?:{KIN}|{PET}|friends?|roommates?|flatmates?"
        r"|therapist|boss|neighbou?r|grandchildren|stepchildren|tenants?|co-?founder|students"
        r"|mentor|coach|nanny|employees|direct reports)\b",
        unless=r"\bjust got a (?:text|call)\b|\bgot a friend in me\b|\b(?:over|coming"
        r"|visiting) (?:today|tonight)\b|\bquestion\b",
        today_too=True,
    ),
    Rule(
        "does not have people or things",
        "possession",
        0.6,
        rf"{I} {ADVERBS}(?:don't|do not) (?:currently )?(?:have|own) (?:an? "
        r"|any )?(?:\w+ )?(?:car|kids|children|siblings|pets|brothers|sisters|dog|cat"
        r"|driving licen[cs]e|driver's licen[cs]e|licen[cs]e|tv|television|oven|microwave|bike"
        r"|garden|balcony|smartphone|facebook|instagram|social media|dishwasher|degree|freezer"
        r"|air fryer|insurance|passport|religion)\b",
    ),
    Rule(
        "bonds",
        "relationship",
        0.8,
        rf"(?:{I_AM}{ADVERBS}(?:married|engaged|dating|seeing someone|in a relationship"
        r"|divorced|close to my|estranged|related to|best friends|named after|raising"
        r"|the (?:mother|father|mum|mom|dad|parent)|friends with|living with|godmother"
        rf"|godfather)|{I} {ADVERBS}(?:live with|report to|share (?:a|an|my|the)"
        r"|look after my|take care of my|care for my|co-?parent|babysit|mentor \w+"
        r"|manage (?:a team|\w+ people)|lead a team))\b",
    ),
)
