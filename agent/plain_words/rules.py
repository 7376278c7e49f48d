"""A rule: a pattern for a whole sentence, the command it stands for, and what it takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from agent.plain_words.commands import Command, CommandName
from agent.plain_words.objects import is_clean, object_of
from agent.plain_words.sentence import Sentence

Check = Callable[[str, Sentence], bool]
_INQUIRIES: frozenset[CommandName] = frozenset({"list", "about", "why", "audit"})
_NAMED_GROUP = re.compile(r"\(\?P<\w+>")
_FOR_GOOD: frozenset[CommandName] = frozenset({"forget", "erase_me"})


@dataclass(frozen=True)
class Rule:
    """`about` says which objects are taken (the group `about` of the pattern).

    `wish` lets “I want to …”, “let's …” and “can we …” stand before it: these are no command
    where the verb is one of people's own minds (“I want to forget my ex”). `leave` lets “can
    I …” stand before it, which asks to be shown something, or asks about the product.
    `told` takes the sentence only where it speaks to Keepsake: “forget it” alone means never
    mind.
    """

    name: CommandName
    phrases: tuple[str, ...]
    about: Check = is_clean
    everything: bool = False
    wish: bool = True
    leave: bool = False
    told: bool = False

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """Compiled when a sentence is one of them, so that starting up does not wait."""
        return tuple(re.compile(phrase) for phrase in self.phrases)

    @cached_property
    def _any(self) -> re.Pattern[str]:
        """Compiled for the first sentence of all. Without names, which the phrases have in
        common."""
        return re.compile("|".join(_NAMED_GROUP.sub("(?:", phrase) for phrase in self.phrases))

    def may_match(self, sentence: Sentence) -> bool:
        """Whether it is one of the phrases; of ordinary talk one pattern of them all tells it many
        times sooner than each in its turn."""
        return self._any.fullmatch(sentence.folded) is not None

    def command_in(self, sentence: Sentence) -> Command | None:
        if not self.may_match(sentence) or not self._fits(sentence):
            return None
        matches = (pattern.fullmatch(sentence.folded) for pattern in self.patterns)
        commands = (self._command(match, sentence) for match in matches if match)
        return next((command for command in commands if command), None)

    def _command(self, match: re.Match[str], sentence: Sentence) -> Command | None:
        about = _cut(match, "about", sentence)
        if about is not None and not self.about(about, sentence):
            return None
        text = _cut(match, "text", sentence)
        return Command(
            self.name,
            about=object_of(about) if about else None,
            text=text.strip(" \"“”«»'‘’") if text else None,
            for_good=self.name in _FOR_GOOD and "for_good" in sentence.kinds,
            everything=self.everything,
        )

    def _fits(self, sentence: Sentence) -> bool:
        kinds = sentence.kinds
        if "wish" in kinds and not self.wish:
            return False
        if "leave" in kinds and not self.leave:
            return False
        if "wonders" in kinds and "polite" not in kinds:
            return False
        if self.told and not ({"polite", "for_good"} & kinds or "asks" in kinds):
            return False
        requested = sentence.addressed or bool({"wish", "leave"} & kinds)
        # “Pin this?” asks back; “what do you remember?” is how an inquiry is made.
        return self.name in _INQUIRIES or requested or not sentence.question


def rule(
    name: CommandName,
    *phrases: str,
    about: Check = is_clean,
    everything: bool = False,
    wish: bool = True,
    leave: bool = False,
    told: bool = False,
) -> Rule:
    """A rule for a sentence that is wholly one of the patterns."""
    return Rule(name, phrases, about, everything, wish, leave, told)


def _cut(match: re.Match[str], group: str, sentence: Sentence) -> str | None:
    """The group as it was spoken: `folded` has a character for each of it, in the same place."""
    if group not in match.re.groupindex or match[group] is None:
        return None
    return sentence.spoken[match.start(group) : match.end(group)].strip() or None
