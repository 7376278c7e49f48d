"""What a message wants before any model sees it: a command, an answer, or just a reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.commands.answers import Answer, answer_question
from agent.commands.command import Command
from agent.commands.history_choice import split_choice
from agent.commands.lexicon import answer_in, is_old_one
from agent.commands.obey import obey
from agent.talks.dialogue import AskedToForget, AskedWhichHolds, Dialogue, Question
from agent.turn.context import TurnContext

_UNSTORED = {"incognito_on", "incognito_read_only", "incognito_off"}


# What these do is asked about first.
_ASKED = {"forget", "erase_me"}


@dataclass(frozen=True)
class Wish:
    """Commands, or the answer to what Keepsake asked."""

    commands: tuple[Command, ...] = ()
    question: Question | None = None
    answer: Answer | None = None

    @property
    def unstored(self) -> bool:
        """Whether the turn leaves no trace: that a conversation was incognito is one."""
        return any(each.name in _UNSTORED for each in self.commands)

    @property
    def leaves_out(self) -> bool:
        """Whether nothing of the message is to be kept: it is talk all the same, and answered."""
        return any(map(_leaves_out, self.commands))

    def but_for_leaving_out(self) -> Wish | None:
        """What is to be done now; None where that is nothing."""
        if not self.leaves_out:
            return self
        left = tuple(each for each in self.commands if not _leaves_out(each))
        return Wish(left) if left else None

    async def obey(self, turn: TurnContext) -> str:
        """Does it, and says so. What cannot be done is said as well, not raised. What has to be
        asked about comes last, and one question at a time."""
        if self.question is not None and self.answer is not None:
            return await answer_question(self.question, self.answer, turn)
        told = []
        for each in sorted(self.commands, key=lambda command: command.name in _ASKED):
            if each.name in _ASKED and turn.dialogue.question is not None:
                told.append(turn.say("answer_first", said=each.said or each.about))
                continue
            told.append(await obey(each, turn))
            if turn.kept:
                turn.dialogue.mention([item.id for item in turn.kept])
        return "\n\n".join(told)


def _leaves_out(command: Command) -> bool:
    return command.name == "do_not_remember" and not command.points_back


def understand(text: str, commands: Sequence[Command], dialogue: Dialogue) -> Wish | None:
    """What the text wants, which are the `commands` unless it answers a question; None for what the
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
    return Wish(tuple(commands)) if commands else None
