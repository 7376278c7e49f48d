"""What a message wants before any model sees it: a command, an answer, or just a reply."""

from __future__ import annotations

from dataclasses import dataclass

from agent.commands.answers import Answer, answer_question
from agent.commands.history_choice import split_choice
from agent.commands.obey import obey
from agent.plain_words.answers import answer_in, is_old_one
from agent.plain_words.commands import Command
from agent.talks.dialogue import AskedToForget, AskedWhichHolds, Dialogue, Question
from agent.turn.context import TurnContext

_UNSTORED = {"incognito_on", "incognito_read_only", "incognito_off"}


@dataclass(frozen=True)
class Wish:
    """A command in plain words, or the answer to what Keepsake asked."""

    command: Command | None = None
    question: Question | None = None
    answer: Answer | None = None

    @property
    def unstored(self) -> bool:
        """Whether the turn leaves no trace: that a conversation was incognito is one."""
        return self.command is not None and self.command.name in _UNSTORED

    @property
    def leaves_out(self) -> bool:
        """Whether nothing of the message is to be kept: it is talk all the same, and answered."""
        command = self.command
        return command is not None and command.name == "do_not_remember" and not command.points_back

    async def obey(self, turn: TurnContext) -> str:
        """Does it, and says so. What cannot be done is said as well, not raised."""
        if self.command is not None:
            return await obey(self.command, turn)
        assert self.question is not None
        assert self.answer is not None
        return await answer_question(self.question, self.answer, turn)


def understand(text: str, command: Command | None, dialogue: Dialogue) -> Wish | None:
    """What the text wants, which is the `command` unless it answers a question; None for what the
    model is to answer. A question is asked once: whatever else is said
    takes it back, so that no later “yes” is taken for its answer. What to do with the messages,
    said alone, is a yes."""
    question, dialogue.question = dialogue.question, None
    dialogue.unanswered = False
    if question is not None:
        answer, history = split_choice(text)
        chosen = isinstance(question, AskedToForget) and answer != text and not answer.strip()
        older = isinstance(question, AskedWhichHolds) and is_old_one(answer)
        yes = True if chosen else False if older else answer_in(answer)
        if yes is not None:
            return Wish(question=question, answer=Answer(yes, older, history))
        dialogue.unanswered = not isinstance(question, AskedWhichHolds)
    return None if command is None else Wish(command)
