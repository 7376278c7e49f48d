"""What is kept of a message, by a reading that is given."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.models import Role
from memory.understanding import COMMANDS, Category, Kind, Reading, Segment
from memory.write.candidates import Said
from memory.write.extraction import (
    MAX_CANDIDATES,
    Extraction,
    as_kept,
    is_mostly_removed,
    statements_in,
)

AT = datetime(2026, 5, 4, tzinfo=UTC)


def segment(text: str, kind: Kind = "fact", **fields: object) -> Segment:
    commands: dict[str, float] = {**dict.fromkeys(COMMANDS, 0.0), kind: 1.0}
    return Segment(
        text,
        0,
        len(text),
        kind,
        {kind: 1.0},
        commands=commands,
        **fields,  # type: ignore[arg-type]
    )


def said(*segments: Segment, role: Role = "user", text: str | None = None) -> Said:
    words = " ".join(each.text for each in segments) if text is None else text
    return Said(text=words, said_at=AT, role=role, reading=Reading(segments))


def kept(what: Said, *roles: Role) -> list[str]:
    return [each.content for each in extraction(*roles).candidates(what, reading_of(what))]


def extraction(*roles: Role) -> Extraction:
    return Extraction(resolve=lambda text, _, ahead=False: (text, None), roles=roles or ("user",))


def reading_of(what: Said) -> Reading:
    assert what.reading is not None
    return what.reading


def texts(*segments: Segment) -> list[str]:
    return [each.text for each in statements_in(segments)]


def test_what_cannot_stand_alone_is_joined_to_what_is_kept_before_it() -> None:
    first, its, asked = segment("a"), segment("b", alone=False), segment("c?", "question")
    assert texts(first, its, its) == ["a b b"]
    assert texts(first, asked, its) == ["a", "b"]
    assert texts(its) == ["b"]


def test_what_is_to_be_forgotten_or_left_out_is_not_told() -> None:
    wish, its = segment("forget a", "forget"), segment("b", alone=False)
    assert texts(wish, its, segment("c")) == ["c"]
    assert texts(segment("a"), segment("keep that to yourself", "do_not_remember")) == []


@pytest.mark.parametrize(("told", "kept"), [(0.13, ["a"]), (0.11, [])])
def test_all_is_kept_that_is_perhaps_told(told: float, kept: list[str]) -> None:
    doubtful = Segment("a", 0, 1, "passing", {"fact": told, "passing": 1 - told})
    assert texts(doubtful) == kept


def test_words_are_kept_on_one_line_with_a_capital_and_no_mark_last() -> None:
    assert as_kept(" i live\nin  Oslo.. ") == "I live in Oslo"
    assert (as_kept(""), as_kept(" …!")) == ("", "")


def test_of_what_little_is_left_without_its_secrets_nothing_is_kept() -> None:
    assert is_mostly_removed("My PIN is [PIN removed]")
    assert not is_mostly_removed("My PIN is [PIN removed] at the bank in Oslo")
    assert not is_mostly_removed("Tea")
    assert texts(segment("[PIN removed]")) == []


async def test_each_is_kept_once_and_so_many_at_most() -> None:
    again = [segment("tea is green"), segment("Tea is green.")]
    assert kept(said(*again)) == ["Tea is green"]
    many = [segment(f"tea number {n}") for n in range(40)]
    assert len(kept(said(*many))) == MAX_CANDIDATES


async def test_only_messages_of_the_roles_are_heard() -> None:
    told = segment("You prefer uv")
    assert kept(said(told, role="assistant")) == []
    assert kept(said(told, role="assistant"), "assistant") == ["I prefer uv"]
    advice = said(segment("You should try uv"), role="assistant")
    assert kept(advice, "assistant") == []


async def test_of_a_very_short_message_only_a_clear_preference_is_kept() -> None:
    liked = segment("I ♥ uv", category="preference")
    assert kept(said(segment("I ski"))) == []
    assert kept(said(liked)) == ["I ♥ uv"]


@pytest.mark.parametrize(
    ("category", "words", "worth"),
    [
        ("preference", "I prefer uv", "preference"),
        ("preference", "I prefer uv " * 6, "statement"),
        ("habit", "I use uv daily", "statement"),
    ],
)
def test_a_short_clear_preference_needs_no_model(
    category: Category, words: str, worth: str
) -> None:
    told, asked = segment(words, category=category), segment("Why, though?", "question")
    for what, wanted in ((said(told), worth), (said(asked), "nothing")):
        assert extraction().worth(what, reading_of(what)) == wanted


def test_what_goes_on_with_something_told_is_a_part_of_it() -> None:
    """As it does at a lower probability, and in a procedure whatever its steps look like alone."""
    told = segment("we let a room in Ansty,")
    aside = Segment(
        "with a cooker", 24, 37, "passing", {"fact": 0.11, "passing": 0.89}, alone=False
    )
    assert texts(told, aside) == ["we let a room in Ansty, with a cooker"]
    step = Segment("press reset", 24, 35, "request", {"request": 1.0}, alone=False)
    assert texts(told, step) == ["we let a room in Ansty,"]
    assert texts(replace(told, category="procedure"), step) == [
        "we let a room in Ansty, press reset"
    ]
    for kind in ("question", "control"):
        another = replace(step, kind=kind, kinds={kind: 1.0})
        assert texts(replace(told, category="procedure"), another) == ["we let a room in Ansty,"]
