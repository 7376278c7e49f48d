from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.query import asks_for_number, holds_number, is_personal, prepare_query

PERSONAL = [
    ("What is my dog called?", True),
    ("WHERE DO WE KEEP OUR KEYS", True),
    ("where did I’ve put it", True),
    ("tell me about Rome", True),
    ("What is the capital of France?", False),
    ("Who was mined in the Ourals?", False),
    ("explain myrrh and thyme", False),
    ("myrrh and thyme", True),
    ("package manager preference", True),
]


def test_a_question_to_the_world_speaks_of_nobody_here() -> None:
    assert [
        (query, got) for query, personal in PERSONAL if (got := is_personal(query)) is not personal
    ] == []


FOR_A_NUMBER = [
    ("When is Anna's party?", True),
    ("how many eggs do I need", True),
    ("What time does the train leave?", True),
    ("Which year did we move?", True),
    ("What is Tom's birthday?", True),
    ("what is the wifi password", True),
    ("What do I eat when I travel?", False),
    ("How do I like my eggs?", False),
    ("Whenever", False),
    ("pins and needles", False),
    ("", False),
]


def test_some_questions_want_a_number() -> None:
    assert [
        (query, got) for query, asks in FOR_A_NUMBER if (got := asks_for_number(query)) is not asks
    ] == []


HOLDING_A_NUMBER = [
    ("born on 3 May", True),
    ("twice a week", True),
    ("on Tuesdays", True),
    ("the shop opens in SPRING", True),
    ("seven", True),
    ("nobody and nothing", False),
    ("some weight was often lost", False),
    ("", False),
]


def test_a_memory_holds_a_number_a_day_or_a_season() -> None:
    assert [
        (text, got) for text, holds in HOLDING_A_NUMBER if (got := holds_number(text)) is not holds
    ] == []


@given(st.text())
def test_any_text_has_an_answer_whatever_its_case(text: str) -> None:
    for ask in (is_personal, asks_for_number, holds_number):
        assert ask(text) in (True, False)
    assert holds_number(f"{text} 7")
    assert is_personal(f"{text} MY {text}")


def test_a_question_is_searched_for_without_its_secrets() -> None:
    asked = prepare_query("Is my password hunter2!Xy9 still good?")
    assert "hunter2" not in asked
    assert asked.startswith("Is my password [password removed]")


def test_a_secret_where_a_long_question_is_cut_is_not_cut_in_two() -> None:
    key = "sk-proj-" + "aB3dE5fG7hJ9kL1m" * 3
    assert "sk-proj" not in prepare_query("x " * 4090 + key)
