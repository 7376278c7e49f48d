"""How people tell to put a memory in other words."""

from __future__ import annotations

from agent.plain_words.fragments import ABOUT, MY_DETAIL, ONE_MEMORY
from agent.plain_words.objects import is_clean
from agent.plain_words.rules import rule

_EDIT = (
    r"(?:edit|correct|fix|amend|rectify|update|change|revise|rewrite|reword|rephrase|modify|adjust)"
)
_FIRM = r"(?:correct|amend|rectify)"
_THAT = rf"(?:that|this|it|{ONE_MEMORY})"
_TO = (
    r"(?:\s*(?::|,|-|–|—)\s*| to (?:say|read|be)(?: that)?:? | to ?(?::\s*)?"
    r"| so (?:that )?it (?:says|reads) (?:that )?| with:? | into |: )"
)
# A new wording says something of the user; “change that to bullet points” speaks of a reply.
_OF_ONESELF = (
    r"(?:(?:i|i'\w+|im|ive|we|we'\w+)\b.+"
    r"|(?:[\w'-]+ ){0,5}?[\w'-]+(?:'s| (?:is|are|was|were|has|have|lives?|works?"
    r"|likes?|loves?"
    r"|hates?|prefers?|moved|owns?))\b.+"
    r"|[\"“«][^\"”»]+[\"”»])"
)

EDITING = (
    rule(
        "edit",
        rf"(?:edit|correction)\s*:\s*(?P<text>{_OF_ONESELF})",
        rf"(?:{_EDIT}|replace|make) {ONE_MEMORY}{_TO}(?P<text>.+)",
        rf"{_FIRM} (?:that|it) to:? (?:say |read |be )?(?P<text>.+)",
        rf"(?:edit|correct|fix|amend|update|change|revise) (?:that|it){_TO}(?P<text>{_OF_ONESELF})",
        rf"(?:rewrite|reword|rephrase|record|put) (?:that|it) (?:as|to):? (?P<text>{_OF_ONESELF})",
        rf"make (?:{ONE_MEMORY}|that|it) (?:say|read)(?: that)?:? (?P<text>{_OF_ONESELF})",
        rf"replace (?:that|this|it) (?:with|by):? (?P<text>{_OF_ONESELF})",
        rf"(?:it|that|this|{ONE_MEMORY}) (?:should|must|ought to|needs to) (?:say"
        rf"|read)(?: that)?:? (?P<text>{_OF_ONESELF})",
        rf"(?:it|that|this|{ONE_MEMORY}) should (?:actually |really )?be:? (?P<text>{_OF_ONESELF})",
        rf"(?:edit|correct|amend|update|rectify) (?:that|it|{ONE_MEMORY})",
        rf"(?:edit|correct|fix|amend|update|change|reword|rephrase|modify) {ONE_MEMORY}",
    ),
    rule(
        "edit",
        rf"(?:{_EDIT}|replace) (?:the|my|your) (?:memory|fact|note|entry) (?:{ABOUT}|of) "
        rf"(?P<about>[^:]+?){_TO}(?P<text>.+)",
        rf"{_EDIT} what you (?:know|remember|have(?: saved| stored)?) (?:{ABOUT}) (?P<about>[^:]+?)"
        rf"{_TO}(?P<text>.+)",
        rf"{_EDIT} (?P<about>{MY_DETAIL})(?: in (?:your |my )?memory)?(?:: | to (?:be "
        rf"|say )?)(?P<text>.+)",
        rf"{_EDIT} (?P<about>(?:my|our) [^:,]{{1,60}}?) in (?:your |my )?memory(?:: | to (?:be "
        rf"|say )?)"
        r"(?P<text>.+)",
        rf"(?:{_EDIT}|replace) [\"“«](?P<about>[^\"”»]+)[\"”»] (?:to|with|by|into):? (?P<text>.+)",
        rf"{_EDIT} (?:the|my|your) (?:memory|fact|entry) (?:{ABOUT}|of) (?P<about>[^:]+)",
        rf"{_EDIT} what you (?:know|remember|have(?: saved| stored)?) {ABOUT} (?P<about>(?:my"
        rf"|our) [^:]+)",
        about=is_clean,
    ),
)
