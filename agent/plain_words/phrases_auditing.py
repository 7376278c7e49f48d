"""How people ask what was done with their memory."""

from __future__ import annotations

from agent.plain_words.rules import rule

_MY_MEMORY = (
    r"(?:(?:all (?:of )?)?(?:my|your|the) (?:memory|memories|stored data|personal data|data)"
    r"|memory|the memories you have(?: of me)?)"
)
_WHEN = (
    r"(?:,? (?:recently|lately|today|yesterday|so far|tonight|automatically|on your own|ever"
    r"|by yourself|without asking|just now|since (?:then|yesterday|\w+day|last \w+|this \w+)"
    r"|earlier(?: today)?|on \w+day|this (?:week|morning|month|year|evening|afternoon)"
    r"|in (?:this|our last) (?:chat|conversation|session)|(?:in|over|during|for) the (?:last|past)"
    r" (?:\w+ )?(?:day|week|month|hour|year)s?|last (?:night|week|month|time|\w+day)"
    r"|(?:a|\w+) (?:days?|weeks?) ago))*"
)
_VERB = (
    r"(?:do|did|done|doing|chang(?:e|ed|ing)|touch(?:ed)?|alter(?:ed)?|wr(?:ite|ote|itten)"
    r"|delet(?:e|ed|ing)|remov(?:e|ed)|eras(?:e|ed)|sav(?:e|ed)|stor(?:e|ed)|add(?:ed|ing)?"
    r"|modif(?:y|ied)|edit(?:ed)?|updat(?:e|ed)|put|merg(?:e|ed)|trim(?:med)?|forg(?:et|ot|otten)"
    r"|replac(?:e|ed)|correct(?:ed)?|mov(?:e|ed)|drop(?:ped)?|clean(?:ed)? up|mess(?:ed)? with)"
)
_TO = r"(?:with|to|in|into|from|about|of|out of)"
_DONE = rf"{_VERB}(?: {_TO})?(?:,? (?:or|and|&) {_VERB}(?: {_TO})?)*"
_GONE = (
    r"(?:changed|deleted|removed|erased|added|edited|updated|merged|trimmed|forgotten|replaced"
    r"|altered|touched|written|modified|superseded)(?: (?:or|and) (?:changed|deleted|removed|added"
    r"|edited|updated|merged|erased))*"
)
_AUDIT = r"audit(?: (?:log|trail|history|record|records|entries|report))?"
_CHANGES = (
    r"(?:changes?|actions?|writes?|activity|activities|history|logs?|log entries|operations?|edits?"
    r"|updates?|deletions?|events?|modifications?|record|protocol|journal)"
)
_RECENT = r"(?:all|any|recent|latest|last|every|the|my|your|full|whole|complete|entire)"
_LOG = (
    rf"(?:(?:memory |my |the |your |full |whole |latest )*{_AUDIT}"
    rf"|(?:{_RECENT} )*(?:recent )?memory (?:log|audit|history|changes|change log|trail|activity"
    r"|operations|events|updates|journal|actions|edits)"
    r"|(?:the |my |your )*(?:activity|audit) (?:log|history|changes|trail)"
    rf"|(?:an? |the |my )?(?:history|log|list|overview|summary|record|report) of (?:all )?(?:the )?"
    rf"(?:recent )?(?:memory )?(?:changes|actions|edits)(?: (?:to|in|of|on) {_MY_MEMORY})?"
    rf"|(?:an? |the |my )?(?:history|log|change ?log|activity log|journal) (?:of|for"
    rf"|on) {_MY_MEMORY}"
    r"|(?:the |my |your )?memory changelog)"
)
_SHOW = (
    r"(?:show|list|display|open|print|see|view|give|read|check|get|look at|pull up|bring up|tell"
    r"|know|inspect|browse|have(?: a)? look at)(?: to)?(?: me| us)?"
)
_ALL = (
    r"(?:everything|what|whatever|anything|all|all the things|(?:all |every |the )+changes?"
    r"|(?:a|the) (?:log|history|list|summary|record|overview) of (?:what|everything|all))"
)

AUDIT = (
    rule(
        "audit",
        rf"(?:{_SHOW} )?{_LOG}(?: (?:of|for|on) {_MY_MEMORY})?{_WHEN}",
        rf"{_SHOW} (?:the|your|my) (?:change |activity )?log",
        rf"what (?:all |else |exactly )?(?:have you|did you|has been|was|you'?ve|you have|were you)"
        rf"(?: been)?{_WHEN} {_DONE} {_MY_MEMORY}{_WHEN}",
        rf"what (?:has |have |had )?(?:been )?(?:happened|happening|{_GONE}|gone on|going on|done) "
        rf"{_TO} {_MY_MEMORY}{_WHEN}",
        rf"what(?:'?s| has| is) (?:been )?(?:happened|happening|{_GONE}|gone on|going on"
        rf"|done) {_TO}"
        rf" {_MY_MEMORY}{_WHEN}",
        rf"what (?:was|were|is|got) (?:{_GONE}|done) {_TO} {_MY_MEMORY}{_WHEN}",
        rf"{_SHOW} (?:what(?:'s| has| was| is)?|everything(?: that| which)?(?:'s| has| was)?) ?"
        rf"(?:been )?(?:{_GONE}|happened|done|gone on) {_TO} {_MY_MEMORY}{_WHEN}",
        rf"{_SHOW} {_ALL}(?: that)? (?:you(?:'ve| have)?(?: ever| been)? {_DONE}"
        rf"|(?:was|were|has been|have been) {_DONE}|(?:has )?happened {_TO}|made {_TO}) ?"
        rf"{_MY_MEMORY}{_WHEN}",
        rf"{_SHOW} (?:{_RECENT} )*(?:memory )?{_CHANGES}(?: (?:made|taken))? "
        rf"(?:to|on|in|of|for|with|from) {_MY_MEMORY}{_WHEN}",
        rf"(?:{_RECENT} )*{_CHANGES} (?:made )?(?:to|in|of) {_MY_MEMORY}{_WHEN}",
        r"who(?:'?s| has| was| else)? (?:accessed|changed|touched|read|seen|looked at|edited"
        rf"|accessing|used|deleted from|added to|wrote to) {_MY_MEMORY}{_WHEN}",
        r"what (?:changes|actions|edits|updates) (?:have you|did you|were|have been)"
        rf" (?:made?|taken?|do|done)(?: (?:to|in|on|with) {_MY_MEMORY}){_WHEN}",
        rf"(?:have|did|has|was) (?:you|anything|something|anyone|somebody|anybody)"
        rf"(?: been| ever| also| really| secretly)* {_DONE}(?: (?:anything|something|things)"
        rf"(?: {_TO})?)? {_MY_MEMORY}{_WHEN}",
        rf"when (?:was|were|did) (?:{_MY_MEMORY} (?:last )?(?:changed|updated|edited|written)"
        rf"(?: last)?|you last (?:change|update|edit|touch|write to|clean up|merge) {_MY_MEMORY})",
        rf"(?:what|which) (?:of my )?memories (?:did you|have you|were|was|have been|got|has been)"
        rf" (?:recently |lately )?(?:{_GONE}|changed?|deleted?|added?|edit|update|forget|merge"
        rf"|remove|erase|trim|replace){_WHEN}",
        r"what (?:did you|have you) (?:forget|forgotten|delete|deleted|merge|merged|trim|trimmed)"
        r"(?: (?:or|and) \w+)? (?:recently|lately|automatically|on your own|by yourself)",
        r"what (?:did|have) you (?:save|saved|store|stored|add|added) (?:or|and) (?:delete|deleted"
        rf"|remove|removed|forget|forgotten|change|changed){_WHEN}",
        rf"audit (?:{_MY_MEMORY}|yourself)",
        leave=True,
    ),
)
