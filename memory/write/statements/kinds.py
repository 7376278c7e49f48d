"""What one is only one of: a night owl or an early bird. Pure, English."""

from __future__ import annotations

import re

_LANGUAGES = (
    r"english|french|german|spanish|italian|norwegian|swedish|danish|finnish|dutch|portuguese"
    r"|polish"
    r"|russian|chinese|japanese|korean|arabic|hindi|turkish|greek|icelandic|czech|ukrainian"
)
_CHILD = r"(?:baby|boy|girl|son|daughter|twins|child)"
_ATTENDS = r"(?:is in|am at|is at|goes? to|started|started at|attends)"
_TO_WORK = r"to (?:work|the office|school)"
# Name, then each value with the predicates that say it.
_KINDS: dict[str, dict[str, str]] = {
    "sleep": {
        "night owl": r"(?:am|is) (?:an? )?(?:night owl|evening person|night person)",
        "early bird": r"(?:am|is) (?:an? )?(?:early bird|early riser|morning person|lark)",
    },
    "temper": {
        "introvert": r"(?:am|is) (?:an? )?introvert(?:ed)?",
        "extrovert": r"(?:am|is) (?:an? )?extr[ao]vert(?:ed)?",
    },
    "hand": {
        "left": r"(?:am|is) (?:a )?left[- ]hand(?:ed|er)",
        "right": r"(?:am|is) (?:a )?right[- ]hand(?:ed|er)",
    },
    "household": {
        "alone": r"lives? (?:alone|by (?:my|her|him)self|on my own)",
        "home": r"(?:lives? in|moved (?:in)?to) an? (?:care|nursing|retirement) home\b.*",
        "shared": r"(?:lives? with|shares? an? (?:\w+ )?(?:flat|apartment|house|room) with) .+",
    },
    "hours": {
        "full": r"(?:works?|am|is|went|go|goes) full[- ]time",
        "part": r"(?:works?|am|is|went|go|goes) part[- ]time",
    },
    "shift": {
        "night": r"(?:works?|am on|is on|does|do) (?:the )?night shifts?",
        "day": r"(?:works?|am on|is on|does|do) (?:the )?(?:day|early|morning) shifts?",
        "late": r"(?:works?|am on|is on|does|do) (?:the )?(?:late|evening) shifts?",
    },
    "expecting": {
        "pregnant": r"(?:am|is|are) (?:\w+ (?:weeks|months) )?"
        rf"(?:pregnant|expecting an? {_CHILD})\b.*",
        "born": rf"(?:have )?(?:had|gave birth to) (?:the|our|my|a|her) {_CHILD}\b.*"
        r"|(?:have )?gave birth\b.*",
    },
    "school": {
        "kindergarten": rf"{_ATTENDS} (?:kindergarten|daycare|nursery|preschool)\b.*",
        "primary": rf"{_ATTENDS} (?:primary|elementary)(?: school)?\b.*",
        "secondary": rf"{_ATTENDS} (?:secondary|middle|high) ?school\b.*",
        "university": rf"{_ATTENDS} (?:university|college|uni)\b.*",
    },
    "commute": {
        "public": r"(?:takes?|go(?:es)? by|commutes? (?:by|on)|catch(?:es)?) (?:the )?(?:bus|train"
        r"|tram|metro|subway|tube|ferry)(?: to (?:work|the office|school))?",
        "bike": rf"(?:cycles?|bikes?|rides? my bike|take the bike) {_TO_WORK}|commutes? by bike",
        "car": rf"(?:drives?|take the car) {_TO_WORK}|commutes? by car",
        "foot": rf"(?:walks?|go on foot) {_TO_WORK}",
    },
    "workplace": {
        "remote": r"works? (?:fully )?(?:remotely|remote|from home)(?: full[- ]time)?",
        "office": r"works? (?:from|in|at) (?:the|an|my) office(?: full[- ]time)?",
    },
}
_COMPILED = {
    name: {value: re.compile(rf"^{pattern}$") for value, pattern in kinds.items()}
    for name, kinds in _KINDS.items()
}
_REPLY = re.compile(
    r"^(?:please )?(?:(?:i )?(?:want|prefer|like) (?:you to )?(?:to )?)?(?:reply|replies|answers?"
    r"|respond"
    rf"|responses|write|talk|speak)(?: to me)? in (?P<language>{_LANGUAGES})$"
)


def kind_of(predicate: str) -> tuple[str, str] | None:
    """("sleep", "night owl"), or ("reply language", "french") of how one wants to be answered."""
    if match := _REPLY.match(predicate):
        return "reply language", match["language"]
    for name, kinds in _COMPILED.items():
        for value, pattern in kinds.items():
            if pattern.match(predicate):
                return name, value
    return None
