from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.message_retriever import (
    BESIDE,
    LONG,
    SHORT,
    best_passage,
    fit_messages,
    to_recalled_message,
)
from memory.tokens import TokenCounter
from memory.types import RecalledMessage
from tests.memory.recall.messages.said import SAID_AT, beside, row

COUNTER = TokenCounter()


def message(content: str, before: str | None = None, after: str | None = None) -> RecalledMessage:
    return RecalledMessage(
        id="1",
        conversation_id="2",
        role="user",
        content=content,
        created_at=SAID_AT,
        relevance_score=0.5,
        before=before,
        after=after,
    )


def test_a_short_message_has_its_neighbours_and_who_said_them() -> None:
    said = row("Casa Azul.", before=beside("Which  hotel?", "assistant"), after=beside("x " * 200))
    item = to_recalled_message(said, 0.7, "hotel")
    assert item.before == "assistant: Which hotel?"
    assert item.after is not None
    assert item.after.startswith("user: x x")
    assert item.after.endswith(" …")
    assert len(item.after) <= BESIDE + len("user:  …")


def test_a_long_message_stands_by_itself() -> None:
    said = row("word " * SHORT, before=beside("Which hotel?"), after=beside("Ah."))
    item = to_recalled_message(said, 0.7, "hotel")
    assert (item.before, item.after) == (None, None)


def test_secrets_are_not_shown() -> None:
    secret = "My password is Tr0ub4dor&3xyz!"
    item = to_recalled_message(
        row("Casa Azul.", before=beside(secret), after=beside(secret)), 0.7, "hotel"
    )
    assert (
        "Tr0ub4dor"
        not in f"{item.before}{item.after}{to_recalled_message(row(secret), 0.7, 'q').content}"
    )


def test_of_a_long_text_the_passage_about_the_question_is_shown() -> None:
    text = "Nothing is here. " * 100 + "The cat sleeps on the sofa. " + "Nothing else. " * 100
    part = best_passage(text, "where does the cat sleep, on a sofa?")
    assert "The cat sleeps on the sofa." in part
    assert part.startswith("… ")
    assert part.endswith(" …")


@given(st.text(max_size=4 * LONG), st.text(max_size=40))
def test_a_passage_is_short_and_in_the_words_of_the_text(text: str, query: str) -> None:
    part = best_passage(text, query)
    assert len(part) <= LONG + len("…  …")
    if len(text) <= LONG:
        assert part == text


def test_one_sentence_without_an_end_is_cut() -> None:
    assert len(best_passage("x" * 10 * LONG, "x")) <= LONG + 4


@given(
    st.lists(
        st.builds(message, st.text(max_size=200), st.none() | st.text(max_size=60)), max_size=4
    ),
    st.integers(0, 120),
)
def test_never_more_than_the_budget(items: list[RecalledMessage], budget: int) -> None:
    fitted = fit_messages(items, budget, COUNTER)
    texts = [text for each in fitted.items for text in (each.content, each.before) if text]
    assert fitted.token_count == sum(COUNTER.count(text) for text in texts) <= budget
    assert [each.id for each in fitted.items] == [each.id for each in items][: len(fitted.items)]
    assert fitted.truncated or list(fitted.items) == items


@pytest.mark.parametrize(("budget", "content"), [(6, "The cat sleeps."), (3, None)])
def test_the_neighbours_go_first(budget: int, content: str | None) -> None:
    item = message("The cat sleeps.", "assistant: Where is it, and why is it so quiet here?")
    fitted = fit_messages([item], budget, COUNTER)
    assert [each.content for each in fitted.items] == ([content] if content else [])
    assert all(each.before is None for each in fitted.items)
    assert fitted.truncated
