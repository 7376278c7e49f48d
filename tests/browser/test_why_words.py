"""The browser words the why view as the terminal does."""

from __future__ import annotations

import random

from playwright.async_api import Page

from agent.explanation import UnusedMemory, format_measures, how_found
from memory.types import ScoreParts, StoredMemory, Why

EACH = """async ({ name, given }) => {
  const words = await import("/static/js/entry/words.js");
  return given.map((each) => words[name](each));
}"""
EMPTY = """async () => {
  const { whyView } = await import("/static/js/entry/why.js");
  return whyView({}).textContent;
}"""
SCORES = ScoreParts(relevance=0.5, recency=0.5, importance=0.5, total=0.5)
SHARES = [0.0, 0.004, 0.125, 0.299_999, 0.3, 0.305, 0.58, 0.995, 1.0]


def whys() -> list[Why]:
    """Each rank up to 120, with figures or without."""
    drawn = random.Random(5)

    def perhaps(value: float) -> float | None:
        return value if drawn.random() > 0.3 else None

    return [
        Why(
            scores=SCORES,
            keyword_rank=rank,
            vector_rank=drawn.choice([None, drawn.randint(1, 40)]),
            cosine=perhaps(drawn.random()),
            bm25=perhaps(drawn.random() * 2000),
            coverage=perhaps(drawn.random()),
        )
        for rank in [None, *range(1, 121)]
    ]


async def said(page: Page, name: str, given: list[object]) -> list[str]:
    answers: list[str] = await page.evaluate(EACH, {"name": name, "given": given})
    return answers


async def test_how_a_memory_was_found_is_said_alike(page: Page) -> None:
    await page.goto("/memory")
    given: list[object] = [each.model_dump(mode="json") for each in whys()]

    assert await said(page, "howFound", given) == [how_found(each) for each in whys()]
    assert await said(page, "figures", given) == [format_measures(each) for each in whys()]


async def test_what_is_below_the_cut_does_not_look_as_if_it_reached_it(page: Page) -> None:
    await page.goto("/memory")
    item = StoredMemory.model_construct()
    unused = [UnusedMemory(1, item, each, "score", "") for each in SHARES]

    assert await said(page, "share", [*SHARES]) == [each.share for each in unused]


async def test_an_answer_without_memories_says_so(page: Page) -> None:
    await page.goto("/memory")

    assert await page.evaluate(EMPTY) == "The answer rests on no memory."


async def test_a_memory_that_another_one_replaced_is_not_said_to_be_older(page: Page) -> None:
    """Where the user said that the old one still holds, it was the newer one that went."""
    await page.goto("/memory")
    noted: list[object] = [
        {"superseded": True, "why": {"notes": ["about Maria"]}},
        {"superseded": True},
        {"superseded": True, "why": {"notes": ["no longer true"]}},
        {"superseded": False},
    ]

    assert await said(page, "notes", noted) == [
        "about Maria; replaced by another one",
        "replaced by another one",
        "no longer true",
        "",
    ]
