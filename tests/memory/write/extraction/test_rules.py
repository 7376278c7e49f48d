from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.dates import resolve
from memory.models import BANKS, Role
from memory.write.candidates import Candidate, Category, Said
from memory.write.extraction.rules import (
    MAX_CANDIDATES,
    MAX_CONTENT_CHARS,
    RuleExtractor,
)
from tests.memory.write.extraction.labelled import JUNK, KEPT

SAID_AT = datetime(2026, 6, 17, 12, tzinfo=UTC)  # a Wednesday
WORDS = [
    "I",
    "I'm",
    "my",
    "sister",
    "Maria",
    "she",
    "he",
    "it",
    "never",
    "always",
    "have",
    "live",
    "in",
    "like",
    "and",
    "but",
    "if",
    ",",
    ".",
    "?",
    "!",
    '"',
    "“",
    "”",
    ":",
    "-",
    ";",
    "the",
    "a",
    "cat",
    "Oslo",
    "last",
    "Friday",
    "moved",
    "to",
    "decided",
    "must",
    "no",
    "before",
    "10",
    "prefer",
    "you",
    "this",
    "step",
    "1",
    "means",
    "when",
    "because",
    "since",
    ">",
    "```",
    "what",
    "said",
    "don't",
    "please",
    "first",
    "then",
]


def bank_of(content: str, category: Category, allowed: Sequence[str], default: str) -> str:
    return "Work" if category == "procedure" and "Work" in allowed else default


# "He" may be told of the boss in the sentence before; a quoted line must begin a line.
POINTING = {"He", "She", "It", "They", ">"}


async def extract(text: str, *, role: Role = "user", min_chars: int = 12) -> list[Candidate]:
    extractor = RuleExtractor(resolve=resolve, bank_of=bank_of, min_chars=min_chars)
    return await extractor.extract(Said(text=text, said_at=SAID_AT, role=role))


async def contents(text: str) -> list[str]:
    return [candidate.content for candidate in await extract(text)]


@pytest.mark.parametrize("category", KEPT)
async def test_what_is_worth_remembering_is_kept(category: Category) -> None:
    found = {each: await extract(each, min_chars=0) for each in KEPT[category]}
    assert {
        each: kept for each, kept in found.items() if [it.category for it in kept] != [category]
    } == {}


async def test_junk_is_not_kept() -> None:
    found = {each: await extract(each, min_chars=0) for each in JUNK}
    assert {each: kept for each, kept in found.items() if kept} == {}


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("I'm a nurse and I have two cats.", ["I'm a nurse", "I have two cats"]),
        ("I moved to Bergen and started at Equinor", ["I moved to Bergen", "I started at Equinor"]),
        ("I love tea and absolutely hate coffee", ["I love tea", "I absolutely hate coffee"]),
        ("I'm married and have two kids", ["I'm married", "I have two kids"]),
        ("I like cooking and baking", ["I like cooking and baking"]),
        (
            "I want to move to Spain and buy a house",
            ["I want to move to Spain and buy a house"],
        ),
        (
            "My sister Maria lives in Oslo. She is a nurse.",
            ["My sister Maria lives in Oslo", "My sister Maria is a nurse"],
        ),
        (
            "My dad lives in Malmö. He has a sailboat called Vega.",
            ["My dad lives in Malmö", "My dad has a sailboat called Vega"],
        ),
        (
            "We have a son, Theo. He's allergic to eggs.",
            ["We have a son, Theo", "My son Theo is allergic to eggs"],
        ),
        ("I have a dog. His name is Rex.", ["I have a dog", "My dog's name is Rex"]),
        ("My sister met John. He lives in Oslo.", []),
        (
            "I live in Oslo. What's the weather like? I hate rain.",
            ["I live in Oslo", "I hate rain"],
        ),
        ("I'm vegetarian, what can I cook tonight?", ["I'm vegetarian"]),
        ("Since I'm allergic to nuts, what dessert fits?", ["I'm allergic to nuts"]),
        ("As a nurse, which shoes should I buy?", ["I'm a nurse"]),
        ("I have two kids, any ideas for a rainy day?", ["I have two kids"]),
        (
            "I'm Noor, I'm 29 and I'm a marine biologist.",
            ["I'm Noor", "I'm 29", "I'm a marine biologist"],
        ),
        ("My wife and I live in Trondheim", ["My wife and I live in Trondheim"]),
        ("oh and by the way I have two cats", ["I have two cats"]),
        ("Well, as I said, I live in Oslo, to be honest.", ["I live in Oslo"]),
        ("im a teacher and i live in berlin", ["I'm a teacher", "I live in berlin"]),
        ("I prefer uv over pip.", ["I prefer uv over pip"]),
        ("I’m allergic to nuts!", ["I'm allergic to nuts"]),
        (
            "I used to live in Oslo but now I live in Bergen",
            ["I used to live in Oslo", "Now I live in Bergen"],
        ),
        ("I live in Oslo. I live in Oslo!", ["I live in Oslo"]),
        ("I live in Oslo.\n> I live in Rome.", ["I live in Oslo"]),
        ("I use Go.\n```\nI live in a comment\n```", ["I use Go"]),
        ("I live in Oslo. Translate this: I live in Rome. I have a dog.", ["I live in Oslo"]),
        ("I live in Oslo. Don't remember this.", []),
        ("I have two dogs. Just kidding!", []),
    ],
)
async def test_each_thing_said_is_a_sentence_of_its_own(message: str, kept: list[str]) -> None:
    assert await contents(message) == kept


async def test_a_relative_date_becomes_one_and_is_kept_beside() -> None:
    [candidate] = await extract("I moved to Bergen last Friday")
    assert candidate.content == "I moved to Bergen on 12 June 2026"
    assert candidate.occurred_at is not None
    assert candidate.occurred_at.date().isoformat() == "2026-06-12"


async def test_steps_by_number_are_one_procedure() -> None:
    [candidate] = await extract("Step 1: export the ledger. Step 2: mail it to Karin.")
    assert candidate.content == "Step 1: export the ledger. Step 2: mail it to Karin"
    assert (candidate.type, candidate.bank) == ("procedure", "Work")


@pytest.mark.parametrize(
    ("sentence", "importance"),
    [
        ("My name is Sigrid", 1.0),
        ("I live in Oslo", 1.0),
        ("I hate onions", 0.8),
        ("My sister lives in Oslo", 0.8),
        ("I like jazz music", 0.6),
        ("I have a 3D printer", 0.6),
    ],
)
async def test_importance_is_on_the_scale_of_003(sentence: str, importance: float) -> None:
    [candidate] = await extract(sentence)
    assert candidate.importance == importance


async def test_only_a_clear_preference_may_be_short() -> None:
    assert await contents("I'm vegan") == ["I'm vegan"]
    assert await contents("I like tea") == ["I like tea"]
    assert await contents("I'm 34") == []


async def test_the_role_and_the_length_are_settings() -> None:
    assert await extract("I live in Oslo with Ana", role="assistant") == []
    assert await extract("I live in Oslo with Ana", min_chars=50) == []


async def test_the_bank_is_asked_for_among_those_allowed() -> None:
    asked: list[tuple[str, Category, Sequence[str], str]] = []

    def ask(content: str, category: Category, allowed: Sequence[str], default: str) -> str:
        asked.append((content, category, allowed, default))
        return "Lab"

    extractor = RuleExtractor(
        resolve=lambda text, _: (text, None), bank_of=ask, banks=("Lab",), default_bank="Lab"
    )
    [candidate] = await extractor.extract(Said(text="I live in Oslo", said_at=SAID_AT))
    assert candidate.bank == "Lab"
    assert asked == [("I live in Oslo", "identity", ("Lab",), "Lab")]


async def test_a_message_gives_so_many_at_most() -> None:
    message = " ".join(f"I have {number} cats." for number in range(2, 40))
    assert len(await extract(message)) == MAX_CANDIDATES


@profile(deadline=None, max_examples=200)
@given(st.text(max_size=300) | st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join))
async def test_any_text_gives_sound_candidates(text: str) -> None:
    kept = await extract(text, min_chars=0)
    assert len(kept) <= MAX_CANDIDATES
    for candidate in kept:
        assert candidate.content == candidate.content.strip()
        assert 0 < len(candidate.content) <= MAX_CONTENT_CHARS
        assert candidate.content[-1] not in ".,;:!?"
        assert candidate.bank in BANKS


@profile(deadline=None, max_examples=50)
@given(st.lists(st.sampled_from(JUNK), min_size=1, max_size=6))
async def test_junk_beside_junk_is_junk(sentences: list[str]) -> None:
    whole = [each for each in sentences if each.split()[0] not in POINTING and "\n" not in each]
    said = " ".join(each if each[-1] in ".?!" else f"{each}." for each in whole)
    assert await extract(said) == []


@pytest.mark.parametrize(
    "text",
    [
        "I " * 50_000,
        "my sister " * 10_000,
        "I am and I " * 9_000,
        '"a ' * 30_000,
        "I have, " * 12_000,
        "\n" * 100_000,
        "e.g. " * 20_000,
        "A. " * 30_000,
        "step 1 " * 14_000,
        "a:\n 1 x\n" * 12_000,
        "```" * 30_000,
        "From: a\n" * 12_000,
        "I like the thing and we have it. " * 3_000,
    ],
    ids=range(13),
)
async def test_the_longest_messages_take_no_time(text: str) -> None:
    start = time.process_time()
    await extract(text)
    assert time.process_time() - start < 2
