"""Who somebody is: name, home, age, origin, work, faith."""

from __future__ import annotations

from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import (
    ADVERBS,
    CAPITAL,
    I_AM,
    I_HAVE,
    LASTING,
    MONTH,
    NAME,
    ROLE,
    I,
)

_ATTRIBUTE = (
    r"(?:(?:first|last|full|middle|maiden|real|nick|pen|user|sur)\s*)?(?:name|nickname|birthday"
    r"|birth\s*date|date of birth|age|height|weight|job|occupation|profession|job title|hometown"
    r"|home town|mother tongue|(?:native|first|second|main) language|blood (?:type|group)"
    r"|shoe size|(?:clothing|shirt|dress|ring|t-shirt) size|e-?mail(?: address)?|phone number"
    r"|(?:home |postal |work )?address|zip\s*code|post\s*code|nationality|pronouns|time\s*zone"
    r"|religion|star sign|handle|(?:github|twitter|discord|slack|steam) (?:handle|name|user\w*)"
    r"|major|minor|degree|university|school|college|citizenship|employer|title|role|position"
    r"|salary|wage|rent|mortgage|bedtime|budget|field|background|ethnicity|heritage|ancestors|roots|sexuality|gender"
    r"|eyesight|resting heart rate|commute|nick|surname|specialt?y|speciali[sz]ation"
    r"|working hours|office hours|shift|notice period|thesis|phd)"
)
_NOT_A = (
    r"(?!(?:\w+ )?(?:bit|little|mess|wreck|fool|idiot|lot|failure|genius|moron|loser|disaster|fan"
    r"|joke|burden|beginner at this|mood|hurry|rush|meeting|few|huge fan|big fan|believer"
    r"|big believer|step|minute|week|day|couple)\b)"
)
_FIELD = (
    r"in (?:my (?:early |mid-?\s*|late )?(?:teens|\w+ties)|tech|marketing|finance|sales|it|hr"
    r"|education|healthcare|construction|logistics|law|consulting|academia|recovery|a band"
    r"|a wheelchair|therapy|a (?:long[- ]distance )?relationship|my \w+ year|(?:the )?\w+ grade"
    r"|utc\S*|(?:the )?\w+ time\s*zone)"
)

RULES = (
    Rule(
        "a name",
        "identity",
        1.0,
        r"(?:my (?:full |first |last |real )?name(?:'s| is) (?!on\b|not\b|in\b)\w+|(?:(?:please"
        r"|you can|just) )?call me (?!(?:later|back|when|if|in|an?|the|old|crazy|tomorrow|tonight"
        r"|at|on|again|asap)\b)\w+|I (?:go|went) by \w+|(?:everyone|everybody|people|friends"
        r"|my friends) calls? me \w+|I'm (?:called|named) \w+)",
    ),
    Rule(
        "I am Name",
        "identity",
        1.0,
        rf"(?:I'm|I am|(?-i:This is)) {NAME}(?: from\b.*| by the way|[,.!]|$)",
        unless=r"(?-i:\b[A-Z]{4,}\b)|^I(?:'m| am) (?:sorry|sure|ok|okay|good|done|fine|back"
        r"|here|not|so"
        rf"|happy|tired|sad|bored|hungry|busy|late|ready|{MONTH})\b",
    ),
    Rule(
        "home",
        "identity",
        1.0,
        rf"{I} {ADVERBS}(?:don't |do not )?(?:live|reside|dwell|grew up|was raised"
        rf"|were raised) {ADVERBS}"
        r"(?:in|on|near|at|outside|by|with|alone|close|between|next|together|across|around|above"
        r"|off|about|up|down|here|abroad|there since|\d)\b",
        unless=r"\blive (?:in (?:hope|fear|the moment|a (?:society|world|simulation|tree"
        r"|pineapple))|with (?:it|that|this)|by (?:it|that))\b|\bMars\b|\bmoon\b",
    ),
    Rule(
        "home and origin",
        "identity",
        1.0,
        rf"{I_AM}{ADVERBS}(?:from|based|born|living|staying|residing|native to|located)\b|(?:my"
        rf"|our) (?:new |current |old )?(?:home|address|hometown) is\b|{I} (?:come|came"
        rf"|hail) from (?:{CAPITAL}|an? )"
        r"|I was (?:originally )?(?:born|raised|brought up|adopted)\b|I'm originally\b"
        rf"|{I_HAVE}{ADVERBS}(?:lived|been living)\b",
        unless=r"\bfrom the (?:future|past)\b|staying (?:up|home|late|in bed)|living (?:the|my) ",
    ),
    Rule(
        "age",
        "identity",
        0.8,
        r"I(?:'m| am| just turned| turned|'ll (?:be|turn)| will (?:be|turn)) (?:now |only "
        r"|almost |nearly |turning )?(?:\d{1,2}|(?:twen|thir|for|fif|six|seven|eigh"
        r"|nine)ty(?:[- ]\w+)?|eighteen|nineteen|sixteen)(?!\s*(?:%|percent|minutes?|mins?|hours?"
        r"|kilo\w*|km|miles?|steps?|pages?|weeks? in|lines?|euros?))(?: years?(?: old)?| this\b.*"
        r"| next\b.*| in\b.*| on\b.*| today|\W|$)|I was born (?:in|on)\b|my birthday is\b|it(?:'s"
        r"| is) my birthday (?:on|in|next)\b",
        today_too=True,
    ),
    Rule(
        "my attribute is",
        "identity",
        0.8,
        rf"my (?:current |new |old )?{_ATTRIBUTE}(?:'s| (?:is|are|was|runs|ends"
        r"|starts)) (?:\w|[\"+“'@#€$£])",
        unless=r"\b(?:is|are) (?:not )?(?:on|going|boring|fine|good|great|bad|killing|stressing"
        r"|late|done|ready|slow|ok|okay|terrible|hard|broken|down)\b",
    ),
    Rule(
        "trade",
        "identity",
        0.8,
        rf"(?:{I_AM}|I was |I used to be |{I_HAVE}been )(?:{ADVERBS})an? {_NOT_A}(?:[\w'/&+-]+ "
        rf"){{0,4}}?[\w'/+-]+",
        unless=r"\bnot an? (?:doctor|lawyer|expert|robot|fool|child|kid|scientist|big deal|problem"
        r"|genius|monster)\b|\ba (?:bit|little|\w+ mess|huge|big fan|total \w+|terrible person"
        r"|bad person|good mood|horrible|complete)\b|\bwas an? (?:bit|little|mess|mistake|great"
        r"|good|bad|nice|long|disaster|fun)\b|\b(?:bit|little) (?:tired|late|busy|confused)",
    ),
    Rule(
        "role",
        "identity",
        0.8,
        rf"{I_AM}{ADVERBS}(?:the |an? |our )?{ROLE}\b",
        unless=r"\bI'm (?:only|not only|first)\b(?! child)|\b(?:the )?only (?:one|here|asking"
        r"|trying)\b",
    ),
    Rule(
        "what I am for long",
        "identity",
        0.8,
        rf"(?:{I_AM}|{I_HAVE}been |I (?:was|became|went|turned|got) "
        rf"|I identify as )(?:{ADVERBS})(?:an? )?{LASTING}\b",
        unless=r"\b(?:afraid|scared) of (?:that|this|it|you)\b|\bsingle (?:one|time)\b"
        r"|\bstraight (?:to|up|forward|away|from|back|home)\b|\bfinish\w*\b|\bgood at (?:this"
        r"|that|it)\b|\binterested in (?:your|this|that|the|what|how|knowing|hearing)\b"
        r"|\b(?:sensitive|obsessed) (?:to|with) (?:this|that|it)\b|\bdead\b|\bblind to\b",
    ),
    Rule(
        "in a field or a part of life",
        "identity",
        0.6,
        rf"{I_AM}{ADVERBS}{_FIELD}\b",
    ),
    Rule(
        "work and study",
        "identity",
        0.8,
        rf"(?:{I} {ADVERBS}(?:work|freelance|teach|study|studied|worked|taught|consult"
        r"|research|volunteer|major|majored|minored|intern|interned|serve|served|practi[sc]e)"
        rf"|{I_AM}{ADVERBS}(?:working|studying"
        r"|teaching|freelancing|interning|majoring|doing (?:an?|my) (?:\w+ ){0,2}(?:phd"
        r"|master'?s?|mba|degree|bachelor'?s?|doctorate|internship|apprenticeship|residency"
        r"|postdoc)|employed|on the board|getting (?:an?|my) (?:\w+ )?(?:phd|master'?s?|mba"
        r"|degree))"
        rf"|{I_HAVE}{ADVERBS}(?:worked|been working|taught|been teaching|studied|been studying"
        rf"|been freelancing)) {ADVERBS}(?:as|at|for"
        r"|in|from|with|on (?:an?|my)"
        rf"|remotely|nights|part[- ]time|full[- ]time|shifts|there since|\w+)",
        unless=r"\b(?:work|working|worked) (?:on (?:this|that|it|the|a (?:bug|problem|fix))"
        r"|out\b(?! (?:every|at|in|three|twice|\w+ times))|hard\b|late\b|through)\b"
        r"|\bfor \w+ (?:hours|minutes)\b|\b(?:works?|worked) (?:fine|great|well|better|now)\b"
        r"|\bfor (?:my|an?|the) (?:exam|test|quiz)\b|\bserved? (?:you|dinner|as a reminder)\b",
    ),
    Rule(
        "childhood",
        "identity",
        0.8,
        rf"{I} {ADVERBS}grew up (?!so fast|too fast)\w",
    ),
    Rule(
        "faith and belonging",
        "identity",
        0.6,
        rf"{I} {ADVERBS}(?:believe in (?:god|allah|jesus|reincarnation|karma)|belong to\b"
        r"|attend\b|identify as\b"
        rf"|pray\b|support {CAPITAL}\w+|vote (?:for )?{CAPITAL}|converted to\b|observe \w+"
        rf"|celebrate {CAPITAL}|keep (?:kosher|halal|bees|chickens|goats|sabbath|shabbat))",
    ),
    Rule(
        "our team, our house",
        "identity",
        0.6,
        r"(?:our|my) (?:[\w-]+ ){0,2}?(?:company|team|office|department|startup|business|firm"
        r"|product|app|project|employer|school|university|club|band|choir|church|squad"
        r"|organi[sz]ation|group|codebase|backend|frontend|database|api|repo\w*|platform|website"
        r"|service|cluster|servers?|infrastructure|ci|pipeline|stack|tech stack|thesis|dissertation"
        r"|novel|book|podcast|blog|game|village|town|street"
        r"|neighbou?rhood)(?:'s \w+)? (?:\w+ )?(?:is (?:an?|the|called|named|in|on|at|about|based"
        r"|written|made|located|built|hosted|run|part|near|for|owned)|uses|runs|has|builds|makes"
        r"|sells|targets|deploys|lives|works|meets|employs|specialises|specializes|consists"
        r"|supports|stores|starts|ships|releases|follows|are|focuses|wins|plays|sits|belongs"
        r"|operates|develops|relies|depends|costs)\b",
        unless=r"\b(?:slow|down|broken|great|awesome|boring|useless|on fire)$|\bruns (?:slow"
        r"|fine)|is (?:in|on) (?:a|the) (?:mess|way)",
    ),
)
