from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.retrieval.context import ELLIPSIS, LEAST_TOKENS, fit_memories
from memory.tokens import TokenCounter
from memory.types import MemoryItem
from tests.memory.growth import grows_too_fast

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
        answer_score=0.9,
        confidence="high",
        source=None,
        created_at=datetime(2026, 1, 2, tzinfo=UTC),
        importance=0.5,
    )


@profile(deadline=None)
@given(st.lists(content, max_size=8), st.integers(0, 200))
def test_never_above_the_budget_and_in_order(texts: list[str], budget: int) -> None:
    fitted = fit_memories([item(text) for text in texts], budget, COUNTER)
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
    assert [
        each.content for each in fit_memories(list(map(item, texts)), exact, COUNTER).items
    ] == texts
    assert fit_memories(list(map(item, texts)), exact - 1, COUNTER).truncated


def test_the_cut_item_ends_the_list() -> None:
    long = item("word " * 500)
    fitted = fit_memories([item("first"), long, item("tiny")], 50, COUNTER)
    assert [each.content[:5] for each in fitted.items] == ["first", "word "]
    assert 45 <= fitted.token_count <= 50
    assert fitted.items[1].model_copy(update={"content": long.content}) == long


def test_a_piece_too_small_to_read_is_left_out() -> None:
    fitted = {
        budget: fit_memories([item("word " * 500)], budget, COUNTER)
        for budget in range(LEAST_TOKENS)
    }
    assert [
        budget
        for budget, each in fitted.items()
        if (each.items, each.token_count, each.truncated) != ((), 0, True)
    ] == []


def test_the_least_piece_is_taken() -> None:
    [piece] = fit_memories([item("word " * 500)], LEAST_TOKENS, COUNTER).items
    assert piece.content.startswith("word word")


def test_nothing_to_fit() -> None:
    fitted = fit_memories([], 1000, COUNTER)
    assert (fitted.items, fitted.token_count, fitted.truncated) == ((), 0, False)


SENTENCES = "Ada plays the cello in the town's orchestra. Her recital is in May, after Easter. " * 9


def test_a_long_one_is_cut_after_a_sentence_or_else_a_clause_or_a_word() -> None:
    for budget in range(LEAST_TOKENS, 120, 7):
        beginning = cut_to(item(SENTENCES), budget).removesuffix(ELLIPSIS)
        rest = SENTENCES[len(beginning) :]
        assert rest.startswith(" "), budget
        if budget > 40:
            assert beginning.endswith("."), budget


def test_the_end_of_a_sentence_comes_before_that_of_a_clause() -> None:
    told = item("The train to Rome leaves at nine. It is red, slow and most comfortable inside")
    assert cut_to(told, 15) == "The train to Rome leaves at nine. …"


def test_a_clause_where_the_only_sentence_is_too_short() -> None:
    told = item(
        "Yes. The train to Rome leaves at nine on weekdays, and at ten on all of the others"
    )
    assert cut_to(told, 18) == "Yes. The train to Rome leaves at nine on weekdays, …"


def test_a_word_where_nothing_else_ends() -> None:
    words = (
        "the electroencephalographically documented internationalisation of theses " + "on tea" * 9
    )
    cuts = {cut_to(item(words), budget).removesuffix(ELLIPSIS) for budget in range(8, 15)}
    assert len(cuts) > 2
    assert all(words.startswith(f"{cut} ") for cut in cuts)


def test_a_text_without_spaces_is_cut_anyway() -> None:
    assert len(cut_to(item("x" * 5000), 20)) > 20
    assert cut_to(item("語" * 500), 20).startswith("語語")


def cut_to(long: MemoryItem, budget: int) -> str:
    [piece] = fit_memories([long], budget, COUNTER).items
    return piece.content


@profile(deadline=None)
@given(content, st.integers(LEAST_TOKENS, 60))
def test_no_word_is_cut_where_another_one_ends_before(text: str, budget: int) -> None:
    fitted = fit_memories([item(text)], budget, COUNTER)
    for piece in fitted.items:
        if fitted.truncated:
            kept = piece.content.removesuffix(ELLIPSIS)
            follows = text[len(kept) : len(kept) + 1]
            assert not kept[-1:].isspace()
            assert not (kept[-1].isalpha() and follows.isalpha()) or len(kept.split()) == 1


def test_blank_text_leaves_no_bare_ellipsis() -> None:
    assert fit_memories([item("\n \t" * 500 + "word")], 20, COUNTER).items == ()


PIECES = ["word ", ".", ". ", "\n", " ", "x", ", ", "语"]


def test_cutting_takes_no_longer_than_the_length() -> None:
    def cut(text: str) -> object:
        return fit_memories([item(text)], len(text) // 8, COUNTER)

    assert grows_too_fast(cut, PIECES, length=100_000) == []
