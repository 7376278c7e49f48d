"""What must never and what must always be done, and what somebody cannot."""

from __future__ import annotations

from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, I_AM, I

_FORBIDDEN = (
    r"eat|drink|digest|tolerate|have (?:\w+ )?(?:dairy|gluten|nuts|sugar|caffeine|alcohol|pets"
    r"|salt|spicy|fish|eggs|milk|meat|kids)|take (?:penicillin|ibuprofen|aspirin|time off|calls"
    r"|meetings)|do (?:mornings|weekends|\w+days|spicy|dairy|gluten|early)|work (?:on|before"
    r"|after|past|nights|weekends|from|more|late)|travel|fly|lift|drive(?: at| in| on|$)"
    r"|run because|meet (?:on|before|after)|attend|spend more|afford|smoke|go (?:out on|over)"
    r"|be (?:around|near)|sleep (?:without|with|after|if)|stand for|park|wear|pay more"
    r"|use (?:whatsapp|facebook|google|(?:the )?stairs|public)|make (?:meetings|it on)"
    r"|keep (?:pets|a)|swim|have people over"
)

CONSTRAINTS = (
    Rule(
        "standing rule",
        "constraint",
        0.8,
        r"(?:please |rule\s*(?:#?\d+)?\s*:\s*|(?:at|in|on|for|before|after|when|whenever|if"
        r"|during) [^,]{2,60},\s*(?:please |you (?:must|should) )?)?(?:never|always|don't ever"
        r"|do not ever|under no circumstances) (?!mind|again|heard|knew|thought|a\b|an\b|the\b"
        r"|been|and\b|good|nice|happy|glad|ever\b|say never|fails?\b|gonna|in my|seen"
        r"|forget (?:that|to|about)|too\b|better|more|so\b|fun|lies?\b|works? |look on"
        r"|trust the process|had|have I|did|was\b|is\b|wanted|loved|liked|hated"
        r"|remember (?:that you|to)|give up|stop (?:dreaming|learning))\w+ \w",
        unless=r"\bthe bright side\b|\bforget (?:this|that)\b",
    ),
    Rule(
        "do not … before, on, without",
        "constraint",
        0.8,
        r"(?:please )?(?:don't|do not) (?:schedule|book|plan|call|phone|ring|text|message|wake"
        r"|email"
        r"|e-mail|disturb|contact|send|put|suggest|recommend|offer|order|buy|use|add|invite|remind"
        r"|propose|mention|give|deploy|merge|push|commit|release) (?!this\b|that\b|it\b)[^,;]*"
        r"\b(?:before|after|between|on \w+days?|at night|during|without|until|unless|in the"
        r" (?:morning|evening|afternoon)s?|with|past|for (?:me|us)|at weekends|to me)\b",
        unless=r"\b(?:today|tomorrow|tonight|yet|this (?:time|one|answer)|the (?:answer|code|list"
        r"|table|function))\b|\bme\W*$(?<!for me)",
    ),
    Rule(
        "from now on",
        "constraint",
        0.8,
        r"(?:from now on|going forward|in (?:the )?future|as of (?:today|now))\s*,?\s*(?:please "
        r"|I want you to |you should )?(?!will\b|I (?:might|may|hope)|it\b|there\b|cars\b"
        r"|people\b|humans\b)\w+ \w+",
        today_too=True,
    ),
    Rule(
        "must and must not",
        "constraint",
        0.8,
        r"(?!(?:it|that|this|there|he|she|you must be|who|what|one|something|I must (?:say|admit"
        r"|go|confess|be|have|leave|finish|run|ask|stop|know|get|send|write|call|buy)"
        r"|we must (?:go|leave|be|have)|they|water|humans|people|plants|atoms"
        r"|players?)\b)(?!you should\b)[\w'][^,.;]{0,80}? (?:must(?: (?:not|never|always))?"
        r"|mustn't|may (?:not|only|never|push|merge|deploy|enter|access)|(?:is|are) (?:not|never"
        r"|only|strictly )?\s*(?:allowed|permitted|forbidden|prohibited|off[- ]limits|mandatory"
        r"|required|banned)|aren't allowed|isn't allowed|should (?:never|always|not be)"
        r"|shouldn't be|(?:has|have|needs?) to (?:always|be (?:approved|reviewed|signed|tested)"
        r"|[^,]{1,40}\b(?:every|each|always|before|never)\b)) \w",
        unless=r"\bmust (?:have been|be (?:kidding|joking|nice|hard|the|a\b|wrong|missing"
        r"|something|\w+ (?:in|this|at) (?:spring|summer|winter|autumn|night|there)|lovely|great"
        r"|cold|hot|fun|amazing))\b|^nothing\b|\bin this (?:text|sentence|example)\b|\bin chess\b"
        r"|\bin general\b|\bI must (?:say|admit)\b|^(?:I|we) must \w+$",
    ),
    Rule(
        "how it is done here",
        "constraint",
        0.8,
        r"(?:nothing|nobody|no one|everything|every \w+|all \w+) \w+ .*\b(?:without|until|unless"
        r"|only after)\b .*\w|(?:the )?(?:deploy(?:s|ments?)?|releases?|merges|migrations"
        r"|meetings|invoices|reviews|prs|pull requests|backups|tests|tickets|standups?|hotfixes"
        r"|commits) (?:only )?(?:go|goes|happen|happens|run|runs|start|starts|need|needs|require"
        r"|requires|are (?:done|made|sent|paid|frozen)|take place|end|ends) .*\b(?:only"
        r"|on \w+days?|before|after|every|never|always|at \d|approv\w+|without|until)\b",
        unless=r"\b(?:was|were|happened|compares|lasts|yesterday)\b|^everything (?:is|was)\b",
    ),
    Rule(
        "no … before, on, in",
        "constraint",
        0.8,
        r"(?:no|zero) (?!one\b|idea|problem|worries|way|need|thanks|doubt|rush|offen[cs]e|clue"
        r"|wonder|matter|big|longer|news|luck|comment|more questions)(?:[\w-]+ ){1,4}(?:before"
        r"|after|on|in|during|without|between|at|from|until|past|over|above|under|for (?:me|us"
        r"|my)|near|allowed)\b.*\w",
        unless=r"\b(?:was|were|has been|had|came)\b|\bin the (?:fridge|pantry|bank)\b|\bside\b"
        r"|\btoday\b|\bin sight\b|\bin (?:this|that|my head)\b|\bat all\b$",
    ),
    Rule(
        "cannot, may not",
        "constraint",
        0.8,
        rf"(?:{I} {ADVERBS}(?:can't|cannot|can not|may not|mustn't|must not|shouldn't)"
        rf"|{I_AM}(?:not|only) allowed to) {ADVERBS}(?:{_FORBIDDEN})\b",
        unless=r"\b(?:this|that|it)\W*$|\bright now\b|\b(?:eat|drink) (?:any ?more|another|this)\b"
        r"|\bafford (?:it|this|that|to lose)\b",
    ),
    Rule(
        "can only, has to",
        "constraint",
        0.8,
        rf"{I} {ADVERBS}(?:can only|only (?:eat|drink|buy|use|work|fly|travel|have time|take)"
        r"|(?:have|need) to (?:avoid|wear|take (?!a\b)|limit|be (?:home|at|in bed)|pick up"
        r"|get up)|need (?:at least|a wheelchair|glasses|insulin|subtitles|quiet|silence)) ?\w",
        unless=r"\b(?:this|that|it)\W*$|\bright now\b|\bonly (?:see|get|find|guess|imagine|hope)\b"
        r"|\b(?:pick up|be at|be home) (?!.*\b(?:every|each|by|at|salt|sugar|gluten|dairy|alcohol"
        r"|\w+s)\b)|\bcan only (?:see|get|find|guess|imagine|hope|agree|say)\b",
    ),
    Rule(
        "doctor's orders",
        "constraint",
        0.8,
        r"my (?:doctor|gp|dietiti?an|physio\w*|therapist|dentist|cardiologist|midwife"
        r"|psychiatrist) (?:told|advised|ordered|wants|asked) me (?:not )?to \w+",
    ),
    Rule(
        "allergic",
        "constraint",
        0.8,
        rf"(?:{I_AM}{ADVERBS}|severely |deathly )?(?:allergic|intolerant"
        r"|lactose[- ]intolerant|gluten[- ](?:intolerant|free)|celiac|coeliac)(?: to\b|\W|$)"
        r"|(?:my|our) (?:\w+ )?(?:budget|deadline|limit|maximum|allergy|curfew"
        r"|quota)(?: for [^,]{2,40}?)? (?:is|are)\b",
        unless=r"\b(?:recipes?|restaurants?|products?)\b|\bto (?:work|mondays|bullshit|stupid\w*"
        r"|effort|mornings)\b",
    ),
)
