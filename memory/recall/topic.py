"""Questions for all that is known of one thing: "What do you know about Anna?". Pure, English."""

from __future__ import annotations

import re

_LEAD = (
    r"(?:(?:and|so|but|hey|hi|hello|ok|okay|please|(?:can|could|would) you(?: please)?)\b[\s,!.]*)*"
)
_KEPT = r"(?:kept|noted|written|stored|saved|got|told you)(?: down)?"
_FRAME = re.compile(
    rf"^\s*{_LEAD}(?:what (?:do|did) (?:you|we|i) (?:know|have|keep|store|remember)(?: {_KEPT})?"
    rf"|what have (?:you|we|i) {_KEPT}|what(?:'s| is|’s)? (?:known|there|noted|stored)"
    r"|(?:tell me (?:again )?|is there |do (?:you|i) (?:know|have) |have (?:you|i) got )?"
    r"(?:anything|everything|something|whatever(?: there is)?|all)"
    rf"(?: that)?(?: (?:you|we|i) (?:know|have)| {_KEPT})?|tell me(?: more| again| what you know)*"
    r"|remind me(?: again)?)"
    r"\s+(?:about|on|of|concerning|regarding)\s+(?P<topic>[^?.!,;]{2,60}?)\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_MOST_WORDS = 4


def whole_topic(question: str) -> str | None:
    """The thing of which everything is asked for, in the question's words; None where it asks for
    something of it, or names it in a sentence rather than in a word or three."""
    match = _FRAME.match(question)
    if match is None or len(match["topic"].split()) > _MOST_WORDS:
        return None
    return match["topic"]
