from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.actions.forgetting.redaction import FORGOTTEN_MARK, split_pieces
from memory.actions.forgetting.transcript_redaction import (
    MessageRedaction,
    TopicQuery,
    make_titles,
    make_topic_query,
    make_unsaying,
    plain_words,
    sentences_about,
    ways_to_say,
    with_replies,
    without_requests,
)
from memory.store.erasure import TranscriptMessage
from memory.store.forgetting import HistoryChoice
from memory.types import Role

TURN = UUID(int=1)
NOW = datetime(2026, 5, 4, tzinfo=UTC)


def held_by(pieces: Sequence[str]) -> list[frozenset[str]]:
    """Words in lower case in the place of lexemes."""
    return [frozenset(plain_words(piece).lower().split()) for piece in pieces[::2]]


def seek(asked: str, *names: str) -> TopicQuery:
    ways = ways_to_say(asked)
    lexemes = {word: held_by([word])[0] - {"my"} for words in ways for word in words}
    return make_topic_query(ways, lexemes, [frozenset({name}) for name in names])


def gone_from(text: str, sought: TopicQuery) -> list[str]:
    pieces = split_pieces(text)
    return [pieces[place] for place in sorted(sentences_about(pieces, held_by(pieces), sought))]


def message(content: str, role: Role = "user", turn: UUID = TURN) -> TranscriptMessage:
    return TranscriptMessage(uuid4(), UUID(int=9), turn, role, content, NOW)


def going(
    content: str, role: Role = "user", turn: UUID = TURN, *, about: str = "gustavo"
) -> MessageRedaction:
    pieces = split_pieces(content)
    return MessageRedaction(
        message(content, role, turn), sentences_about(pieces, held_by(pieces), seek(about))
    )


SENTENCES: list[tuple[str, str, list[str]]] = [
    ("Gustavo", "I met Gustavo. It rained.", ["I met Gustavo."]),
    ("Gustavo", "I met Gustavo. He is old.", ["I met Gustavo.", "He is old."]),
    ("Gustavo", "He is old. I met Gustavo.", ["I met Gustavo."]),
    ("Gustavo", "Gustavo's tent, please", ["Gustavo's tent, please"]),
    ("Gustavo", "Write to gustavo@example.com/a_b.", ["Write to gustavo@example.com/a_b."]),
    ("Gustavo", "Augustavo and Gustav came.", []),
    ("my trip to Oslo", "The trip was long. Oslo is cold.", []),
    ("Gustavo wine", "Gustavo came. He had wine.", ["Gustavo came.", "He had wine."]),
    ("Jean-Luc", "Luc called.", []),
    ("my sister", "My sibling came.", ["My sibling came."]),
    ("my", "My sibling came.", []),
    ("forgotten", "[forgotten] I like tea.", []),
]


def test_a_sentence_goes_where_it_plainly_holds_the_words() -> None:
    assert [
        (asked, text, got)
        for asked, text, gone in SENTENCES
        if (got := gone_from(text, seek(asked))) != gone
    ] == []


def test_the_name_of_who_is_meant_stands_for_the_title_alone() -> None:
    sought = seek("my sister job", "maria")
    assert gone_from("Maria has a new job. Maria sings. My sister has a job.", sought) == [
        "Maria has a new job.",
        "My sister has a job.",
    ]
    assert gone_from("Maria sings.", seek("my job", "maria")) == []


@given(st.text("abé .!\n[]He", max_size=60), st.text("abé ", max_size=4))
def test_what_is_left_holds_nothing_that_is_sought(text: str, asked: str) -> None:
    sought = seek(asked)
    pieces = split_pieces(text)
    each = MessageRedaction(message(text), sentences_about(pieces, held_by(pieces), sought))
    assert gone_from(each.left, sought) == []
    if not each.places:
        assert each.left == text


@given(st.text())
def test_without_words_nothing_is_sought(text: str) -> None:
    assert gone_from(text, TopicQuery(())) == []


def test_sentences_in_a_row_are_one_passage() -> None:
    each = going("Gustavo came. He sang. I like tea. Gustavo left.")
    assert each.passages == ["Gustavo came. He sang.", "Gustavo left."]
    assert each.left == f"{FORGOTTEN_MARK} I like tea. {FORGOTTEN_MARK}"


def test_the_answer_to_what_goes_goes_with_it_and_no_other_answer() -> None:
    """It need not hold the name; one of another turn that shares a word stays."""
    said = going("Gustavo was fired for stealing wine.")
    answer = message("Fired for stealing? That is hard. Shall we talk of tea?", "assistant")
    other = message("Stealing wine is wrong.", "assistant", UUID(int=2))
    found = with_replies([said], [answer])
    assert [each.message for each in found] == [said.message, answer]
    assert found[1].left == f"{FORGOTTEN_MARK} That is hard. Shall we talk of tea?"
    assert with_replies([said], [other]) == [said]


def test_a_turn_that_only_tells_to_forget_it_tells_nothing() -> None:
    wish, answer = (
        going("Please forget about Gustavo."),
        going("Nothing about Gustavo.", "assistant"),
    )
    told = going("Gustavo came.", turn=UUID(int=2))
    assert without_requests([wish, answer]) == []
    assert without_requests([wish, answer, told]) == [told]


@pytest.mark.parametrize(
    ("history", "title"), [("redact", f"{FORGOTTEN_MARK} Tea?"), ("delete", None)]
)
def test_a_title_that_a_message_gave_goes_with_it(
    history: HistoryChoice, title: str | None
) -> None:
    each = going("Gustavo came. Tea?")
    chat = each.message.conversation_id
    assert make_titles({chat: "Gustavo came. Tea?"}, {}, [each], history) == {chat: title}
    assert make_titles({chat: "Plans"}, {}, [each], history) == {}


def test_a_title_of_its_own_loses_its_sentences() -> None:
    chat = UUID(int=9)
    assert make_titles({chat: "Gustavo"}, {chat: frozenset({0})}, [], "redact") == {
        chat: FORGOTTEN_MARK
    }


def test_messages_are_reworded_or_taken_as_the_user_chose() -> None:
    each = going("Gustavo came. Tea?")
    redacted = make_unsaying([each], {}, "redact")
    assert redacted.reworded == {each.message.id: f"{FORGOTTEN_MARK} Tea?"}
    assert redacted.counts == {"messages_redacted": 1}
    deleted = make_unsaying([each], {}, "delete")
    assert (deleted.reworded, deleted.taken) == ({}, (each.message.id,))
    assert deleted.counts == {"messages_deleted": 1}
