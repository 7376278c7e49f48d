"""What was moved, goes up, has ended, or is in other hands now."""

from __future__ import annotations

from memory.write.extraction.patterns.happenings import WHO
from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, PERSON, I

_DUE = (
    r"(?:rent|lease|mortgage|insurance|contract|tuition|childcare|daycare|subscription|salary|fees?"
    r"|membership|bill|budget|deadline|appointment|flight|train|meeting|stand-?up|wedding|party"
    r"|trip|holiday|exam|interview|call|review|lesson|class|session|surgery|operation|delivery"
    r"|launch|release|demo|move|viewing|hearing|concert|course|training|practice|rehearsal|sync"
    r"|retro|visit|check-?up|presentation|workshop|conference|due date|start date|birthday)"
)
_MOVED = (
    r"(?:(?:has |have |was |were |got |is |are |will be )?(?:been |being )?(?:moved|rescheduled"
    r"|postponed|pushed|changed|brought forward|put off|delayed|shifted|extended|raised|lowered"
    r"|cut|cancell?ed|called off)|slipped|slips|moves|goes (?:up|down)|went (?:up|down)|rose"
    r"|rises|increases?d?|drops?|dropped|fell|will (?:go up|rise|increase|drop|move))"
)

MOVES = (
    Rule(
        "was moved, goes up",
        "event",
        0.6,
        rf"(?:(?:my|our) (?:[\w'-]+ ){{1,4}}?|the (?:[\w'-]+ ){{0,3}}?{_DUE} (?:(?:with|for|to|at) "
        rf"[\w' ]{{2,30}}? )?){_MOVED} (?:.*\b)?(?:to|from|by|until|till|off|on|up|down|forward"
        rf"|back)\b",
        unless=rf"\bminutes?\b|^(?:my|our) (?:[\w-]+'s )?{PERSON}\b|\b(?:stock|market"
        rf"|temperature|price of (?:oil|gold))\b",
        today_too=True,
    ),
    Rule(
        "moved what is ours",
        "decision",
        0.6,
        rf"{I}(?:'ve| have)? {ADVERBS}(?:migrated|switched|moved|converted|upgraded|downgraded"
        rf"|rescheduled|postponed|pushed|brought) (?:(?:our|my) [\w' -]{{2,40}}|the (?:\w+"
        rf" ){{0,2}}(?:{_DUE}|back-?end|front-?end|database|servers?"
        r"|site|website|blog|code|codebase|pipeline|repos?|app|docs?|wiki|tickets|mail|ci|infrastructure|office|team))"
        r" (?:from [\w -]+ )?(?:to|until|forward|over)\b",
        unless=r"\bthe (?:file|button|line|text|image|cursor|couch|sofa|table|box|folder)\b|\bmy"
        r" (?:eyes|hand|head|feet|seat|chair|weight)\b",
        today_too=True,
    ),
    Rule(
        "is over, came off, was put in",
        "event",
        0.6,
        r"(?:my|our) (?:[\w'-]+ ){1,3}?(?:is over|are over|has ended|have ended|came off|expired"
        r"|ran out"
        r"|has healed|have healed|was installed|was fixed|was removed|was repaired|was sold|were"
        r" sold"
        r"|is gone|are gone|is back to normal)\b",
        unless=r"\b(?:shift|break|lunch|meeting|class|call|day|patience|luck|battery|milk|session|token)s?"
        r" (?:is|are|has|have|ran|expired)\b|\b(?:headache|hangover|cold)\b",
        today_too=True,
    ),
    Rule(
        "one has another now",
        "relationship",
        0.8,
        rf"{I}(?:'ve| have)? (?:got |have )?(?:an? )?new (?:boss|manager|landlord|landlady"
        rf"|dentist|doctor|gp"
        r"|therapist|teacher|coach|trainer|neighbou?rs?|colleague|team lead|supervisor"
        r"|accountant|nanny"
        r"|cleaner|address|phone number|number|email|job|flatmate|roommate)\b",
    ),
    Rule(
        "a regular meeting moved",
        "event",
        0.6,
        r"(?:the|my|our) (?:[\w-]+ ){0,2}(?:club|class|choir|band|practice|rehearsal|course"
        r"|lesson|meetup"
        r"|group|game night|training|seminar) (?:has |was |is |have |will be )?(?:moved|moves"
        r"|been moved"
        r"|now meets|meets|switched) .*\b(?:to|on) \w",
    ),
    Rule(
        "moved to another",
        "decision",
        0.6,
        rf"{I}(?:'ve| have)? {ADVERBS}(?:(?:upgraded|migrated|switched over|converted"
        rf"|downgraded) (?:from \S+ )?to"
        r" (?-i:[A-Z])|(?:raised|lowered|increased|cut|reduced|upped|set|changed) (?:my|our) [\w"
        r" ]{2,30} to \w)",
        unless=r"\b(?:volume|font|background|colou?r of (?:this|the)|theme|setting|password)\b",
        today_too=True,
    ),
    Rule(
        "is at another time, is off",
        "event",
        0.6,
        rf"(?:my|our|the) (?:[\w'-]+ ){{0,2}}?{_DUE}(?: (?:with|for|at) [\w' ]{{2,30}}?)?"
        rf" (?:(?:is|was|has been"
        r"|got) (?:cancell?ed|called off)|(?:is|are|starts|leaves) (?:now )?(?:at|on)"
        r" \w.*\b(?:now|instead))\W*$",
        today_too=True,
    ),
    Rule(
        "somebody moved what is mine",
        "event",
        0.6,
        r"(?:the|my|our) \w+ (?:has |have )?(?:moved|rescheduled|postponed|cancell?ed|pushed"
        r"|changed) (?:my|our) \w+",
        unless=r"\b(?:mood|mind|life|cheese|settings?)\b",
        today_too=True,
    ),
    Rule(
        "a doctor's change",
        "habit",
        0.8,
        r"my (?:doctor|gp|dietiti?an|cardiologist|psychiatrist|specialist) (?:took me off|put me on"
        r"|switched me to|stopped my|changed my)\b",
    ),
    Rule(
        "somebody is back, is out",
        "relationship",
        0.8,
        rf"{WHO} (?:is|are|came|got) (?:now )?(?:out of (?:the )?(?:hospital|prison|rehab|the army)"
        r"|back (?:from|in|at) )",
        unless=r"\b(?:shop|store|lunch|toilet)\b",
    ),
)
