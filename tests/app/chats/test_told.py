from __future__ import annotations

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.api.events import EndEvent, TextEvent, ToolEvent
from app.api.streaming import EventBuffer, StreamEvent

PIECES = st.lists(st.one_of(st.none(), st.text(max_size=5)), max_size=20)


def events_of(pieces: list[str | None]) -> EventBuffer:
    """A text for each piece, a tool for each None, and the end."""
    events = EventBuffer()
    for piece in pieces:
        events.add("tool", ToolEvent.of("x")) if piece is None else events.add(
            "text", TextEvent(text=piece)
        )
    events.add("end", EndEvent())
    return events


def heard(events: EventBuffer, after: int) -> list[StreamEvent]:
    told = []
    while found := events.next_after(after):
        told.append(found)
        after = found.number
    return told


def as_heard(told: list[StreamEvent]) -> list[str]:
    """What is made of it: each text added to the one before."""
    said = [""]
    for each in told:
        if each.name == "text":
            said[-1] += json.loads(each.data)["text"]
        else:
            said += [each.name, ""]
    return said


@given(pieces=PIECES, after=st.integers(0, 25))
def test_whoever_goes_on_after_any_of_them_hears_the_same(
    pieces: list[str | None], after: int
) -> None:
    events = events_of(pieces)
    before = heard(events, after)

    events.join()

    joined = heard(events, after)
    assert as_heard(joined) == as_heard(before)
    assert [each.number for each in joined][-1:] == [each.number for each in before][-1:]
    assert {each.number for each in joined} <= {each.number for each in before}


@given(pieces=PIECES)
def test_texts_that_follow_each_other_take_the_room_of_one(pieces: list[str | None]) -> None:
    events = events_of(pieces)
    events.join()
    names = [each.name for each in heard(events, 0)]
    assert ("text", "text") not in pairwise(names)
    assert events.size >= sum(len(piece or "") for piece in pieces)
