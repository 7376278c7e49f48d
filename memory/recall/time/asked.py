"""The time that a question asks about: "last week", "before I moved", "as of 1 March 2026". Pure.

English. A question gets none where its words of time may belong to something else in it, since
a window that is wrong hides the answer, and none that is missing only finds too much.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from memory.dates.periods import midnight
from memory.dates.tense import Tense
from memory.recall.time.anchors import Anchor, find_anchors
from memory.recall.time.occasions import Stretch
from memory.recall.time.phrases import Phrase, joined, phrase_of
from memory.recall.time.stretches import find_stretches
from memory.recall.time.wording import (
    LONGEST_QUESTION,
    asks_for_state,
    asks_what_was_known,
    asks_what_was_told,
    comes_each_year,
    is_beside_topic,
    is_part_of_thing,
    measures_time,
    says_what_is_always_so,
    speaks_of_habit,
    tense_of,
)

Kind = Literal["within", "before", "after", "as_of"]
Sought = Literal["event", "state", "telling", "thing"]

_BEFORE_ITS_BEGINNING = frozenset({"before", "prior to", "earlier than"})
_BEFORE_ITS_END = frozenset({"until", "till", "up to", "up until", "by", "no later than"})
_AFTER_ITS_BEGINNING = frozenset({"since", "ever since", "starting", "beginning"})
_AFTER_ITS_END = frozenset({"after", "later than"})
_AS_OF = frozenset({"as of", "as at"})
_OF_A_THING = frozenset({"on", "in", "at", "of", "for", "from"})


@dataclass(frozen=True)
class TimeAsked:
    """From `start` up to, without, `end`; None is open. `words` are the question's own that say it.

    With an `anchor` the question counts from an event: both ends are open until the moment of that
    event is known. `as_of` asks what was known at `end`. `sought` says what the time is that of:
    what happened, what was so for a while (which may have begun before), what the user told or was
    remembered, or a thing beside the topic of the question, which other times may tell of too.
    """

    start: datetime | None
    end: datetime | None
    words: str
    anchor: str | None = None
    kind: Kind = "within"
    sought: Sought = "event"


def time_asked(question: str, now: datetime) -> TimeAsked | None:
    """The one time that the question gives, in the offset of `now`; None where it gives none,
    several, or one that may be part of what is asked for. A question for a time gives none."""
    if len(question) > LONGEST_QUESTION or measures_time(question):
        return None
    try:
        stretches = find_stretches(question, now)
        anchors = list(_anchors(question, stretches))
        if anchors:
            return _counted_from(question, anchors, stretches)
        whole = joined(question, stretches)
        return None if whole is None else _asked(question, whole, now)
    except (ValueError, OverflowError):  # a day beyond the calendar
        return None


def _anchors(question: str, stretches: list[Stretch]) -> list[Anchor]:
    """Without those that are dates: "before the 3rd of May"."""
    return [
        anchor
        for anchor in find_anchors(question)
        if not any(each.start <= anchor.at < each.end for each in stretches)
    ]


def _counted_from(
    question: str, anchors: list[Anchor], stretches: list[Stretch]
) -> TimeAsked | None:
    """An anchor that names its own date, "after the meeting on Friday", is a moment known."""
    anchor = anchors[0]
    within = [each for each in stretches if anchor.at <= each.start and each.end <= anchor.end]
    if len(anchors) > 1 or len(within) < len(stretches) or len(within) > 1:
        return None
    moment = within[0].begins if within else None
    is_before = anchor.relation == "before"
    return TimeAsked(
        start=None if is_before else moment,
        end=moment if is_before else None,
        words=question[anchor.start : anchor.end],
        anchor=None if within else anchor.event,
        kind=anchor.relation,
        sought=_sought(question),
    )


def _asked(question: str, stretch: Stretch, now: datetime) -> TimeAsked | None:
    phrase = phrase_of(question, stretch)
    tense = tense_of(question, stretch.start, stretch.end)
    word = phrase.preposition
    if word not in _AS_OF and _is_doubtful(question, stretch, phrase, tense, now):
        return None
    beside = word in _OF_A_THING and is_beside_topic(phrase.before)
    asked = TimeAsked(
        stretch.begins, stretch.ends, phrase.words, sought="thing" if beside else _sought(question)
    )
    if word == "from" and (phrase.onwards or stretch.begins > now):
        word = "since"
    return _related(asked, word, question, now, looks_back=tense == "past")


def _is_doubtful(
    question: str, stretch: Stretch, phrase: Phrase, tense: Tense, now: datetime
) -> bool:
    """Whether the date may be that of a thing, of a habit, or of any year."""
    if is_part_of_thing(phrase.before, phrase.date):
        return True
    if comes_each_year(question, yearless=stretch.yearless):
        return True
    if tense == "past":
        return False
    if stretch.yearless and (says_what_is_always_so(question) or _is_open(stretch, tense, now)):
        return True
    return speaks_of_habit(question)


def _is_open(stretch: Stretch, tense: Tense, now: datetime) -> bool:
    """Without a verb nothing tells the last May from the next."""
    return tense == "unknown" and stretch.begins > now


def _related(
    asked: TimeAsked, word: str, question: str, now: datetime, *, looks_back: bool
) -> TimeAsked | None:
    begins, ends = asked.start, asked.end
    if begins is None or ends is None:
        return asked
    if word in _AS_OF:
        return _as_of(asked, ends, now)
    if word in _AFTER_ITS_BEGINNING | _AFTER_ITS_END:
        start = begins if word in _AFTER_ITS_BEGINNING else ends
        return replace(asked, start=start, end=None, kind="after")
    if word in _BEFORE_ITS_BEGINNING | _BEFORE_ITS_END:
        end = begins if word in _BEFORE_ITS_BEGINNING else ends
        if asks_what_was_known(question):
            return _as_of(asked, end, now)
        ahead = end > now and not looks_back
        return replace(asked, start=midnight(now) if ahead else None, end=end, kind="before")
    return _as_of(asked, ends, now) if asks_what_was_known(question) else asked


def _as_of(asked: TimeAsked, moment: datetime, now: datetime) -> TimeAsked | None:
    """What is known now is no past."""
    if moment > now:
        return None
    return replace(asked, start=None, end=moment, kind="as_of", sought="state")


def _sought(question: str) -> Sought:
    if asks_what_was_told(question):
        return "telling"
    return "state" if asks_for_state(question) else "event"
