"""The time that a question asks about ("last week", "as of 1 March 2026"), the question without it,
and whether a memory belongs to it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from memory.dates.calendar import SpokenDate, midnight, pattern, shift
from memory.dates.finder import match_dates
from memory.dates.tense import Tense
from memory.retrieval.time_windows import (
    LONGEST_QUESTION,
    EventAnchor,
    TimeWindow,
    asks_for_state,
    asks_what_was_known,
    asks_what_was_told,
    comes_each_year,
    find_anchors,
    find_time_windows,
    is_beside_topic,
    is_part_of_thing,
    measures_time,
    question_tense,
    says_what_is_always_so,
    skip_preposition,
    speaks_of_habit,
)

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
class TimePhrase:
    """`words` say the time, with `preposition` in lower case, "" without one; `before` stands
    before the bare date `date`. `onwards` is that of "from May on"."""

    words: str
    preposition: str
    before: str
    date: str
    onwards: bool


def parse_phrase(question: str, stretch: TimeWindow) -> TimePhrase:
    """ "What's on today" keeps its "on", and "in yesterday's meeting" its "in": they are not of the
    date."""
    core = skip_preposition(question, stretch.start, stretch.end)
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
    return TimePhrase(question[start:end], preposition, question[:core], date, onwards is not None)


def join_windows(question: str, stretches: list[TimeWindow]) -> TimeWindow | None:
    """ "On Monday and Tuesday", "from 1 March to 5 April" as one; None where they are apart."""
    if not stretches:
        return None
    whole = stretches[0]
    for following in stretches[1:]:
        core = skip_preposition(question, following.start, following.end)
        if not _CONNECTED.fullmatch(question, whole.end, core):
            return None
        while whole.begins >= following.ends and whole.yearless:
            whole = replace(whole, begins=shift(whole.begins, "year", -1))
        begins, ends = min(whole.begins, following.begins), max(whole.ends, following.ends)
        whole = replace(whole, end=following.end, begins=begins, ends=ends)
    return whole


TimeRelation = Literal["within", "before", "after", "as_of"]
Sought = Literal["event", "state", "telling", "thing"]

_BEFORE_ITS_BEGINNING = frozenset({"before", "prior to", "earlier than"})
_BEFORE_ITS_END = frozenset({"until", "till", "up to", "up until", "by", "no later than"})
_AFTER_ITS_BEGINNING = frozenset({"since", "ever since", "starting", "beginning"})
_AFTER_ITS_END = frozenset({"after", "later than"})
_AS_OF = frozenset({"as of", "as at"})
_OF_A_THING = frozenset({"on", "in", "at", "of", "for", "from"})


@dataclass(frozen=True)
class AskedTime:
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
    kind: TimeRelation = "within"
    sought: Sought = "event"


def parse_asked_time(question: str, now: datetime) -> AskedTime | None:
    """The one time that the question gives, in the offset of `now`; None where it gives none,
    several, or one that may be part of what is asked for. A question for a time gives none."""
    if len(question) > LONGEST_QUESTION or measures_time(question):
        return None
    try:
        stretches = find_time_windows(question, now)
        anchors = list(_anchors(question, stretches))
        if anchors:
            return _counted_from(question, anchors, stretches)
        whole = join_windows(question, stretches)
        return None if whole is None else _asked(question, whole, now)
    except (ValueError, OverflowError):  # a day beyond the calendar
        return None


def _anchors(question: str, stretches: list[TimeWindow]) -> list[EventAnchor]:
    """Without those that are dates: "before the 3rd of May"."""
    return [
        anchor
        for anchor in find_anchors(question)
        if not any(each.start <= anchor.at < each.end for each in stretches)
    ]


def _counted_from(
    question: str, anchors: list[EventAnchor], stretches: list[TimeWindow]
) -> AskedTime | None:
    """An anchor that names its own date, "after the meeting on Friday", is a moment known."""
    anchor = anchors[0]
    within = [each for each in stretches if anchor.at <= each.start and each.end <= anchor.end]
    if len(anchors) > 1 or len(within) < len(stretches) or len(within) > 1:
        return None
    moment = within[0].begins if within else None
    is_before = anchor.relation == "before"
    return AskedTime(
        start=None if is_before else moment,
        end=moment if is_before else None,
        words=question[anchor.start : anchor.end],
        anchor=None if within else anchor.event,
        kind=anchor.relation,
        sought=_sought(question),
    )


def _asked(question: str, stretch: TimeWindow, now: datetime) -> AskedTime | None:
    phrase = parse_phrase(question, stretch)
    tense = question_tense(question, stretch.start, stretch.end)
    word = phrase.preposition
    if word not in _AS_OF and _is_doubtful(question, stretch, phrase, tense, now):
        return None
    beside = word in _OF_A_THING and is_beside_topic(phrase.before)
    asked = AskedTime(
        stretch.begins, stretch.ends, phrase.words, sought="thing" if beside else _sought(question)
    )
    if word == "from" and (phrase.onwards or stretch.begins > now):
        word = "since"
    return _related(asked, word, question, now, looks_back=tense == "past")


def _is_doubtful(
    question: str, stretch: TimeWindow, phrase: TimePhrase, tense: Tense, now: datetime
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


def _is_open(stretch: TimeWindow, tense: Tense, now: datetime) -> bool:
    """Without a verb nothing tells the last May from the next."""
    return tense == "unknown" and stretch.begins > now


def _related(
    asked: AskedTime, word: str, question: str, now: datetime, *, looks_back: bool
) -> AskedTime | None:
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


def _as_of(asked: AskedTime, moment: datetime, now: datetime) -> AskedTime | None:
    """What is known now is no past."""
    if moment > now:
        return None
    return replace(asked, start=None, end=moment, kind="as_of", sought="state")


def _sought(question: str) -> Sought:
    if asks_what_was_told(question):
        return "telling"
    return "state" if asks_for_state(question) else "event"


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+")
_DOUBLED_COMMA = re.compile(r"\s*,\s*,")
_SPACE_BEFORE = re.compile(r"\s+([?.!,;:])")
_COMMA_AT_END = re.compile(r"[,;:\s]+([?.!]*)$")
# With no other word a question asks for whatever there is.
_WORDS_WITHOUT_TOPIC = (
    "what what's whats who where which how did do does doing done have has had having been be is "
    "are was were am will would can could should shall may there's i i'm i've i'd we we've we're "
    "you you've your me my our us the a an to on up in at for of and or with about as from by "
    "then so else also all any every anything everything something nothing things thing stuff "
    "happen happens happened happening occur occurred going go goes went come comes coming "
    "plan plans planned planning schedule scheduled calendar agenda program programme diary "
    "due new busy free events event activities activity life day days week time there it "
    "tell told say said mention mentioned talk talked chat chatted ask asked know knew learn "
    "learned learnt remember remembered note noted save saved store stored kept recall "
    "memory memories conversation conversations show list give summarise summarize summary "
    "recap review overview please just again get got that's it's let's let this that "
    "change changed changes work worked working meet met see saw seen"
)
_NO_TOPIC = frozenset(_WORDS_WITHOUT_TOPIC.split())


def without_time(question: str, asked: AskedTime) -> str:
    """The question without the words that say the time; it may name nothing any more."""
    if asked.words not in question:
        return question
    before, _, after = question.partition(asked.words)
    rest = " ".join(f"{before} {after}".split())
    rest = _SPACE_BEFORE.sub(r"\1", _DOUBLED_COMMA.sub(",", rest))
    return _COMMA_AT_END.sub(r"\1", rest).lstrip(" ,;:?.!")


def asks_for_everything(rest: str) -> bool:
    """Whether no word of it names a topic: "what did I do", "what's on"."""
    words = [word.replace("’", "'") for word in _WORD.findall(rest.lower())]
    return all(word in _NO_TOPIC for word in words)


TimeFit = Literal["in", "out", "unknown"]

# Dates are looked for in so many characters of a memory, ten times a usual one's.
_READ = 1000
# One of these is in every date; to look for them first is far cheaper than to look for dates.
_DATED = pattern(
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|days?\b|night|week|month|year|decade"
    r"|morning|evening|yesterday|tomorrow|spring|summer|autumn|winter|\bfall\b|fortnight|\bago\b|hour"
)
_SINCE = pattern(r"\b(?:since|from|starting|beginning)\s+(?:the\s+)?(?:(?:early|mid|late)\s+)?$")
_UNTIL = pattern(r"\b(?:until|till|through|to)\s+(?:the\s+)?(?:(?:early|mid|late)\s+)?$")
_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)
# A moment is kept in the offset of who said it, and a date in the words read in that of who asks.
_OFFSETS = timedelta(hours=14)
# A stretch lies in a window with half of it, so that an offset does not decide.
_MOST = 0.5


@dataclass(frozen=True)
class _Span:
    begins: datetime
    ends: datetime


def match_time(
    asked: AskedTime, *, content: str, occurred_at: datetime | None, created_at: datetime
) -> TimeFit:
    """By when it happened, as the memory or a date in its words says; where the question is for
    what was told or known, by when it was learned.

    "unknown" where no date is known, where the memory's time is much longer than the window or goes
    on into it, where the question's own time is not known yet, and instead of "out" where a memory
    of another time may answer: what was so may have begun before, and a thing has many memories.
    """
    if asked.start is None and asked.end is None:
        return "unknown"
    window = _Span(asked.start or _FIRST, asked.end or _LAST)
    if asked.kind == "as_of" or asked.sought == "telling":
        return "in" if window.begins <= created_at < window.ends else "out"
    spans = _spans(asked, content, occurred_at, created_at)
    fits = {_fit(asked, span, window) for span in spans}
    if "in" in fits:
        return "in"
    if "unknown" in fits or not spans or _may_answer(asked, spans, window):
        return "unknown"
    return "out"


def _spans(
    asked: AskedTime, content: str, occurred_at: datetime | None, created_at: datetime
) -> list[_Span]:
    """When the memory says that it was; its moment alone where its words do not tell how long."""
    zone = (asked.start or asked.end or created_at).tzinfo
    spans = _dates_in(content, created_at.astimezone(zone))
    if occurred_at is not None and not any(_tells(span, occurred_at) for span in spans):
        spans.append(_Span(occurred_at, occurred_at))
    return spans


def _tells(span: _Span, moment: datetime) -> bool:
    return span.begins - moment <= _OFFSETS and moment - span.ends < _OFFSETS


def _dates_in(content: str, said_at: datetime) -> list[_Span]:
    """Those that are settled: a birthday in May has no year, and may be in every one."""
    content = content[:_READ]
    if _DATED.search(content) is None:
        return []
    dates = [found.spoken for found in match_dates(content, said_at) if found.reading.certain]
    return [_span(content, date) for date in dates]


def _span(content: str, date: SpokenDate) -> _Span:
    """ "Since 2015" goes on, and "until 2019" began at a time that is not told."""
    before = content[: skip_preposition(content, date.start, date.end)]
    begins = _FIRST if _UNTIL.search(before) else date.begins
    return _Span(begins, _LAST if _SINCE.search(before) else date.ends)


def _fit(asked: AskedTime, span: _Span, window: _Span) -> TimeFit:
    begins, ends = max(span.begins, window.begins), min(span.ends, window.ends)
    if span.begins == span.ends:
        return "in" if window.begins <= span.begins < window.ends else "out"
    if begins >= ends:
        return "out"
    covers = (begins, ends) == (window.begins, window.ends)
    if covers and asked.sought == "state":
        return "in"
    return "in" if (ends - begins) / (span.ends - span.begins) >= _MOST else "unknown"


def _may_answer(asked: AskedTime, spans: list[_Span], window: _Span) -> bool:
    if asked.sought == "state":
        return any(span.begins < window.ends for span in spans)
    return asked.sought == "thing"
