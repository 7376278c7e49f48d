"""How people start and end incognito, where nothing of the conversation is kept."""

from __future__ import annotations

from agent.plain_words.fragments import DO_NOT, FOR_A_WHILE, FOR_THIS_CHAT, MEMORY, THIS_CHAT
from agent.plain_words.fragments_switching import (
    I_SAY,
    NOT_WRITE,
    OFF,
    PERMIT,
    READ,
    READ_ONLY,
    REMEMBERING,
    STORE,
    THINGS,
)
from agent.plain_words.rules import rule

_INCOGNITO = (
    r"(?:incognito|(?:private|privacy|off[- ]the[- ]record|ghost|stealth|temporary|no[- ]trace)"
    r"[- ](?:mode|chat|session|conversation))"
    r"(?:[- ](?:mode|chat|session|conversation|state))?"
)
_GO = (
    r"(?:go|going|start|enter|enable|activate|use|turn on|switch on|switch (?:us |this "
    r"|over )?(?:in)?to"
    r"|change (?:in)?to|begin|open|engage|launch|initiate|move (?:in)?to|get into|have|i want"
    r"|i need"
    rf"|(?:make|set|turn|switch|put|take)(?: {THIS_CHAT}| us| me| yourself| this| it| things)"
    r"(?: (?:to|in|into|as))?|continue(?: in)?|talk|chat|speak)"
    r"(?: (?:in|into|to|with))?(?: (?:an?|the|my|some))?(?: new)?"
)
_LEAVE = (
    r"(?:leave|exit|stop|end|quit|disable|deactivate|turn off|switch off|shut off|close|finish"
    r"|cancel"
    r"|get out of|come out of|go out of|get me out of|take me out of|drop|out of|come back from"
    r"|back from|be done with|i'?m done with|we'?re done with|done with|no more|stop being"
    r"|end of|stop being|stop (?:the )?going|enough(?: of)?|turn (?:it|this) off,?"
    r"|undo)(?: (?:the|this|my))?"
)
_STILL_READS = rf"(?:,? ?(?:but|and|while|with|where)?,? ?(?:please )?{PERMIT}{READ})"

INCOGNITO = (
    rule(
        "incognito_read_only",
        rf"(?:{_GO} )?(?:an? )?{READ_ONLY},? {_INCOGNITO}(?: on)?{FOR_THIS_CHAT}?{FOR_A_WHILE}",
        rf"(?:{_GO} )?{_INCOGNITO}(?: on)?{FOR_THIS_CHAT}?,?(?: (?:but|in|and|as|with))?"
        rf"(?: (?:a )?memory)? ?[(]?{READ_ONLY}(?: (?:mode|memory|access))?[)]?{FOR_THIS_CHAT}?",
        rf"(?:{_GO} )?{_INCOGNITO}(?: on)?{FOR_THIS_CHAT}?{_STILL_READS}{FOR_THIS_CHAT}?",
        rf"(?:{_GO} )?{_INCOGNITO},? (?:but )?with (?:read "
        rf"|reading )?(?:access to )?{MEMORY}(?: on)?",
        rf"(?:make|set|put|switch|turn)(?: (?:memory|it|this))? ?(?:{THIS_CHAT})? (?:to |into "
        rf"|in )?"
        rf"{READ_ONLY}(?: mode)?{FOR_THIS_CHAT}",
        rf"(?:make|set|keep|put|switch) (?:{THIS_CHAT}) (?:to |into |in )?{READ_ONLY}(?: mode)?",
        rf"(?:(?:go|use|switch to|turn on|enable|start) )?{READ_ONLY}(?: (?:memory|mode))?"
        rf"(?: on)?{FOR_THIS_CHAT}",
        rf"{MEMORY} (?:to |in )?{READ_ONLY}{FOR_THIS_CHAT}",
        rf"{PERMIT}{READ},? (?:but|and),? (?:please )?(?:don'?t|do not|never) "
        rf"{STORE} (?:anything (?:from|in|about|said in) )?{THIS_CHAT}",
        rf"{PERMIT}{READ}{FOR_THIS_CHAT},? (?:but|and),? (?:please )?(?:don'?t|do not|never) "
        rf"{STORE} (?:anything(?: (?:from|about|said in) it)?|it)",
        rf"(?:don'?t|do not) {STORE} (?:anything (?:from|in|about) )?{THIS_CHAT},? "
        rf"(?:but|and),? {PERMIT}{READ}",
        rf"{PERMIT}{READ},? (?:but|and),? {NOT_WRITE}{FOR_THIS_CHAT}",
        rf"only read(?: from)? {MEMORY}{FOR_THIS_CHAT}",
    ),
    rule(
        "incognito_off",
        rf"{_LEAVE} {_INCOGNITO}(?: now)?{FOR_THIS_CHAT}?{FOR_A_WHILE}",
        rf"(?:turn|switch|shut) {_INCOGNITO}(?: back)? off(?: again)?{FOR_THIS_CHAT}?",
        rf"{_INCOGNITO}:? (?:off|over|done|end|ends|finished|stop)(?: now)?",
        r"(?:i'?m |we'?re )?done being incognito|no longer incognito|stop being private"
        r"|go back to normal",
        r"(?:go |be |get |come )?back on the record(?: now)?|we'?re back on the record",
        r"(?:go |switch |change |get |come |let'?s go )?back to (?:the )?(?:normal|regular|ordinary"
        r"|non-incognito|usual)(?: (?:mode|chat|memory))",
        rf"(?:make|set) {THIS_CHAT} (?:back to )?(?:normal|regular|public|non-incognito"
        rf"|not private)"
        r"(?: again)?",
        rf"(?:{THIS_CHAT}) (?:doesn'?t|does not|no longer)(?: needs?| has| have)? to be "
        r"(?:incognito|private|off the record)(?: any ?more)?",
        rf"(?:turn|switch) {MEMORY} (?:back )?on(?: again)?{FOR_THIS_CHAT}",
        rf"(?:turn|switch) (?:back )?on {MEMORY}{FOR_THIS_CHAT}",
    ),
    rule(
        "incognito_on",
        rf"(?:{_GO} )?{_INCOGNITO}(?: (?:on|now|mode|please))?{FOR_THIS_CHAT}?{FOR_A_WHILE}",
        rf"(?:turn|switch) (?:the )?{_INCOGNITO}(?: "
        rf"back)? on(?: again)?{FOR_THIS_CHAT}?{FOR_A_WHILE}",
        rf"(?:go|be|turn) private{FOR_THIS_CHAT}?{FOR_A_WHILE}",
        rf"(?:go|be|switch to|talk|chat|speak"
        rf"|continue)(?: this)? off[- ]the[- ]record{FOR_THIS_CHAT}?{FOR_A_WHILE}",
        rf"off the record{FOR_THIS_CHAT}",
        r"(?:talk|chat|speak) (?:privately|in private)(?: now)?",
        rf"(?:make|keep|set|mark) {THIS_CHAT} (?:as |to )?(?:totally |completely "
        rf"|strictly )?(?:private"
        r"|off the record|incognito|secret|temporary|unsaved|out of (?:your |my |the )?memory)",
        r"this is (?:an? )?(?:strictly )?(?:private|incognito|temporary|secret) "
        r"(?:chat|conversation|session)",
        rf"i(?:'?d| would)? (?:like|want|need) {THIS_CHAT} (?:to be |to stay |kept )?"
        r"(?:private|incognito|off the record|temporary|unsaved)",
        rf"forget (?:everything|anything|whatever|all) (?:i|we) say{FOR_THIS_CHAT}",
        rf"{DO_NOT} {STORE} (?:anything|what|whatever|things) (?:i|we) (?:say|tell you|write"
        rf"|discuss)"
        rf"(?: ?{FOR_THIS_CHAT})",
        rf"new {_INCOGNITO}|go dark",
        rf"i(?:'?d| would)? (?:like|want|need|prefer) (?:an? |this "
        rf"|the )?(?:new )?{_INCOGNITO}(?: please)?",
        rf"{DO_NOT} (?:keep|make|have|take) (?:a |any )?(?:records?|notes?|logs?|trace) (?:of|on"
        rf"|about) {THIS_CHAT}",
        rf"{THIS_CHAT} (?:is|should be|should stay|stays|needs to be|must be|has to be|will be) "
        r"(?:totally |completely |strictly )?(?:private|off the record|incognito|temporary)",
        rf"{THIS_CHAT} (?:shouldn'?t|should not|must not|mustn'?t|is not to|isn'?t to|need not"
        r"|doesn'?t need to) be (?:remembered|saved|stored|kept|recorded|logged)",
        rf"{DO_NOT} {STORE} (?:(?:anything|any of|what(?:ever)?|a word|things?|stuff|something)"
        rf"(?: else)?(?: (?:i say|i tell you|said|we say|that'?s said|we discuss))? ?"
        rf"(?:(?:from|in|of|about|during|for) )?)?{THIS_CHAT}",
        rf"(?:{OFF}) {MEMORY}{FOR_THIS_CHAT}",
        rf"(?:turn|switch|shut|put) {MEMORY} off{FOR_THIS_CHAT}",
        rf"{MEMORY} off{FOR_THIS_CHAT}|no memory{FOR_THIS_CHAT}",
        rf"(?:{DO_NOT} learn|stop learning)(?: anything| things)? from {THIS_CHAT}",
        rf"stop {REMEMBERING}(?: {THINGS})?{I_SAY} ?(?:{FOR_THIS_CHAT}|{THIS_CHAT})",
        rf"{DO_NOT} use {MEMORY}{FOR_THIS_CHAT}",
        rf"(?:remember|save|store|keep) nothing{FOR_THIS_CHAT}|leave no trace{FOR_THIS_CHAT}?",
        rf"nothing (?:i say )?(?:from|in|of) {THIS_CHAT} (?:should|must|may|is to) be "
        r"(?:saved|remembered|kept|stored|recorded)",
        r"start (?:an? )?(?:private|temporary|secret|unsaved) (?:chat|session|conversation)",
    ),
)
