"""What tells ordinary talk soon, held against the plain way: each phrase of each rule in its turn,
without regard to case, and each slip of the finger in a word of commands."""

from __future__ import annotations

import re
from functools import cache
from string import ascii_lowercase

from hypothesis import assume, example, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from agent.plain_words.recognise import RULES
from agent.plain_words.sentence import fold, plain
from agent.plain_words.spelling import without_slips
from tests.agent.plain_words.test_recognise import lines_of, utterances

SAID = (
    *(said for name in ("without_object.txt", "by_name.txt") for said, _ in utterances(name)),
    *lines_of("traps.txt"),
)


@cache
def without_case(phrase: str) -> re.Pattern[str]:
    return re.compile(phrase, re.IGNORECASE)


def _said_as(phrase: str) -> st.SearchStrategy[str]:
    return st.from_regex(without_case(phrase), fullmatch=True)


words = st.sampled_from(sorted(set(" ".join(SAID).split())))
phrases = st.sampled_from([phrase for rule in RULES for phrase in rule.phrases]).flatmap(_said_as)
said_so = st.sampled_from(SAID) | st.lists(words, max_size=9).map(" ".join) | phrases | st.text()


@given(said_so)
@example("ſHOW ME WHAT YOU \N{KELVIN SIGN}NOW ABOUT ME")
@example("Turn İncognıto on")
@profile(max_examples=200)
def test_a_rule_takes_what_one_of_its_phrases_takes(said: str) -> None:
    for sentence in plain(said):
        folded = fold(sentence.spoken)
        for rule in RULES:
            matches = [without_case(phrase).fullmatch(folded) for phrase in rule.phrases]
            assert rule.may_match(sentence) == any(matches)


@given(phrases)
def test_the_words_that_a_phrase_takes_are_the_same_in_any_case(said: str) -> None:
    for sentence in plain(said):
        for rule in RULES:
            if rule.may_match(sentence):
                found = [pattern.fullmatch(sentence.folded) for pattern in rule.patterns]
                assert [_places(match) for match in found] == [
                    _places(without_case(phrase).fullmatch(fold(sentence.spoken)))
                    for phrase in rule.phrases
                ]


def _places(match: re.Match[str] | None) -> dict[str, tuple[int, int]] | None:
    return None if match is None else {name: match.span(name) for name in match.groupdict()}


COMMAND_WORDS = ("remember", "forget", "memory", "memories", "incognito", "everything")
OWN_WORDS = ("forgot", "forge", "forged", "forger", "forges", "forgets", "remembers", "memorise")


@given(st.sampled_from(COMMAND_WORDS), st.integers(0, 9), st.sampled_from(ascii_lowercase))
def test_one_slip_anywhere_in_a_command_word_is_put_right(word: str, at: int, letter: str) -> None:
    before, here, rest = word[:at], word[at : at + 1], word[at + 1 :]
    typed = {
        *(f"{before}{rest}", f"{before}{letter}{here}{rest}", f"{before}{letter}{rest}"),
        f"{before}{rest[:1]}{here}{rest[1:]}",
    }
    assert {without_slips(each) for each in typed - {*OWN_WORDS}} == {word}


LONG_VERBS = ("delete", "export", "restore", "disable", "correct", "private", "download")


@given(st.sampled_from((*LONG_VERBS, "turn", "undo", "erase", "keep")), st.integers(0, 7))
def test_a_verb_that_is_mistyped_anywhere_is_put_right(verb: str, at: int) -> None:
    before, here, rest = verb[:at], verb[at : at + 1], verb[at + 1 :]
    assert without_slips(f"{before}{rest[:1]}{here}{rest[1:]}") == verb
    assume(verb in LONG_VERBS)
    assert without_slips(f"{before}{rest}") == verb
    assert without_slips(f"{before}{here}{here}{rest}") == verb
