from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.models import MemoryItem
from memory.recall.budget import ELLIPSIS, LEAST_TOKENS, fit
from memory.tokens import TokenCounter

COUNTER = TokenCounter()
content = st.text(st.sampled_from("ab Z.,\n\t…é語🙂 1"), min_size=1, max_size=120) | st.lists(
    st.sampled_from(["memory", " of", " uv", "  ", "\n", "!?", "語"]), min_size=1, max_size=60
).map("".join)


def item(text: str) -> MemoryItem:
    return MemoryItem(
        id="1",
        content=text,
        type="fact",
        relevance_score=0.5,
        source=None,
        created_at=datetime(2026, 1, 2, tzinfo=UTC),
        importance=0.5,
    )


@profile(deadline=None)
@given(st.lists(content, max_size=8), st.integers(0, 200))
def test_never_above_the_budget_and_in_order(texts: list[str], budget: int) -> None:
    fitted = fit([item(text) for text in texts], budget, COUNTER)
    assert fitted.token_count == sum(COUNTER.count(each.content) for each in fitted.items)
    assert fitted.token_count <= budget
    taken = [each.content for each in fitted.items]
    whole = taken if taken == texts[: len(taken)] else taken[:-1]
    assert whole == texts[: len(whole)]
    assert fitted.truncated is (len(whole) < len(texts))
    if len(whole) < len(taken):
        assert taken[-1].endswith(ELLIPSIS)
        assert texts[len(whole)].startswith(taken[-1].removesuffix(ELLIPSIS))


@profile(deadline=None)
@given(st.lists(content, min_size=1, max_size=8))
def test_what_fits_exactly_is_whole(texts: list[str]) -> None:
    exact = sum(map(COUNTER.count, texts))
    assert [each.content for each in fit(list(map(item, texts)), exact, COUNTER).items] == texts
    assert fit(list(map(item, texts)), exact - 1, COUNTER).truncated


def test_the_cut_item_ends_the_list() -> None:
    long = item("word " * 500)
    fitted = fit([item("first"), long, item("tiny")], 50, COUNTER)
    assert [each.content[:5] for each in fitted.items] == ["first", "word "]
    assert 45 <= fitted.token_count <= 50
    assert fitted.items[1].model_copy(update={"content": long.content}) == long


@pytest.mark.parametrize("budget", range(LEAST_TOKENS))
def test_a_piece_too_small_to_read_is_left_out(budget: int) -> None:
    fitted = fit([item("word " * 500)], budget, COUNTER)
    assert (fitted.items, fitted.token_count, fitted.truncated) == ((), 0, True)


def test_the_least_piece_is_taken() -> None:
    [piece] = fit([item("word " * 500)], LEAST_TOKENS, COUNTER).items
    assert piece.content.startswith("word word")


def test_nothing_to_fit() -> None:
    fitted = fit([], 1000, COUNTER)
    assert (fitted.items, fitted.token_count, fitted.truncated) == ((), 0, False)
