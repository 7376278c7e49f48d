"""What somebody says is over: left, sold, given up, finished, or no longer so. Pure, English.

It is the net beneath the slots: there the older memory was said in other words ("I quit the
choir" after "I sing in a choir").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.write.statements.ending_words import DONE, GENERIC, LIGHT, LIGHTEST
from memory.write.statements.wording import Statement, stems_of

_ONE = r"(?:i|we|(?:my|our) [\w-]+(?: (?!is|has|and|are)[\w-]+)?)"
_WHO = r"^(?:i|we|my \w+ and i|[a-z]+ and i|(?:my|our) [\w-]+(?: [\w-]+)?|[a-z]+)"
_HAVE = r"(?: (?:have|has|had|finally|just|recently|also|had to|then|now|already|actually|ever))*"
_OVER = (
    r"quit|left|leave|sold|cancell?ed|dropped(?: out of)?|drop|gave up(?: on)?|given up(?: on)?"
    r"|giving up(?: on)?|stopped|stepped down(?: as| from)?|got rid of|getting rid of|gave away"
    r"|given away|threw (?:out|away)|went off|gone off|came off|come off|moved out of|resigned"
    r"(?: as| from)?|ended|broke off|called off|traded in|traded|swapped|replaced|ditched|scrapped"
    r"|unsubscribed from|deleted|closed|lost|returned|retired(?: as| from)?|abandoned"
    r"|put|put down|outgrown|outgrew|done with|fed up with|tired of|switched from|migrated from"
    r"|shelved|binned|wound down|packed in|put off|gave my"
    r"|gave our|sold off|canned|switched away from|moved away from|moved off|got off|phased out"
    r"|took down|shut down|let"
    r" go of|is out of|are out of|am out of|came out of|got out of"
)
_ENDS = re.compile(rf"{_WHO}{_HAVE}(?: (?:am|are|is|was|be))? (?P<verb>{_OVER}) (?P<what>.+)$")
# Verbs that end something only where they speak of a club, a person or a thing of one's own.
_OF_ONE = frozenset({"left", "leave", "lost", "put", "returned", "closed", "stopped", "ended"})
_OWN = re.compile(r"^(?:my|our|the|[a-z]+ing\b|[a-z]+$|[a-z]+ (?:down|to sleep)$)")
_PLACE_LEFT = re.compile(
    r"^(?:my|our|the) (?:house|home|office|room|building|party|meeting|shop|door"
    r"|keys?|phone|kids|car|bike|light|table|bed|airport|restaurant)\b"
)
_NO_LONGER = re.compile(
    r"^.+? (?:(?:do|does|did|am|is|are|have|has|can|will|would|want|need) )?"
    r"(?:not (?P<not>.+?) (?:any ?more|any longer|after all)\b|(?:no longer|no more) (?P<no>.+)$)"
)
_INSTEAD = re.compile(
    r"(?:(?:,|,? (?:and|but)) not|,? (?:instead of|in place of)) (?P<what>[^,.;]+?)"
    r"(?: (?:any ?more|any longer|now))?$"
)
_ATTAINED = re.compile(
    rf"^{_ONE}(?: (?:have|has|finally|just|recently|now|already|had))* (?P<verb>\w+)(?:"
    r" (?P<what>.+))?$"
)
_MOVED_OUT = re.compile(r"^(?P<who>(?:my |our )?[\w-]+(?: [\w-]+)?) (?:has |have )?moved out\b")
_LONG_AGO = re.compile(
    r"\b(?:in|since|around) (?:19|20)\d\d\b|\b(?:years|decades) ago\b|\bas a \w+$"
)
_IS_DONE = re.compile(
    r"^(?:the|my|our) (?P<what>.+?) (?:(?:is|are) (?:now |finally )?(?:done|finished|complete|over"
    r"|completed|gone|behind (?:me|us))|has ended|have ended|came off|expired|has healed|have"
    r" healed)\b"
)
_GIVEN_AWAY = re.compile(
    r"^(?:i|we)(?: have| had to)? (?:gave|given|give) (?P<what>.+?) (?:away|up)\b"
)
_NEW_ONE = re.compile(
    r"^(?:i|we)(?: have)? (?:have|got|changed to) an? new (?P<what>boss|manager|landlord"
    r"|landlady|doctor|gp"
    r"|dentist|therapist|supervisor|team lead|address|phone number|coach|teacher)\b"
)
_AGAINST = re.compile(
    r"^(?:i|we)(?: have)? (?:decided|chose|chosen) (?:not to|against) (?P<what>.+)$"
)
_STRIVING = re.compile(
    rf"^{_ONE} (?:(?:am|are|is|has been|have been|really|still|also|currently) )*(?:want|would"
    rf" like|hope|plan"
    r"|intend|aim|dream|need|learning|studying|training|saving|planning|writing|renovating|building"
    r"|preparing|working on|working towards|trying|looking for|restoring|reading|applying|getting"
    r"|doing|taking|expecting|pregnant|study|studies|applied|searching|wants?|hopes|plans"
    r"|an? (?:[\w-]+ ){0,3}(?:student|intern|apprentice|trainee)|at (?:school|university"
    r"|college))\b"
    r"|^(?:my|our) (?:[\w-]+ ){0,3}?(?:goal|aim|dream|plan|target|resolution|ambition)\b"
)
_CUT = re.compile(
    r",|;| (?:and|but|because|since|so|as|due to|thanks to|which|after|when|while|for|in|on|last"
    r"|this|at|by|until|from|with|years?|months?|weeks?|yesterday|today|now|to) "
    r"| (?:and|but|yesterday|today|now|completely|entirely|altogether|again|already|for good"
    r"|for now|ago|in \d{4}|away|down|up)$"
)
_LEADING = re.compile(r"^(?:from|on|of|to|as|with|at|my|our|the|his|her|their) ")
_NARROWED = re.compile(
    r"\b(?:after|before|during|at night|at work|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|in the (?:morning|evening|afternoon)s?|every|when|if|without|as much|as often|so much"
    r"|until|unless)\b"
)


_DIED = re.compile(
    r"^(?P<who>.+?) (?:has |have )?(?:died|passed away|was put (?:down|to sleep)|had to be put"
    r" down)\b"
)
_PARTED = re.compile(
    r"^(?:(?P<one>[\w-]+) and i|i)(?: have| are| am)? (?:broke up|split up|split|separated|got"
    r" divorced"
    r"|divorced|parted ways|no longer together|not together)(?: (?:with|from) (?P<other>[\w-]+))?"
)
_ALLOWED = re.compile(
    r"^(?P<what>.+?) (?:is|are) (?:now )?(?:fine|ok|okay|allowed|welcome|possible)\b"
    r".*\b(?:now|again|with me|for me)\b"
)


@dataclass(frozen=True)
class Ended:
    """`what`: the stems of what is over; `beside`: what else was said of it, such as where."""

    what: frozenset[str]
    beside: frozenset[str]
    narrowed: bool = False


def ended_by(clause: Statement) -> tuple[Ended, ...]:
    """All that the clause says is over; () where nothing is."""
    lower = clause.said.lower()
    found = []
    if (match := _ENDS.match(lower)) and _is_own(match):
        found.append(_ended(match["what"]))
    told = (pattern.match(lower) for pattern in (_IS_DONE, _GIVEN_AWAY))
    found += [_ended(match["what"]) for match in told if match]
    if match := _AGAINST.match(lower):
        found.append(_ended(match["what"], all_of_it=True))
    if match := _NO_LONGER.match(lower):
        found.append(_ended(match["not"] or match["no"]))
    elif match := _INSTEAD.search(lower):
        found.append(_ended(match["what"]))
    return tuple(each for each in found if each.what)


def attained_by(clause: Statement) -> Ended | None:
    """What the clause says was reached, bought or finished."""
    lower = clause.said.lower()
    if clause.negated:
        return None
    match = _ATTAINED.match(lower)
    if match is None or match["verb"] not in DONE or _LONG_AGO.search(lower):
        return None
    ended = _ended(match["what"] or "")
    return ended if ended.what else None


def gone(clause: Statement) -> tuple[frozenset[str], bool]:
    """Who died or moved out, by the words for them, and whether they only moved out."""
    lower = clause.said.lower()
    if match := _DIED.match(lower):
        return frozenset(stems_of(match["who"])), False
    match = _MOVED_OUT.match(lower)
    return (frozenset(stems_of(match["who"])) if match else frozenset()), True


def parted_from(clause: Statement) -> frozenset[str]:
    """Whom one is no longer with, by name."""
    match = _PARTED.match(clause.said.lower())
    return frozenset(stems_of(match["one"] or match["other"] or "")) if match else frozenset()


def another_for(clause: Statement) -> re.Pattern[str] | None:
    """How the older memory begins that named the one whom somebody new has followed."""
    match = _NEW_ONE.match(clause.said.lower())
    return re.compile(rf"(?:my|our) {match['what']}(?:'s name)? is \w") if match else None


def allowed_by(clause: Statement) -> Ended | None:
    """What is said to be fine again, which was ruled out before."""
    match = None if clause.negated else _ALLOWED.match(clause.said.lower())
    return _ended(match["what"]) if match else None


def is_striving(old: Statement) -> bool:
    """Whether it tells of a goal, a course or a search, which an end is to come of."""
    return _STRIVING.match(old.said.lower()) is not None and not old.negated


def _is_own(match: re.Match[str]) -> bool:
    if match["verb"] not in _OF_ONE:
        return True
    what = match["what"]
    return _OWN.match(what) is not None and _PLACE_LEFT.match(what) is None


def _ended(text: str, *, all_of_it: bool = False) -> Ended:
    text = _LEADING.sub("", text)
    cut = _CUT.search(text)
    what = text[: cut.start()] if cut else text
    beside = text[cut.end() :] if cut else ""
    stems = frozenset(stems_of(what))
    if not all_of_it:
        stems = stems - LIGHT or stems - LIGHTEST
        stems = stems - GENERIC or stems
    if not stems and cut:
        stems, beside = frozenset(stems_of(beside)) - LIGHT, ""
    return Ended(stems, frozenset(stems_of(beside)), _NARROWED.search(text) is not None)
