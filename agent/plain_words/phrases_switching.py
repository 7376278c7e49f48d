"""How people turn memory on, off, and to read-only."""

from __future__ import annotations

from agent.plain_words.fragments import DO_NOT, FOR_A_WHILE, MEMORY
from agent.plain_words.fragments_switching import (
    I_SAY,
    NEW,
    NOT_WRITE,
    OFF,
    ON,
    PERMIT,
    READ,
    READ_ONLY,
    REMEMBERING,
    STORE,
    THINGS,
)
from agent.plain_words.rules import rule

MEMORY_SWITCH = (
    rule(
        "memory_read_only",
        rf"(?:make|set|put|switch|turn|change|keep) (?:{MEMORY}|yourself) (?:to |into |in |on "
        rf"|as )?"
        rf"(?:a )?{READ_ONLY}(?: mode| only)?{FOR_A_WHILE}",
        rf"i(?:'?d| would)? (?:want|like|need) {MEMORY} (?:to be )?(?:in "
        rf")?{READ_ONLY}(?: mode)?{FOR_A_WHILE}",
        rf"{MEMORY}(?: mode)?:? ?(?:to |in |into |should be |is |must be "
        rf"|on )?{READ_ONLY}(?: mode)?{FOR_A_WHILE}",
        rf"(?:only )?(?:use|read|recall) (?:only )?(?:the |my |your )?(?:existing|old|stored"
        rf"|saved|current) "
        rf"(?:memories|memory|facts)(?: only)?{FOR_A_WHILE}",
        rf"(?:(?:go|be|switch to|switch into|change to|turn on|enable|activate|use|enter|start"
        rf"|set) )?"
        rf"(?:a |the )?{READ_ONLY}(?: (?:memory|memories))?(?: mode)?(?: on)?{FOR_A_WHILE}",
        rf"turn (?:the )?{READ_ONLY}(?: mode| memory)? on{FOR_A_WHILE}",
        rf"use {MEMORY} (?:in |as )?{READ_ONLY}(?: mode)?{FOR_A_WHILE}",
        rf"(?:keep|leave) {MEMORY}(?: as (?:it is|they are))?,? (?:but|and) {NOT_WRITE}",
        rf"only read(?: from)? {MEMORY}(?:,? {NOT_WRITE})?|read,? (?:but )?(?:don'?t"
        rf"|do not) write",
        rf"{PERMIT}{READ},? ?(?:but|and|,|without)? ?(?:please )?{NOT_WRITE}{FOR_A_WHILE}",
        rf"{NOT_WRITE}{FOR_A_WHILE}(?: please)?,? ?(?:but|and|just|only|while"
        rf"|,)? ?(?:please )?{PERMIT}{READ}"
        rf"{FOR_A_WHILE}",
        rf"(?:don'?t|do not|never|stop) (?:{STORE}|{REMEMBERING}|adding|add)(?: anything"
        rf"| things| facts"
        rf"| memories| any| stuff)?{NEW}(?: (?:things|facts|memories|stuff))?,? "
        rf"(?:but|just|only|and) {PERMIT}(?:{READ}|keep what you (?:have|know))",
        rf"(?:don'?t|do not|stop) (?:{STORE}|{REMEMBERING}|adding|add|making|make|creating"
        rf"|create) "
        r"(?:anything |any |things |stuff )?(?:new|additional)(?: (?:things|facts|memories"
        r"|stuff|ones|"
        rf"information))?(?: to {MEMORY}| about me)?{FOR_A_WHILE}",
        rf"(?:don'?t|do not|stop|never) (?:{STORE}|{REMEMBERING}|adding|add) (?:any )?new "
        rf"(?:memories|things|facts|stuff),? (?:but|and|just) {PERMIT}{READ}{FOR_A_WHILE}",
        rf"(?:don'?t|do not|stop|never) (?:writ(?:e|ing)|add(?:ing)?)(?: (?:anything|things"
        rf"|stuff))?"
        rf"(?: new| else| more)? to {MEMORY}{FOR_A_WHILE}",
        rf"no (?:more )?(?:new|additional) memories{FOR_A_WHILE}",
    ),
    rule(
        "memory_off",
        rf"(?:{OFF}) {MEMORY}{FOR_A_WHILE}",
        rf"(?:turn|switch|shut|put) {MEMORY} (?:back )?off{FOR_A_WHILE}",
        rf"(?:keep|leave|have|make) {MEMORY} (?:turned |switched )?(?:off|disabled|inactive)"
        rf"{FOR_A_WHILE}",
        rf"(?:set|change) {MEMORY}(?: mode)? to (?:off|disabled|none){FOR_A_WHILE}",
        rf"{MEMORY}(?: mode)?:? ?(?:should be |must be |to )?(?:off|disabled){FOR_A_WHILE}",
        rf"no (?:more )?(?:memory|remembering|memories){FOR_A_WHILE}"
        rf"|no more {REMEMBERING} {THINGS}{FOR_A_WHILE}",
        rf"i(?:'?d| would)? (?:want|like|need) {MEMORY} (?:to be )?(?:turned "
        rf"|switched )?off{FOR_A_WHILE}",
        rf"put {MEMORY} on (?:pause|hold){FOR_A_WHILE}",
        rf"(?:stop|quit) (?:making|creating|forming|building|keeping|adding|collecting) (?:any "
        rf"|more )?memories"
        rf"(?: (?:of|about|from) .{{1,30}})?{FOR_A_WHILE}",
        rf"(?:stop|quit) (?:keeping track of|tracking) (?:me|{THINGS}){I_SAY}{FOR_A_WHILE}",
        rf"(?:stop|quit) remembering me{FOR_A_WHILE}",
        rf"(?:stop|quit|cease) (?:remembering|saving {THINGS}|storing {THINGS}|keeping memories"
        rf"|recording {THINGS}|{REMEMBERING} {THINGS})(?: about me)?{I_SAY}{FOR_A_WHILE}",
        rf"(?:stop|quit|cease) (?:learning|collecting data|keeping notes|taking notes"
        rf"|storing data|saving data)"
        rf" (?:about|on|from) me{FOR_A_WHILE}",
        rf"{DO_NOT} {STORE} {THINGS}{I_SAY}{FOR_A_WHILE}",
        rf"i (?:don'?t|do not) want (?:{THINGS}|to be)(?: i (?:say|tell you))?(?: to be)? "
        rf"(?:remembered|saved|stored|recorded|kept){FOR_A_WHILE}",
        rf"(?:remember|save|store|keep) nothing(?: about me)?{FOR_A_WHILE}",
        rf"(?:stop using|{DO_NOT} use) {MEMORY}{FOR_A_WHILE}",
        rf"{DO_NOT} (?:have|keep|make|create|form) (?:any )?memories(?: of me"
        rf"| about me)?{FOR_A_WHILE}",
    ),
    rule(
        "memory_on",
        rf"(?:{ON}) {MEMORY}(?: back on)?{FOR_A_WHILE}",
        rf"(?:turn|switch|put|bring) {MEMORY} (?:back )?on{FOR_A_WHILE}",
        rf"(?:turn|switch) back {MEMORY} on{FOR_A_WHILE}",
        rf"(?:keep|leave|have|make) {MEMORY} (?:turned |switched )?(?:on|enabled|active)"
        rf"{FOR_A_WHILE}",
        rf"use {MEMORY}(?: as (?:normal|usual|before))? again{FOR_A_WHILE}",
        rf"(?:set|change|switch|put|turn) {MEMORY}(?: mode)? (?:back )?to (?:on|full|enabled|normal"
        rf"|read[- ](?:and[- ])?write){FOR_A_WHILE}",
        rf"{MEMORY}(?: mode)?:? ?(?:back )?(?:on|enabled|full){FOR_A_WHILE}",
        rf"i(?:'?d| would)? (?:want|like|need) {MEMORY} (?:to be )?(?:turned "
        rf"|switched )?(?:back )?on{FOR_A_WHILE}",
        rf"start using {MEMORY}(?: again)?{FOR_A_WHILE}|un-?freeze {MEMORY}{FOR_A_WHILE}",
        rf"full memory(?: mode)?(?: on)?{FOR_A_WHILE}",
        rf"(?:start|begin|resume|restart|go back to|get back to)(?: to)? (?:remember"
        rf"|remembering|(?:save|store|{REMEMBERING}) {THINGS})(?: {THINGS})?{I_SAY}{FOR_A_WHILE}",
        rf"(?:remember|save|store) (?:{THINGS}{I_SAY} )?again{FOR_A_WHILE}",
        rf"(?:use|have|bring back) {MEMORY} again{FOR_A_WHILE}",
        rf"(?:turn off|disable|leave|exit|end|stop|quit) {READ_ONLY}(?: (?:mode"
        rf"|memory))?{FOR_A_WHILE}",
        rf"turn {READ_ONLY}(?: (?:mode|memory))? off{FOR_A_WHILE}|{READ_ONLY}(?: (?:mode"
        rf"|memory))? off",
    ),
)
