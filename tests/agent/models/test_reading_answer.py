"""What is made of a model's answer, over what the offline reader has read."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from agent.models.reading_answer import UNSTATED, read_answer
from memory.errors import UnreadableAnswer
from memory.ingestion.extraction import statements_in
from memory.understanding import (
    COMMANDS,
    Interpretation,
    Kind,
    MessageText,
    Related,
    Segment,
)

AT = datetime(2026, 6, 17, tzinfo=UTC)
TEXT = "I moved to Bergen last week. My sister Maria’s a „paramedic“."
MOVED: dict[str, Any] = {
    "text": "I moved to Bergen last week.",
    "kind": "update",
    "category": "identity",
    "bank": "Personal",
    "lifetime": "long",
    "confidence": 0.95,
    "alone": True,
    "relation": "new",
    "memories": [],
}
MARIA = MOVED | {"text": "My sister Maria’s a „paramedic“.", "kind": "fact", "bank": "Family"}


def answer(*segments: dict[str, Any]) -> str:
    return json.dumps({"segments": segments})


WHOLE = answer(MOVED, MARIA)
# From each both segments can be had.
UNDERSTOOD = {
    "as asked": WHOLE,
    "code fence": f"```json\n{WHOLE}\n```",
    "think block": f"<think>Is [this] one? {answer(MARIA)}</think>\n{WHOLE}",
    "think block that was not opened": f"Is this one? {{}}</think>{WHOLE}",
    "sentences around": f"Sure! Here are the segments [2]:\n{WHOLE}\n\nI hope that helps {{:-)}}",
    "a draft before": f"{answer(MARIA)}\nNo, better:\n{WHOLE}",
    "a list": json.dumps([MOVED, MARIA]),
    "one object after the other": f"{json.dumps(MOVED)}\n{json.dumps(MARIA)}",
    "line ends in strings": WHOLE.replace("to Bergen", "to\nBergen"),
    "cut off behind the last segment": WHOLE[:-2],
    "other capitals and marks": answer(
        MOVED | {"text": "i moved to bergen   last week", "kind": "UPDATE"},
        MARIA | {"text": 'My sister Maria\'s a "paramedic"'},
    ),
    "values of no set": answer(
        MOVED | {"category": "gossip", "lifetime": None, "bank": 7, "alone": "yes", "pin": True},
        MARIA | {"relation": "erase", "memories": "m1", "confidence": "high"},
    ),
    "missing members": answer({"text": MOVED["text"], "kind": "update"}, MARIA),
    "junk among the segments": json.dumps({"segments": [MOVED, None, 3, {"kind": "fact"}, MARIA]}),
    "the same twice": answer(MOVED, MARIA, MOVED),
}
# Nothing can be made of these.
REFUSED = {
    "prose": "I found nothing.",
    "nothing": "",
    "no segments": '{"segments": []}',
    "another schema": '{"facts": [{"fact_text": "I moved"}]}',
    "cut off in the first": '{"segments": [{"text": "I moved to Ber',
    "invented texts": answer(MOVED | {"text": "User lives in Bergen"}),
    "within a word": answer(MOVED | {"text": "aria"}),
    "no kind": answer(MOVED | {"kind": "rumour"}),
    "a text that is none": answer(MOVED | {"text": " . "}, MOVED | {"text": 7}),
    "brackets without end": "[" * 50_000,
    "braces without end": '{"a":' * 20_000,
    "a long text": answer(MOVED | {"text": "I " * 40_000}),
}


def offline(*told: tuple[str, Kind], text: str = TEXT) -> Interpretation:
    """As it was read before, each segment of one sure kind."""
    return Interpretation(
        tuple(
            Segment(
                words,
                text.find(words),
                text.find(words) + len(words),
                kind,
                {kind: 1.0},
                says_what=kind == "do_not_remember",
                commands=dict.fromkeys(COMMANDS, 0.0) | {kind: 1.0},
            )
            for words, kind in told
        )
    )


FIRST = offline((MOVED["text"], "fact"), (MARIA["text"], "fact"))
KNOWN = ("I live in Oslo", "I have a cat")


def read(said: str, first: Interpretation = FIRST, text: str = TEXT) -> Interpretation:
    return read_answer(said, MessageText(text, AT, known=KNOWN), first)


def kept(reading: Interpretation) -> list[str]:
    return [each.text for each in statements_in(reading.segments)]


@pytest.mark.parametrize("said", UNDERSTOOD.values(), ids=UNDERSTOOD)
def test_an_answer_is_taken_for_what_can_be_understood_of_it(said: str) -> None:
    moved, maria = read(said).segments
    assert (moved.text, moved.kind) == (MOVED["text"], "update")
    assert (maria.text, maria.kind, maria.bank) == (MARIA["text"], "fact", "Family")


@pytest.mark.parametrize("said", REFUSED.values(), ids=REFUSED)
def test_of_an_answer_without_any_segment_nothing_is_made(said: str) -> None:
    with pytest.raises(UnreadableAnswer):
        read(said)


def test_a_segment_has_what_the_model_says_of_it() -> None:
    [moved, _] = read(answer(MOVED | {"alone": False, "lifetime": "days"})).segments
    assert (moved.category, moved.bank, moved.lifetime) == ("identity", "Personal", "days")
    assert (moved.start, moved.end, moved.alone) == (0, len(MOVED["text"]), False)
    assert moved.kinds == {"update": 0.95, "fact": pytest.approx(0.05)}


@pytest.mark.parametrize(
    "bad", [{"kind": "rumour"}, {"text": "Maria moved out"}, {"text": "My sister"}], ids=str
)
def test_what_the_model_leaves_out_or_names_no_kind_of_stays_as_it_was_read_offline(
    bad: dict[str, str],
) -> None:
    assert MARIA["text"] in kept(read(answer(MOVED, MARIA | bad)))


def test_a_part_of_a_message_is_read_where_it_stands_now() -> None:
    """What was obeyed was taken out of the text, and not out of the places in the reading."""
    rest = offline((MARIA["text"], "fact"))
    [maria] = read(answer(MARIA | {"kind": "small_talk"}), rest, text=MARIA["text"]).segments
    assert (maria.start, maria.kinds["small_talk"]) == (0, 0.95)


@pytest.mark.parametrize(
    ("kind", "confidence", "is_kept"),
    [
        ("small_talk", 0.95, False),
        ("small_talk", 0.3, True),
        ("question", "high", True),
        ("fact", 0.3, True),
        ("passing", 0.99, False),
    ],
)
def test_only_what_the_model_is_sure_of_is_left_out(
    kind: str, confidence: object, is_kept: bool
) -> None:
    found = kept(read(answer(MOVED | {"kind": kind, "confidence": confidence}, MARIA)))
    assert (MOVED["text"] in found) is is_kept
    assert MARIA["text"] in found


@pytest.mark.parametrize("kind", ["forget", "do_not_remember"])
def test_what_is_to_be_left_out_or_forgotten_is_not_kept(kind: Kind) -> None:
    assert kept(read(answer(MOVED | {"kind": kind}, MARIA))) == [MARIA["text"]]


def test_a_wish_that_does_not_say_what_to_leave_out_takes_the_whole_message() -> None:
    wish = MARIA | {"text": "Keep none of that.", "kind": "do_not_remember"}
    text = f"{MOVED['text']} {wish['text']}"
    assert kept(read(answer(MOVED, wish), offline((MOVED["text"], "fact")), text)) == []


@pytest.mark.parametrize("kind", ["forget", "do_not_remember"])
def test_what_was_heard_as_to_be_forgotten_or_left_out_is_not_told_by_a_model(kind: Kind) -> None:
    asked = offline((MOVED["text"], kind))
    assert MOVED["text"] not in kept(read(answer(MOVED, MARIA), asked))


@pytest.mark.parametrize("kind", ["forget", "do_not_remember"])
@pytest.mark.parametrize("told", [f"{TEXT} I ski.", "a „paramedic“. I ski."])
def test_one_segment_of_a_model_cannot_keep_a_wish_with_what_stands_beside_it(
    kind: Kind, told: str
) -> None:
    text = f"{TEXT} I ski."
    first = offline((MOVED["text"], "fact"), (MARIA["text"], kind), ("I ski.", "fact"), text=text)
    found = kept(read(answer(MOVED | {"text": told}), first, text))
    assert found == [MOVED["text"], "I ski."]


@pytest.mark.parametrize("told", ["He lived here.", "He lived here. I ski."])
def test_what_belongs_to_a_wish_to_forget_is_not_kept_because_a_model_finds_it_clear(
    told: str,
) -> None:
    text = "Forget my ex. He lived here. I ski."
    wish, his, mine = offline(
        ("Forget my ex.", "forget"), ("He lived here.", "fact"), ("I ski.", "fact"), text=text
    ).segments
    first = Interpretation((wish, replace(his, alone=False), mine))
    assert kept(read(answer(MOVED | {"text": told}), first, text)) == ["I ski."]


def test_where_a_model_alone_hears_a_wish_what_belongs_to_it_goes_too() -> None:
    moved, maria = FIRST.segments
    first = Interpretation((moved, replace(maria, alone=False)))
    assert kept(read(answer(MOVED | {"kind": "forget"}, MARIA), first)) == []


@pytest.mark.parametrize("kind", ["forget", "control", "do_not_remember", "remember"])
def test_what_the_model_says_commands_nothing(kind: Kind) -> None:
    reading = read(answer(MOVED | {"kind": kind, "memories": ["m1"], "relation": "ends"}))
    assert reading.orders == ()
    assert reading.segments[0].kind != "remember"


def test_that_it_is_to_be_kept_is_heard_where_it_was_heard_offline() -> None:
    asked = offline((MOVED["text"], "remember"), (MARIA["text"], "fact"))
    both = answer(MOVED | {"kind": "remember"}, MARIA | {"kind": "remember"})
    assert [each.kind for each in read(both, asked).segments] == ["remember", "fact"]


@pytest.mark.parametrize(
    ("relation", "memories", "related"),
    [
        ("replaces", ["m1"], Related("replaces", KNOWN[:1], 0.95)),
        ("Adds to", "M2, m1", Related("adds_to", KNOWN[::-1], 0.95)),
        ("ends", ["m1", "m1", "m9", "m0"], Related("ends", KNOWN[:1], 0.95)),
        ("new", [{"id": "m1"}], Related("new", KNOWN[:1], 0.95)),
        ("ends", ["m3"], None),
        ("ends", None, None),
        ("erases", ["m1"], None),
        (["ends"], ["m1"], None),
    ],
)
def test_a_relation_is_to_memories_that_were_shown(
    relation: object, memories: object, related: Related | None
) -> None:
    said = answer(MOVED | {"relation": relation, "memories": memories})
    assert read(said).segments[0].related == related


@pytest.mark.parametrize("given", [None, True, "sure", -1, 101, [], float("nan"), float("inf")])
def test_a_confidence_that_is_no_share_is_not_sure_enough_to_replace(given: object) -> None:
    said = answer(MOVED | {"confidence": given, "relation": "ends", "memories": ["m1"]})
    assert read(said).segments[0].related == Related("ends", KNOWN[:1], UNSTATED)
