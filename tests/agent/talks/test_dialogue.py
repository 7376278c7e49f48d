from __future__ import annotations

from uuid import uuid4

from agent.conversations.state import (
    MAX_CONVERSATION_STATES,
    ConversationState,
    ConversationStates,
    EraseQuestion,
    PendingNotice,
    PendingQuestion,
    ReplacementQuestion,
)

ADA, BOB = "ada", "bob"


def test_each_conversation_of_each_user_has_its_own() -> None:
    dialogues = ConversationStates()
    chat = uuid4()
    dialogues.of(ADA, chat, "default").privacy = "incognito"
    assert dialogues.of(ADA, chat, "default").privacy == "incognito"
    assert dialogues.of(BOB, chat, "default").privacy is None
    assert dialogues.of(ADA, uuid4(), "default").privacy is None


def test_another_space_knows_nothing_of_what_was_meant() -> None:
    dialogues = ConversationStates()
    chat = uuid4()
    dialogues.of(ADA, chat, "work").mentioned = (uuid4(),)
    assert dialogues.of(ADA, chat, "home").mentioned == ()


def test_the_least_recently_used_one_is_dropped() -> None:
    dialogues = ConversationStates()
    chats = [uuid4() for _ in range(MAX_CONVERSATION_STATES)]
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
    dialogues = ConversationStates()
    private, usual = uuid4(), uuid4()
    dialogues.of(ADA, private, "default").privacy = "incognito"
    dialogues.of(ADA, usual, "default")
    for _ in range(MAX_CONVERSATION_STATES + 2):
        dialogues.of(BOB, uuid4(), "default").privacy = "incognito"
    assert dialogues.known(ADA, private) is not None
    assert dialogues.known(ADA, usual) is not None


def test_an_incognito_one_is_dropped_last() -> None:
    dialogues = ConversationStates()
    private = [uuid4() for _ in range(MAX_CONVERSATION_STATES)]
    for chat in private:
        dialogues.of(ADA, chat, "default").privacy = "incognito"
    usual = uuid4()
    dialogues.of(ADA, usual, "default")
    assert dialogues.known(ADA, private[0]) is None
    dialogues.of(ADA, uuid4(), "default")
    assert dialogues.known(ADA, usual) is None
    assert dialogues.known(ADA, private[1]) is not None


def test_starting_over_forgets_what_was_asked() -> None:
    dialogue = ConversationStates().of(ADA, uuid4(), "default")
    dialogue.question, dialogue.noticed = EraseQuestion(), [PendingNotice("noted: x")]
    dialogue.start_over("incognito")
    assert dialogue == ConversationState("default", "incognito")


def test_news_is_told_once_and_a_question_is_open_when_it_was_told() -> None:
    first, second = ReplacementQuestion(uuid4()), ReplacementQuestion(uuid4())
    news = [
        PendingNotice("noted: a"),
        PendingNotice("a?", first),
        PendingNotice("b?", second),
        PendingNotice("noted: c"),
    ]
    dialogue = ConversationState("default", noticed=news)
    assert asked_in(dialogue) is None
    assert sentences(dialogue) == ["noted: a", "a?"]
    assert asked_in(dialogue) is None, "it was told, and nobody has said that it was shown"
    dialogue.note_shown(first)
    assert asked_in(dialogue) == first
    assert sentences(dialogue) == [], "the first question is still open"
    dialogue.take_question()
    assert sentences(dialogue) == ["b?"]
    dialogue.note_shown(second)
    assert asked_in(dialogue) == second
    dialogue.take_question()
    assert sentences(dialogue) == ["noted: c"]
    assert (sentences(dialogue), asked_in(dialogue)) == ([], None)


def sentences(dialogue: ConversationState) -> list[str]:
    return [news.sentence for news in dialogue.take_news()]


def asked_in(dialogue: ConversationState) -> PendingQuestion | None:
    return dialogue.question
