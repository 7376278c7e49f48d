"""Which clauses of a sentence are kept together, because one of them alone says half. Pure.

"I sold the Volvo, I only cycle now" is one change; "I grow beans there" needs its allotment.
"""

from __future__ import annotations

import re

from memory.write.extraction.words import CAPITAL, DATE, KIN, MY_PERSON, PET, SOCIAL

_POINTS_BACK = re.compile(
    r"\b(?:there|them|one|ones|him|her|his|their|theirs|both of|instead)\b|\b(?:its|it)\b"
    r"(?! (?:is|was)\b|'s\b)|^(?:he|she|they|it)\b",
    re.IGNORECASE,
)
_SELF_CONTAINED = re.compile(r"\b(?:who|that|which|is there|are there|there (?:is|are))\b", re.I)
_OVER = re.compile(
    r"\b(?:quit|sold|left|stopped|gave up|given up|dropped|cancell?ed|finished|graduated|got rid of"
    r"|no longer|any ?more|traded|switched from|went off|gone off|retired|resigned|broke up"
    r"|split up"
    r"|replaced|ditched|moved out|(?:changed|switched) (?:banks|doctors|dentists|jobs|teams"
    r"|schools|gyms|phones|my mind|our minds?)"
    r"|(?:don't|didn't|not) want|stepped down|got a raise)\b",
    re.IGNORECASE,
)
_SINCE_THEN = re.compile(
    r"\b(?:now|instead|these days|nowadays|again|since then|prefer|bought|started|joined|switched"
    r"|took up|moved)\b",
    re.IGNORECASE,
)
_PART_IN_IT = re.compile(
    r"^(?:I'm|I am|we're|we are) (?:in charge|responsible|bringing|giving|hosting|cooking|playing"
    r"|speaking|organi[sz]ing|helping|invited|driving|making|the )|^(?:I|we) (?:have|need|must)"
    r" (?:to )?(?:give|bring|make|cook|play|speak|bake|organi[sz]e|help|prepare|pay|be|hold"
    r"|host)\b",
    re.IGNORECASE,
)
_DATED = re.compile(rf"\b{DATE}", re.IGNORECASE)
_PERSON = re.compile(rf"^{MY_PERSON}(?:,? (?!is\b|has\b|was\b|and\b){CAPITAL}\w+)?", re.IGNORECASE)
_HAS = (
    rf"(?P<has>\b(?:have|'ve|got|adopted|bought)\b[^,.;]*?\b(?:{KIN}|{SOCIAL}|{PET})"
    rf"|^(?:my|our) (?:\w+ )?(?:{KIN}|{SOCIAL}|{PET}))"
)
_ITS_NAME = re.compile(
    rf"{_HAS}(?P<now> (?:now|already|too))?(?:,| and|,? and)? (?:his|her|its|their) names?(?:'s| is"
    rf"| are) (?P<name>{CAPITAL}\w+)",
    re.IGNORECASE,
)
_NAME_FIRST = re.compile(
    rf"^(?P<name>{CAPITAL}\w+), (?P<who>(?:my|our) (?:\w+ )?(?:{KIN}|{SOCIAL}|{PET})), (?=\w)",
    re.IGNORECASE,
)


def named_at_once(sentence: str) -> str:
    """ "I have a dog, his name is Moss" → "I have a dog named Moss"; "Ines, my wife, is a judge"
    → "My wife Ines is a judge"."""
    sentence = _NAME_FIRST.sub(
        lambda found: f"{found['who'][0].upper()}{found['who'][1:]} {found['name']} ", sentence
    )
    return _ITS_NAME.sub(
        lambda found: f"{found['has']} named {found['name']}{found['now'] or ''}", sentence
    )


def belong_together(first: str, second: str) -> bool:
    """Whether the second of two clauses is only understood beside the first, or with it tells of
    one change, one person or one occasion."""
    return (
        _points_back(second)
        or is_one_change(first, second)
        or _same_person(first, second)
        or (_DATED.search(first) is not None and _PART_IN_IT.match(second) is not None)
    )


def is_one_change(first: str, second: str) -> bool:
    """Whether the first says what is over, and the second what is so instead."""
    over, since = (_OVER.search(first), _SINCE_THEN.search(second))
    return over is not None and since is not None


def _points_back(second: str) -> bool:
    return _POINTS_BACK.search(second) is not None and not _SELF_CONTAINED.search(second)


def _same_person(first: str, second: str) -> bool:
    ours, theirs = _PERSON.match(first), _PERSON.match(second)
    return ours is not None and theirs is not None and ours[0].lower() == theirs[0].lower()
