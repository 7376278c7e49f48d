"""Whoever writes in one of five languages is answered in it, with nothing missing."""

from __future__ import annotations

import string
import tomllib
from datetime import date
from typing import Any

import pytest

from agent.commands.history_choice import split_choice
from agent.commands.lexicon import answer_in, is_old_one
from agent.turn.heard import hear_commands
from agent.wording.language import LANGUAGES, Language
from agent.wording.wording import HERE, IN_ENGLISH, Wording
from memory import errors
from memory.errors import RecentlyForgotten, SecretRefused
from memory.secrets import KINDS
from memory.understanding import OfflineReader
from memory.understanding.reading import CATEGORIES, LIFETIMES
from memory.understanding.reading import KINDS as KINDS_OF_SEGMENTS

OTHERS = [each for each in LANGUAGES if each != "en"]
COMMANDS = ("undo", "remember_anyway", "memory_on", "incognito_off")
READER = OfflineReader()


def stored(language: Language) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{language}.toml").read_text(encoding="utf-8"))


def fields_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_each_language_has_every_sentence_with_the_same_fields(language: Language) -> None:
    here, english = stored(language), stored("en")
    for part in ("sentences", "phrases"):
        told = {name: fields_of(each) for name, each in here[part].items()}
        assert told == {name: fields_of(each) for name, each in english[part].items()}
    assert {name: len(each) for name, each in here["counted"].items()} == {
        name: len(each) for name, each in english["counted"].items()
    }
    for part in ("kinds", "categories", "lifetimes"):
        assert list(here[part]) == list(english[part])
    assert tuple(english["kinds"]) == KINDS_OF_SEGMENTS
    assert (tuple(english["categories"]), tuple(english["lifetimes"])) == (CATEGORIES, LIFETIMES)
    assert len(here["months"]) == len(english["months"]) == 12


def test_no_sentence_is_there_for_nothing() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in HERE.parent.rglob("*.py"))
    unused = {name for name in stored("en")["sentences"] if f'"{name}"' not in source}
    assert unused == set()


@pytest.mark.parametrize("language", OTHERS)
def test_each_language_has_the_same_errors_and_kinds_of_secrets(language: Language) -> None:
    here = stored(language)
    assert here["errors"].keys() == stored("de")["errors"].keys()
    assert here["secrets"].keys() == set(KINDS)
    for name, sentence in here["errors"].items():
        raised = fields_of(getattr(errors, name).__doc__ or "")
        assert fields_of(sentence) <= raised | here["phrases"].keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_are_told_to_say_is_understood(language: Language) -> None:
    phrases = stored(language)["phrases"]
    for name in COMMANDS:
        assert [each.name for each in hear_commands(phrases[name], READER)] == [name]
    assert is_old_one(phrases["the_old_one"])
    for name, history in (("keep_messages", "keep"), ("delete_messages", "delete")):
        answer, chosen = split_choice(phrases[name])
        assert (answer_in(answer), chosen) == (True, history)


def test_days_are_written_as_the_language_writes_them() -> None:
    days = [Wording(each).day(date(2026, 5, 3)) for each in LANGUAGES]
    assert days == ["3 May 2026", "3. Mai 2026", "3 de mayo de 2026", "3 mai 2026", "3. mai 2026"]


def test_what_is_refused_is_said_in_the_language_with_its_days() -> None:
    error = RecentlyForgotten(what="this", day="3 May 2026", until="4 May 2026, 10:00 UTC")
    told = Wording("de").error(error)
    assert "3. Mai 2026" in told
    assert "4. Mai 2026, 10:00 UTC" in told
    assert IN_ENGLISH.error(error) == str(error)
    assert "contraseña" in Wording("es").error(SecretRefused(kind="password"))


def test_one_is_told_from_several() -> None:
    assert [Wording("no").counted("memory", n) for n in (1, 2)] == ["1 minne", "2 minner"]
