from __future__ import annotations

from uuid import uuid4

from agent.commands import dispatch as understanding
from agent.commands.dispatch import Intent, QuestionAnswer
from agent.commands.parser import parse_commands
from agent.conversations.state import ConversationState, ForgetQuestion, ReplacementQuestion
from memory.understanding import OfflineReader

ASKED = ForgetQuestion((uuid4(),), for_good=False)


def understand(said: str, dialogue: ConversationState) -> Intent | None:
    return understanding.detect_intent(said, parse_commands(said, OfflineReader()), dialogue)


def test_talk_is_no_wish() -> None:
    assert understand("My sister Maria lives in Oslo.", ConversationState("default")) is None


def test_yes_answers_only_what_was_asked() -> None:
    assert understand("yes", ConversationState("default")) is None
    wish = understand("yes", ConversationState("default", question=ASKED))
    assert wish is not None
    assert wish.answer == QuestionAnswer(yes=True)
    assert wish.question == ASKED


def test_the_old_one_is_an_answer_where_two_are_asked_about_alone() -> None:
    which = ReplacementQuestion(uuid4())
    wish = understand("the old one still holds", ConversationState("default", question=which))
    assert wish is not None
    assert wish.answer == QuestionAnswer(older=True)
    assert (
        understand("the old one still holds", ConversationState("default", question=ASKED)) is None
    )


def test_a_question_is_asked_once() -> None:
    """Whatever else is said takes it back: no later “yes” deletes anything."""
    dialogue = ConversationState("default", question=ASKED)
    assert understand("What is the capital of Norway?", dialogue) is None
    assert dialogue.question is None
    assert understand("yes", dialogue) is None


def test_a_command_takes_a_question_back_and_is_obeyed() -> None:
    dialogue = ConversationState("default", question=ASKED)
    wish = understand("turn memory off", dialogue)
    assert wish is not None
    assert [each.name for each in wish.commands] == ["memory_off"]
    assert dialogue.question is None


def test_only_incognito_itself_leaves_no_trace() -> None:
    incognito = understand("go incognito", ConversationState("default"))
    pin = understand("pin this", ConversationState("default"))
    assert incognito is not None
    assert incognito.unstored
    assert pin is not None
    assert not pin.unstored
