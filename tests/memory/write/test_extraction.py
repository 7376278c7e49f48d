"""What is kept of a message, by a reading that is given."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.ingestion.extraction import (
    MAX_CANDIDATES,
    ExtractionInput,
    OfflineExtractor,
    is_mostly_removed,
    statements_in,
    tidy_sentence,
)
from memory.types import Role
from memory.understanding import COMMANDS, Category, Interpretation, Kind, OfflineReader, Segment

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


def said(*segments: Segment, role: Role = "user", text: str | None = None) -> ExtractionInput:
    words = " ".join(each.text for each in segments) if text is None else text
    return ExtractionInput(text=words, said_at=AT, role=role, reading=Interpretation(segments))


def extractor(*roles: Role) -> OfflineExtractor:
    return OfflineExtractor(
        OfflineReader(), resolve=lambda text, _: (text, None), roles=roles or ("user",)
    )


def texts(*segments: Segment) -> list[str]:
    return [each.text for each in statements_in(segments)]


def test_what_cannot_stand_alone_is_joined_to_what_is_kept_before_it() -> None:
    first, its, asked = segment("a"), segment("b", alone=False), segment("c?", "question")
    assert texts(first, its, its) == ["a b b"]
    assert texts(first, asked, its) == ["a", "b"]
    assert texts(its) == ["b"]


def test_a_question_is_kept_only_before_its_answer_or_where_that_is_asked() -> None:
    """Whatever the reader took it for."""
    asks, its = segment("How old is Tom"), segment("Nine.", alone=False)
    assert texts(segment("Tom is my son"), asks) == ["Tom is my son"]
    assert texts(segment("Tom is my son"), segment("how old is he", alone=False)) == [
        "Tom is my son"
    ]
    assert texts(asks, its) == ["How old is Tom Nine."]
    assert texts(segment("How old is Tom", "remember")) == ["How old is Tom"]


def test_what_is_to_be_forgotten_or_left_out_is_not_told() -> None:
    wish, its = segment("forget a", "forget"), segment("b", alone=False)
    assert texts(wish, its, segment("c")) == ["c"]
    assert texts(segment("a"), segment("keep that to yourself", "do_not_remember")) == []


@pytest.mark.parametrize(("told", "kept"), [(0.2, ["a"]), (0.19, [])])
def test_all_is_kept_that_is_perhaps_told(told: float, kept: list[str]) -> None:
    doubtful = Segment("a", 0, 1, "passing", {"fact": told, "passing": 1 - told})
    assert texts(doubtful) == kept


def test_words_are_kept_on_one_line_with_a_capital_and_no_mark_last() -> None:
    assert tidy_sentence(" i live\nin  Oslo.. ") == "I live in Oslo"
    assert (tidy_sentence(""), tidy_sentence(" …!")) == ("", "")


def test_of_what_little_is_left_without_its_secrets_nothing_is_kept() -> None:
    assert is_mostly_removed("My PIN is [PIN removed]")
    assert not is_mostly_removed("My PIN is [PIN removed] at the bank in Oslo")
    assert not is_mostly_removed("Tea")
    assert texts(segment("[PIN removed]")) == []


async def test_each_is_kept_once_and_so_many_at_most() -> None:
    again = [segment("tea is green"), segment("Tea is green.")]
    assert [each.content for each in await extractor().extract(said(*again))] == ["Tea is green"]
    many = [segment(f"tea number {n}") for n in range(40)]
    assert len(await extractor().extract(said(*many))) == MAX_CANDIDATES


async def test_only_messages_of_the_roles_are_heard() -> None:
    told = segment("You prefer uv")
    assert await extractor().extract(said(told, role="assistant")) == []
    [kept] = await extractor("assistant").extract(said(told, role="assistant"))
    assert kept.content == "I prefer uv"
    advice = said(segment("You should try uv"), role="assistant")
    assert await extractor("assistant").extract(advice) == []


async def test_of_a_very_short_message_only_a_clear_preference_is_kept() -> None:
    liked = segment("I ♥ uv", category="preference")
    assert await extractor().extract(said(segment("I ski"))) == []
    assert [each.content for each in await extractor().extract(said(liked))] == ["I ♥ uv"]


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
    assert extractor().worth(said(segment(words, category=category))) == worth
    assert extractor().worth(said(segment("Why, though?", "question"))) == "nothing"
