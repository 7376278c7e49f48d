"""What holds for every command and every message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.plain_words import recognise
from agent.plain_words.sentence import after_leads, before_tails, fold
from agent.plain_words.spelling import without_slips

LINES = (Path(__file__).parent / "without_object.txt").read_text(encoding="utf-8").splitlines()
SAID = [line.split(" | ", 1)[1] for line in LINES]
words = st.sampled_from(" ".join(SAID).split())


def _curly(said: str) -> str:
    return said.replace("'", "’")


def _straight(said: str) -> str:
    return said.replace("’", "'")


def _spaced(said: str) -> str:
    return said.replace(" ", "  ")


# Phrases are compiled when first needed, which would count against the first example's deadline.
recognise("hello")


@given(st.text())
def test_it_never_raises(said: str) -> None:
    recognise(said)


@given(st.lists(words, max_size=30))
def test_words_of_commands_in_any_order_never_raise(parts: list[str]) -> None:
    recognise(" ".join(parts))


@pytest.mark.parametrize("quoted", ['"{}"', "“{}”", "'{}'", "`{}`", "> {}", "```\n{}\n```"])
def test_a_quoted_command_is_none(quoted: str) -> None:
    assert [said for said in SAID if recognise(quoted.format(said)) is not None] == []


@pytest.mark.parametrize(
    "around",
    [
        *("he said “{}” to me", "what does “{}” mean?", "what happens if I say {}?"),
        *("if I say {}, what do you do?", "translate “{}” into French", "suppose I said {}"),
        *("how do I say {} in German?", "my sister told me: {}", "write a song called {}"),
    ],
)
def test_a_command_that_is_talked_about_is_none(around: str) -> None:
    talked = [around.format(said.rstrip("?!.")) for said in SAID]
    assert [each for each in talked if recognise(each) is not None] == []


@pytest.mark.parametrize("before", ["please ", "Hey Keepsake, ", "ok, ", "um, ", "Please, "])
def test_politeness_before_changes_nothing(before: str) -> None:
    assert [said for said in SAID if recognise(before + said) != recognise(said)] == []


@pytest.mark.parametrize("after", [" please", ", thanks", " :)", " 🙏", "  ", " — thank you!"])
def test_politeness_after_changes_nothing(after: str) -> None:
    changed = [said for said in SAID if recognise(said.rstrip(".!") + after) != recognise(said)]
    assert changed == []


@pytest.mark.parametrize("form", [str.upper, str.lower, _curly, _straight, _spaced])
def test_neither_case_nor_apostrophes_nor_spaces_matter(form: Callable[[str], str]) -> None:
    assert [said for said in SAID if recognise(form(said)) != recognise(said)] == []


@given(st.text(min_size=1))
@example("A.\x850")
def test_what_is_kept_was_said(text: str) -> None:
    """In one line: a break between two sentences is kept as a space."""
    command = recognise(f"remember this: {text}")
    if command is not None and command.name == "remember":
        kept, said = command.text or "", f"remember this: {text}"
        assert " ".join(kept.split()) in " ".join(said.split())


@given(st.text())
def test_folding_keeps_every_letter_in_its_place(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert 0 <= after_leads(text)[0] <= len(text)
    assert 0 <= before_tails(text)[0] <= len(text)


@pytest.mark.parametrize("word", ["forgot", "forged", "remembers", "memorise", "expert", "memo"])
def test_words_of_their_own_are_no_slips(word: str) -> None:
    assert without_slips(word) == word


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("forgt", "forget"), ("rember", "remember"), ("memroy", "memory"), ("incog", "incognito")],
)
def test_a_slip_is_put_right(typed: str, meant: str) -> None:
    assert without_slips(f"please {typed} now") == f"please {meant} now"


@pytest.mark.parametrize(
    "said",
    [
        *("forget " * 1400, "please " * 1400, "(" * 10_000, " " * 10_000, "remember " * 1100),
        *("remember that x" + " ," * 5000, "thanks " * 1400, "remember: " + "!" * 9000),
        *(
            "what do you know about " + "my " * 90,
            "use memory but " * 20,
            "what did you " + "change or " * 28,
            "forget me and " * 20,
            "don't save anything new " * 12,
            "don't remember that i " * 12,
        ),
    ],
)
def test_a_hostile_message_is_answered_at_once(said: str) -> None:
    """By construction: a pattern meets 300 characters at most, or one pass over the text."""
    recognise(said)
