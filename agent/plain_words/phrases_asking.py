"""How people ask what is kept about something."""

from __future__ import annotations

import re

from agent.plain_words.fragments import ABOUT, YOU_HAVE_KEPT
from agent.plain_words.fragments_showing import (
    ALL,
    DO_YOU,
    HAVE_YOU,
    IN_MEMORY,
    KEPT,
    KNOW,
    SHOW,
    STILL,
    WHAT,
)
from agent.plain_words.objects import is_clean, is_mine, is_named
from agent.plain_words.rules import rule
from agent.plain_words.sentence import Sentence, fold


def _is_topic(words: str, sentence: Sentence) -> bool:
    """Anything but the assistant itself and a clause that goes on."""
    return is_clean(words, sentence) and _OF_ITSELF.match(fold(words)) is None


_OF_ITSELF = re.compile(
    r"(?:you|your|yourself)\b|(?:me|myself)\b(?! and\b)|our (?:solar system|galaxy|planet"
    r"|universe|world|species|society|ancestors)\b|being\b|when\b|the time\b",
    re.IGNORECASE,
)
_FIND = (
    r"(?:show|list|display|find|give|tell|search(?: for)?|look(?: up| for)?|pull up|get|fetch"
    r"|see|read)(?: me| us)?"
)
_ANY = r"(?:(?:all|every|any|the|my|your|of|some|stored|saved|pinned) )*"

ASKING_ABOUT = (
    rule(
        "about",
        rf"{WHAT} {DO_YOU} (?:remember|recall|have {KEPT}) (?:anything )?{ABOUT} (?P<about>.+)",
        rf"{WHAT} {HAVE_YOU} (?:got )?{KEPT}(?: down)? {ABOUT} (?P<about>.+)",
        rf"{WHAT} {HAVE_YOU} got {IN_MEMORY} {ABOUT} (?P<about>.+)",
        rf"{WHAT} {DO_YOU} have {IN_MEMORY} {ABOUT} (?P<about>.+)",
        rf"{WHAT} (?:have i|did i ask you to remember|have i ever"
        rf"|i have) told you {ABOUT} (?P<about>.+)",
        rf"what did i (?:ask|tell) you to (?:remember|keep|save) {ABOUT} (?P<about>.+)",
        rf"what(?:'?s| is|s) (?:(?:saved|stored|kept|remembered|recorded)(?: {IN_MEMORY})?"
        rf"|{IN_MEMORY})"
        rf" {ABOUT} (?P<about>.+)",
        rf"(?:what|which) memories (?:do you have|have you (?:got|kept)|are there)(?: {KEPT})? "
        rf"(?:{ABOUT}|of) (?P<about>.+)",
        rf"(?:is there|is|do you have|have you got)? ?anything (?:saved|stored|kept|on file"
        rf"|{IN_MEMORY}) "
        rf"{ABOUT} (?P<about>.+)",
        rf"(?:is there|do you have|have you got) anything {ABOUT} (?P<about>.+) {IN_MEMORY}",
        rf"anything {ABOUT} (?P<about>.+) {IN_MEMORY}",
        r"do you (?:still )?(?:remember|recall)(?: anything| something| stuff"
        r"| things)? about (?P<about>.+)",
        rf"(?:have|did) you (?:save|saved|store|stored|keep|kept|remember|remembered|note|noted"
        rf"|got)"
        rf" anything {ABOUT} (?P<about>.+)",
        r"(?:do you (?:still )?remember|recall) anything "
        rf"(?:that )?i(?:'ve)? (?:ever )?(?:said|told you|mentioned) {ABOUT} (?P<about>.+)",
        r"(?:which|what) memories (?:mention|are about|concern|involve|talk about|contain|include) "
        r"(?P<about>.+)",
        rf"{SHOW} {ALL} {ABOUT} (?P<about>.+) {IN_MEMORY}",
        rf"anything (?:that )?you(?:'ve)? (?:still )?(?:remember(?:ed)?|saved|stored|kept) {ABOUT} "
        r"(?P<about>.+)",
        rf"do you have any memor(?:y|ies) (?:{ABOUT}|of) (?P<about>.+)",
        rf"{_FIND} {_ANY}(?:memory|memories) (?:you have |you've got |we have )?"
        rf"(?:{ABOUT}|of|that mention) (?P<about>.+)",
        rf"{SHOW} {ALL} (?:that )?(?:you{STILL} (?:remember|recall)"
        rf"|{YOU_HAVE_KEPT}) {ABOUT} (?P<about>.+)",
        rf"{SHOW} {ALL} (?:is )?(?:{IN_MEMORY}|saved|stored) {ABOUT} (?P<about>.+)",
        r"(?:search|look (?:in|into|through)|check|go through|query) (?:my|your) "
        r"(?:memory|memories) (?:for|about) (?:anything (?:about|on) )?(?P<about>.+)",
        r"(?:look up|search for|find|search|look for) (?:anything (?:about|on) )?(?P<about>.+) "
        r"in (?:your|my) (?:memory|memories)",
        about=_is_topic,
        leave=True,
    ),
    rule(
        "about",
        r"search (?:the )?(?:memory|memories) for (?P<about>.+)",
        r"(?:look up|search for|find|look for) (?P<about>.+) in (?:the )?(?:memory|memories)",
        about=is_named,
        leave=True,
    ),
    # “What do you know about Kubernetes?” asks for knowledge, not for memories.
    rule(
        "about",
        rf"{WHAT} {DO_YOU} (?:know|remember|recall|have|got|know or remember) (?:about|on"
        rf"|of) (?P<about>.+)",
        rf"{WHAT} {HAVE_YOU} (?:got|learned|learnt|picked up|gathered) {ABOUT} (?P<about>.+)",
        r"what can you recall about (?P<about>.+)",
        rf"(?:do you know|do you have|have you got|have you learned) (?:anything|something"
        rf"|any (?:facts|info"
        rf"|information|details)) {ABOUT} (?P<about>.+)",
        rf"{SHOW} {ALL} (?:that )?{KNOW} (?:{ABOUT}|of) (?P<about>.+)",
        rf"what (?:have i|i have|i'?ve)(?: ever)? (?:said|shared|mentioned|told)(?: (?:to"
        rf"|with) you)? "
        rf"{ABOUT} (?P<about>.+)",
        rf"(?:anything|everything|all|what) you know {ABOUT} (?P<about>.+)",
        rf"{SHOW} everything (?:{ABOUT}|on) (?P<about>(?:my|our) .+)",
        r"how much do you (?:know|remember) about (?P<about>.+)",
        rf"what (?:facts|information|info|details|data) (?:do you have"
        rf"|are there) {ABOUT} (?P<about>.+)",
        about=lambda words, sentence: _is_topic(words, sentence) and is_mine(words, sentence),
        leave=True,
    ),
    rule(
        "about",
        r"what do you remember about (?:that|this|it|them)",
        leave=True,
    ),
)
