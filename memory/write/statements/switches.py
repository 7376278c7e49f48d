"""What somebody went over from, and to what. Pure, English."""

from __future__ import annotations

import re

from memory.write.statements.wording import stems_of

# How one deals with what one can go over from.
VERBS = ("use", "drink", "lik", "eat", "driv", "wear", "plai", "tak", "subscrib")
_FROM_TO = re.compile(
    r"^(?:have )?(?:switched|moved|migrated|changed|went"
    r"|converted)(?: (?:my )?(?P<what>[\w-]+?)s?)? from"
    r" (?P<old>[^,.;]+?) (?:over )?to (?P<new>[^,.;]+?)(?: (?:for|as|because|since|in)\b.*)?$"
)
_TO_FROM = re.compile(r"^(?:have )?(?:switched|migrated) to (?P<new>.+?) from (?P<old>[^,.;]+)$")
_FOR = re.compile(
    r"^(?:have )?(?:replaced|traded|swapped|exchanged|ditched"
    r"|dropped)(?: in)? (?:my )?(?P<old>[^,.;]+?)"
    r" (?:with|for|by) (?:an? )?(?P<new>[^,.;]+)$"
)
_ATTAINED = re.compile(r"^(?:have )?(?:found|got|bought) (?:an?|my|our|the) (?P<thing>[\w -]+)$")
_STRIVING = ("look", "sav", "want", "want bui", "need", "search")
_INSTEAD = re.compile(
    r"^(?P<verb>[\w-]+) (?P<new>[^,.;]+?) (?:instead of|in place of|and not) (?P<old>[^,.;]+)$"
)


def switch_of(predicate: str) -> tuple[list[str], list[str]]:
    """What is done now and what no longer, each as stems with their verb; ([], []) where nothing
    was exchanged. The words do not say how the old one was used, so that each verb may be meant."""
    if match := _INSTEAD.match(predicate):
        return [_stems(match["verb"], match["new"])], [_stems(match["verb"], match["old"])]
    if match := _ATTAINED.match(predicate):
        wanted = [_stems(verb, match["thing"]) for verb in _STRIVING]
        return [_stems("", match["thing"])], wanted
    match = _FROM_TO.match(predicate) or _TO_FROM.match(predicate) or _FOR.match(predicate)
    if match is None:
        return [], []
    what = match.groupdict().get("what")
    verbs = (*VERBS, *stems_of(what or ""), "")
    return [_stems("use", match["new"])], [_stems(verb, match["old"]) for verb in verbs]


def _stems(verb: str, thing: str) -> str:
    return " ".join((*stems_of(verb), *stems_of(thing)))
