"""Commands in plain words: what a message tells Keepsake to do, found without a model."""

from agent.plain_words.answers import answer_in
from agent.plain_words.commands import Command, CommandName
from agent.plain_words.recognise import recognise

__all__ = ["Command", "CommandName", "answer_in", "recognise"]
