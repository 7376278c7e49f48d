from __future__ import annotations

from uuid import uuid4

from agent.talks.dialogue import (
    MAX_DIALOGUES,
    AskedToErase,
    AskedWhichHolds,
    Dialogue,
    Dialogues,
    News,
    Question,
)

ADA, BOB = "ada", "bob"


def test_each_conversation_of_each_user_has_its_own() -> None:
    dialogues = Dialogues()
    chat = uuid4()
    dialogues.of(ADA, chat, "default").privacy = "incognito"
    assert dialogues.of(ADA, chat, "default").privacy == "incognito"
    assert dialogues.of(BOB, chat, "default").privacy is None
    assert dialogues.of(ADA, uuid4(), "default").privacy is None


def test_another_space_knows_nothing_of_what_was_meant() -> None:
    dialogues = Dialogues()
    chat = uuid4()
    dialogues.of(ADA, chat, "work").mentioned = (uuid4(),)
    assert dialogues.of(ADA, chat, "home").mentioned == ()


def test_the_least_recently_used_one_is_dropped() -> None:
    dialogues = Dialogues()
    chats = [uuid4() for _ in range(MAX_DIALOGUES)]
    first = dialogues.of(ADA, chats[0], "default")
    for chat in chats[1:]:
        dialogues.of(ADA, chat, "default")
    assert dialogues.of(ADA, chats[0], "default") is first
    second = dialogues.of(ADA, chats[1], "default")
    dialogues.of(BOB, uuid4(), "default")
    assert dialogues.known(ADA, chats[2]) is None
    for _ in range(2):
        dialogues.of(ADA, uuid4(), "default")
    assert dialogues.of(ADA, chats[1], "default") is second


def test_nobody_pushes_out_anothers() -> None:
    dialogues = Dialogues()
    private, usual = uuid4(), uuid4()
    dialogues.of(ADA, private, "default").privacy = "incognito"
    dialogues.of(ADA, usual, "default")
    for _ in range(MAX_DIALOGUES + 2):
        dialogues.of(BOB, uuid4(), "default").privacy = "incognito"
    assert dialogues.known(ADA, private) is not None
    assert dialogues.known(ADA, usual) is not None


def test_an_incognito_one_is_dropped_last() -> None:
    dialogues = Dialogues()
    private = [uuid4() for _ in range(MAX_DIALOGUES)]
    for chat in private:
        dialogues.of(ADA, chat, "default").privacy = "incognito"
    usual = uuid4()
    dialogues.of(ADA, usual, "default")
    assert dialogues.known(ADA, private[0]) is None
    dialogues.of(ADA, uuid4(), "default")
    assert dialogues.known(ADA, usual) is None
    assert dialogues.known(ADA, private[1]) is not None


def test_starting_over_forgets_what_was_asked() -> None:
    dialogue = Dialogues().of(ADA, uuid4(), "default")
    dialogue.question, dialogue.noticed = AskedToErase(), [News("noted: x", "noted")]
    dialogue.start_over("incognito")
    assert dialogue == Dialogue("default", "incognito")


def test_news_is_told_once_and_a_question_is_open_when_it_was_told() -> None:
    first, second = AskedWhichHolds(uuid4()), AskedWhichHolds(uuid4())
    news = [
        News("noted: a", "noted"),
        News("a?", "asked", first),
        News("b?", "asked", second),
        News("noted: c", "noted"),
    ]
    dialogue = Dialogue("default", noticed=news)
    assert asked_in(dialogue) is None
    assert dialogue.tell() == ["noted: a", "a?"]
    assert asked_in(dialogue) == first
    assert dialogue.tell() == [], "the first question is still open"
    dialogue.question = None
    assert dialogue.tell() == ["b?"]
    assert asked_in(dialogue) == second
    dialogue.question = None
    assert dialogue.tell() == ["noted: c"]
    assert (dialogue.tell(), asked_in(dialogue)) == ([], None)


def asked_in(dialogue: Dialogue) -> Question | None:
    return dialogue.question
