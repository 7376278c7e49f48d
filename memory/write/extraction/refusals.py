"""Why a sentence, or a clause of one, is not kept, whatever else it says. A table; English."""

from __future__ import annotations

import re

from memory.write.extraction.cuts import PLEASE, WORK_ON, compiled, first_of
from memory.write.extraction.words import NOW

SENTENCE: dict[str, tuple[str, ...]] = {
    "a joke": (
        r"\.\.\. ?not\W*$|\bNOT!+$",
        r"[😂🤣😜😝🤪😹🙃]",
        r"\b(?:lol|lmao|rofl|lmfao|haha\w*|hehe\w*|xd)\b(?!,? (?:yes|yeah|no)\b)",
        (
            r"\b(?:I'm|am|is) (?:\w+ ){0,2}(?:an?|the|real|like) (?:\w+ )?(?:king|queen|emperor"
            r"|pope|batman|superman|wizard|unicorn|potato|zombie|alien|robot|vampire|pirate"
            r"|dinosaur|dragon|napoleon|princess|billionaire)(?: of .{1,30}|,.*)?\W*$|\b(?:queen"
            r"|king|president|pope) of (?:england|france|the world|mars)\b"
        ),
        r"\b(?:a|one) (?:million|billion|thousand) (?:times|years|things)\b|\beat a horse\b",
        r"\ballergic to (?:mondays|work|mornings|stupid\w*|bullshit|effort|exercise)\b",
        r"\b(?:dying|dead) (?:of|from) (?:laughter|boredom|laughing)|\byeah,? right\b|\bas if\b",
    ),
    "hypothetical": (
        (
            r"\bif (?:I|we|my \w+) (?:were|was|had|lived|could|won|became|moved|ever|got|owned"
            r"|worked|knew|didn't|spoke|did|ate|met|ran|only|bought|wanted)\b"
        ),
        r"\b(?:I|we)(?: \w+)? wish\b|\b(?:I|we)'d (?:be|have|probably|never have)\b",
        (
            r"\b(?:I|we) (?:could|would)(?: probably| never)? have\b|\bwould (?:love|like"
            r"|have been) to be\b|\bhad I\b|\bwere I\b|\bin another life\b|\bI'd (?:love"
            r"|like) to (?:be|have been)\b"
        ),
        r"^(?:suppose|imagine|assuming|let's say|in theory|hypothetically)\b",
    ),
    "uncertain": (
        (
            r"\b(?:maybe|perhaps|possibly|might|not sure|I guess|I suppose|I wonder|I doubt"
            r"|we'll see|no idea|who knows|thinking (?:of|about|that)|considering|tempted"
            r"|probably|I (?:think|believe|feel like|reckon|assume) (?:that )?(?:I|we|it|my)\b"
            r"|toying with|undecided|can't decide|may (?:have|be|go|try|move|buy|want)|dreamt"
            r"|dreamed|in my dream)\b"
        ),
    ),
    "reported speech": (
        (
            r"\b(?:he|she|they|who|someone|somebody|people|everyone|everybody|\w+(?:er|or|ist|end"
            r"|om|ad|ss)) (?:\w+ )?(?:says?|said|told(?! me (?:not )?to\b)|tells|claims?|claimed"
            r"|thinks?|thought|believes?|asked|wrote|replied|insists?|keeps saying|swears?"
            r"|mentioned|suggested|argues?|joked|texted|announced|reckons)\b"
        ),
        (
            r"\b(?:my|our) (?:[\w-]+ ){1,3}?(?:says?|said|told(?! me (?:not )?to\b)|tells|claims?"
            r"|claimed|thinks?|thought|believes?|asked|wrote|replied|insists?|keeps saying"
            r"|swears?|mentioned|suggested|argues?|joked|texted|wants to know|reckons|complains?"
            r"|recommended)\b"
        ),
        (
            r"\b(?-i:[A-Z]\w+) (?:says|said|told|claims|claimed|thinks|thought|believes|wrote"
            r"|asked|replied|insists|mentioned|suggested|tweeted|announced|argues|once said)\b"
        ),
        (
            r"\baccording to\b|\bquote\b|\bapparently\b|\brumou?r\b|\bI (?:read|heard"
            r"|saw) (?:that|somewhere|on|in|an?|about)\b|\bsupposedly\b|\bthe (?:article|book"
            r"|news|study|post|song|movie|film|lyrics) (?:says|said|claims|goes)\b"
            r"|\bas the saying\b|\bthey say\b"
        ),
    ),
    "quoted": (
        r"^[\"“].*[\"”][.!?]?$",
        r"[\"“](?:[^\"”]{0,500} )?(?:I|I'm|I've|my|we|we're|our) [^\"”]{0,500}[\"”]",
        (
            r"(?:\b(?:says?|said|wrote|told|reads|goes|yelled|replied|translate|mean(?:s"
            r"|ing)?)\b[^\"“]{0,30})[\"“][^\"”]*\b(?:I|my|am)\b"
        ),
        r"(?:^|[\s:,])'(?:I|I'm|I've|my) [^']{2,80}'(?:\W|$)",
    ),
    "about a text": (
        rf"^{PLEASE}{WORK_ON}\b.{{0,60}}[\"“']",
        r"\bhow (?:do|would) (?:you|I) say\b|\bwhat does\b.{0,60}\bmean\b|\bis it correct\b",
    ),
}
CLAUSE: dict[str, tuple[str, ...]] = {
    "about this conversation": (
        (
            r"^I (?:just )?(?:mean|meant|said|asked|told you|was wondering|was thinking"
            r"|was asking|see|agree|understand|get it|know\b(?! how to| (?-i:[A-Z]))|think"
            r"|believe\b(?! in)|guess|hope\b(?! to)|bet|wonder|appreciate|mentioned|noticed|tried"
            r"|want you\b(?! to (?:always|never))|need you\b(?! to (?:always|never))|need help"
            r"|expect(?:ed)?|forgot|disagree|suppose|doubt|trust|apologi[sz]e|swear\b(?! by)"
            r"|promise|assume|figured|thought|didn't (?:mean|ask|say)|concur)\b"
        ),
        (
            r"\byour (?:last |previous |first |second )?(?:answer|reply|response|suggestion"
            r"|explanation|message|code|question|list|idea|advice|summary|help) (?:is|was|were"
            r"|didn't|doesn't|looks?|seems?)\b"
        ),
        (
            r"\b(?:above|below|the following|you (?:said|wrote|gave|suggested|mentioned|made|sent"
            r"|told))\b"
        ),
        (
            r"^(?:I|we)(?:'d| would) (?:rather not|like (?:you\b(?! to (?:always|never))|a|an"
            r"|some|the|more|your|help|another|that|this|it|to (?:know|ask|see|hear|talk|discuss"
            r"|understand)))\b"
        ),
        (
            r"^I'm (?:asking|talking about|referring|trying to (?:say|figure|understand|find|get"
            r"|fix|make)|wondering|sorry|afraid (?:I|that|not|you|we|it)|sure|not sure|glad"
            r"|happy (?:to|that|with|about)|curious|confused|stuck|done|ready"
            r"|back\b(?! (?:together|in my home))|good\b(?! at)|fine|ok(?:ay)?|here|all set"
            r"|in\b.*\b(?:hurry|rush)|aware|impressed|surprised|interested in (?:your|this|that"
            r"|the|what|how|knowing|hearing))\b"
        ),
    ),
    "a request": (
        (
            r"^(?:I|we) (?:really |just |also )?(?:want|need|would like"
            r"|expect) (?:you\b(?! to (?:always|never))|it to|this|that|your|help|some (?:help"
            r"|advice|ideas|inspiration)|advice|ideas|a (?:list|recipe|summary|table|function"
            r"|script|quick|plan|few|hand|break|second|minute|new (?:one|version))|more|another"
            r"|the)\b"
        ),
        (
            r"^(?:I'm|we're) (?:currently )?(?:(?:looking|searching) for(?! an? (?:new )?(?:job"
            r"|flat"
            r"|apartment|house|internship|place to live|flatmate|roommate)(?:\W*$| in\b))|hoping"
            r" (?:you|for)"
            r"|in need of)\b"
        ),
        (
            r"^(?:I|we) (?:need|have) to (?:go|leave|run|finish|write|send|call|buy|pick|do|get"
            r"|make|find|fix|prepare|submit|check|pay|clean|think|decide|know|understand|create"
            r"|say|admit|ask)\b(?!.*\b(?:every|always|each|never)\b)"
        ),
    ),
    "over in a moment": (
        (
            r"^(?:I'm|we're|I am) (?:about to|off to|on (?:the|my|a) (?:train|bus|way|plane|phone"
            r"|break|couch|sofa|call|road)|heading|going to (?:bed|sleep|work now|eat|take a"
            r"|have (?:lunch|dinner|breakfast|a)|try|grab|make|get some|call|check|cook|ask"
            r"|the (?:shop|store|gym|toilet))|busy|tired|hungry|late|bored|exhausted|hungover"
            r"|sick|stressed|freezing|cold|sleepy|at (?:home|work|the)|in (?:a"
            r"|the)\b(?! (?:wheelchair|band|choir|\w*-?relationship|middle of (?:writing|moving"
            r"|renovating|a divorce|my)))|sitting|waiting|running late|feeling"
            r"|having\b(?! (?:an? (?:\w+ )?(?:operation|baby|party|scan|procedure)|surgery|twins"
            r"|my|our))|eating|cooking|watching|leaving now)\b"
        ),
        (
            r"^(?:I|we) (?:feel|felt|ate|slept|overslept|woke|spilled|forgot|lost my (?:keys"
            r"|phone|wallet|umbrella|glasses|charger)|missed|gotta|have a (?:headache|cold|fever"
            r"|minute|moment|question|meeting (?:now|soon|in)|call))\b"
        ),
        (
            r"^(?:it's|it is|it was|it will|there's|there is|there are)\b(?!.*\bmy (?:birthday"
            r"|anniversary)\b)"
        ),
        r"\b(?:brb|gtg|ttyl|be right back)\b",
    ),
    "in trouble with a program": (
        (
            r"\b(?:error(?: message)?|exceptions?|traceback|stack\s*trace|segfault|crash(?:es|ed"
            r"|ing)?|undefined|not working|doesn't work(?! (?:at|for|in|as|with|on|from|nights"
            r"|full|part)\b)|won't (?:start|work|compile|load|boot"
            r"|open|turn on)|isn't working|stopped working|fails? (?:with|to)|returns? (?:null"
            r"|none|an?|the)|compil(?:e|es|ing)\b)\b"
        ),
    ),
}
NOW_OR_SOON = re.compile(rf"\b{NOW}(?:\W|$)", re.IGNORECASE)

_SENTENCE, _CLAUSE = compiled(SENTENCE), compiled(CLAUSE)


def sentence_refused(sentence: str) -> str | None:
    return first_of(_SENTENCE, sentence)


def clause_refused(clause: str) -> str | None:
    return first_of(_CLAUSE, clause)
