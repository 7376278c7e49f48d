"""Whoever writes in another language is answered, asked and told what was noted in it."""

from __future__ import annotations

import pytest

from agent.commands.command import Command
from tests.agent.chatting import Chat


@pytest.mark.parametrize(
    ("told", "wish", "noted", "asked", "yes", "done"),
    [
        (
            "Meine Schwester wohnt seit drei Jahren in Bergen.",
            "Vergiss bitte das mit meiner Schwester in Bergen",
            "notiert: ",
            "Soll ich? Sag ja oder nein.",
            "ja",
            "Vergessen: ",
        ),
        (
            "Mi hermana vive en Sevilla desde hace tres años.",
            "Olvida lo de mi hermana en Sevilla",
            "anotado: ",
            "¿Lo hago? Di sí o no.",
            "sí",
            "Olvidado: ",
        ),
        (
            "Ma sœur habite à Lyon depuis trois ans.",
            "Oublie ce que je t'ai dit sur ma sœur à Lyon",
            "noté : ",
            "Dois-je le faire ? Dis oui ou non.",
            "oui",
            "Oublié : ",
        ),
        (
            "Søsteren min har bodd i Bergen i tre år.",
            "Glem det om søsteren min i Bergen",
            "notert: ",
            "Skal jeg? Si ja eller nei.",
            "ja",
            "Glemt: ",
        ),
    ],
)
async def test_noted_asked_and_done_in_the_language_of_the_message(
    chat: Chat, *, told: str, wish: str, noted: str, asked: str, yes: str, done: str
) -> None:
    await chat.say(told)
    [sentence] = await chat.noticed()
    assert sentence.startswith(noted)
    assert (await chat.say(wish)).endswith(asked)
    assert (await chat.say(yes)).startswith(done), "an answer of one word is of the conversation"


async def test_an_answer_quotes_with_the_day_in_the_language(chat: Chat) -> None:
    await chat.hold("Meine Schwester Maria wohnt in Bergen")
    told = await chat.say("Wo wohnt meine Schwester Maria?")
    assert told.startswith("Nach dem, was du mir gesagt hast (gemerkt am ")
    assert (await chat.say("Where does my sister Maria live?")).startswith("Based on what you told")


async def test_a_button_answers_as_the_conversation_goes(chat: Chat) -> None:
    await chat.say("Wo wohnt meine Schwester Maria?")
    assert await chat.do(Command("memory_off")) != ""
    assert (await chat.do(Command("memory_on"))).startswith("Das Gedächtnis ist an")


async def test_a_secret_that_is_left_out_is_told_in_the_language(chat: Chat) -> None:
    await chat.say("Meine Kreditkarte hat die Nummer 4111 1111 1111 1111, glaube ich.")
    [told] = chat.told.closed.notices
    assert told.startswith("Deine Nachricht enthielt etwas Geheimes (Kartennummer)")
