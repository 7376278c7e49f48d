"""What one is only one of: a night owl or an early bird. Pure, English."""

from __future__ import annotations

import re

_LANGUAGES = (
    r"english|french|german|spanish|italian|norwegian|swedish|danish|finnish|dutch|portuguese"
    r"|polish"
    r"|russian|chinese|japanese|korean|arabic|hindi|turkish|greek|icelandic|czech|ukrainian"
)
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
