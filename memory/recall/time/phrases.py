"""A date of a question with the words around it: "from 1 March to 5 April", "by the end of May".
Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory.dates.periods import shifted
from memory.dates.words import pattern
from memory.recall.time.occasions import Stretch
from memory.recall.time.wording import bare_start

_LEAD = pattern(
    r"\b(?P<word>as\s+(?:of|at)|before|prior\s+to|earlier\s+than|up\s+(?:to|until)|until|till|by"
    r"|no\s+later\s+than|after|later\s+than|(?:ever\s+)?since|from|starting|beginning|between"
    r"|back\s+(?:in|on)|(?:earlier|later)(?:\s+(?:in|on))?|in|on|at|during|over|within|for|of"
    r"|throughout|around|through)\s+(?:(?:the\s+)?(?:end|start|beginning|middle)\s+of\s+)?"
    r"(?:the\s+)?(?:(?:early|mid|late)[\s-]+)?$"
)
_CONNECTED = pattern(
    r"\s*(?:,|[-–]|(?:,\s*|\b)(?:and|or|to|until|till|through|up\s+to)\b)\s*"
    r"(?:(?:in|on|at|from|during)\s+)?(?:the\s+)?"
)
_ONWARDS = pattern(
    r"\s+(?:on\b(?=\s*(?:[?.!,;]|$)|\s+(?:what|where|who|how)\b)|onwards?\b|(?:to|until|till|up\s+to)\s+(?:now|the\s+present)\b)"
)
_POSSESSIVE = pattern(r"['’]s\b")
_RELATIVE = pattern(r"(?:today|tonight|tomorrow|yesterday|this|last|next)\b")
_PLACES = frozenset({"on", "in", "at"})


@dataclass(frozen=True)
class Phrase:
    """`words` say the time, with `preposition` in lower case, "" without one; `before` stands
    before the bare date `date`. `onwards` is that of "from May on"."""

    words: str
    preposition: str
    before: str
    date: str
    onwards: bool


def phrase_of(question: str, stretch: Stretch) -> Phrase:
    """ "What's on today" keeps its "on", and "in yesterday's meeting" its "in": they are not of the
    date."""
    core = bare_start(question, stretch.start, stretch.end)
    lead = _LEAD.search(question[:core])
    preposition = " ".join(lead["word"].lower().split()) if lead else ""
    onwards = _ONWARDS.match(question, stretch.end)
    possessive = _POSSESSIVE.match(question, stretch.end)
    start, end = core, onwards.end() if onwards else stretch.end
    if possessive:
        end = possessive.end()
    elif lead and not (preposition in _PLACES and _RELATIVE.match(question, core)):
        start = lead.start()
    date = question[core : stretch.end]
    return Phrase(question[start:end], preposition, question[:core], date, onwards is not None)


def joined(question: str, stretches: list[Stretch]) -> Stretch | None:
    """ "On Monday and Tuesday", "from 1 March to 5 April" as one; None where they are apart."""
    if not stretches:
        return None
    whole = stretches[0]
    for following in stretches[1:]:
        core = bare_start(question, following.start, following.end)
        if not _CONNECTED.fullmatch(question, whole.end, core):
            return None
        while whole.begins >= following.ends and whole.yearless:
            whole = replace(whole, begins=shifted(whole.begins, "year", -1))
        begins, ends = min(whole.begins, following.begins), max(whole.ends, following.ends)
        whole = replace(whole, end=following.end, begins=begins, ends=ends)
    return whole
