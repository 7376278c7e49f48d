"""Which parts of a message command something, and the words that it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory.understanding.command_objects import load_object_heads
from memory.understanding.remembered import find_begin, find_end, has_colon, trim
from memory.understanding.sentences import is_question
from memory.understanding.types import (
    ASKING,
    COMMANDS,
    FORGETS_FROM,
    FORGETTING,
    CommandMention,
    CommandName,
    Kind,
    Segment,
)

# From so probable on it is some command, and from so probable on this one; what is hard to take
# back, or keeps all that is told afterwards from being remembered, has to be surer, and a command
# by its kind too, or akin to it: “I don't want you to mention him again” is a wish to forget. Where
# something is known from has to be surer as well: “when did we talk about it?” asks what was said.
# docs/decisions/0029-commands.md.
SURE_FROM, NAMED_FROM, _SURER_FROM, _WHY_FROM = 0.7, 0.5, 0.7, 0.8
_SURER: Mapping[CommandName, Kind] = {
    "erase_me": "forget",
    "memory_off": "do_not_remember",
    "memory_read_only": "do_not_remember",
    "incognito_on": "do_not_remember",
    "incognito_read_only": "do_not_remember",
}
# Of an edit, which tells what was before, few examples were learned from.
_EDIT_FROM = 0.5
# As probable by its kind, a wish to remember is one however long what it leads to is: nothing is
# lost by it.
WISHED_FROM = 0.7
# As probably a wish to remember by its kind, what sounds like one to pin tells what is to be kept
# for good: “put this somewhere safe, I'm allergic to nuts”.
TOLD_TO_PIN_FROM = 0.3
# As probably a correction of what was said before, it is an edit where it has new words for it.
CORRECTS_FROM = 0.45
# Their object is a part of the words; of the others it is looked for with all of them.
_WITH_OBJECT: frozenset[CommandName] = frozenset(
    {"remember", "remember_anyway", "pin", "unpin", "about", "edit"}
)
# So probable a request ends what is to be remembered: words that are lost are not seen.
_SURELY_ASKED = 0.7


@dataclass(frozen=True)
class CommandRun:
    """Segments `first` to `last`, not counting `last`, that command the same."""

    name: CommandName
    first: int
    last: int


def find_command_mentions(text: str, segments: Sequence[Segment]) -> list[CommandMention]:
    """In their order; none in what another wants remembered."""
    runs = command_runs(segments)
    mentions: list[CommandMention] = []
    for run in runs:
        if mentions and segments[run.first].start < mentions[-1].end:
            continue
        mention = _mention(text, segments, run)
        if run.name == "remember":
            mention = _with_all_words(mention, text, segments, run, runs)
        mentions.append(mention)
    return mentions


def command_runs(segments: Sequence[Segment]) -> list[CommandRun]:
    """Neighbours that command the same are one, but where each stands alone and may be about
    something else: “remember that I ski. Remember that I sing”. What is right may be told behind an
    edit: “correct my car. It's a Skoda, not a Seat”."""
    runs: list[CommandRun] = []
    for at, each in enumerate(segments):
        name = command_of(each)
        if name is None:
            continue
        goes_on = runs and runs[-1].name == name and runs[-1].last == at
        is_another = name in _WITH_OBJECT and each.alone and each.kind != "correct"
        if goes_on and not is_another:
            runs[-1] = replace(runs[-1], last=at + 1)
        else:
            runs.append(CommandRun(name, at, at + 1))
    return runs


def command_of(segment: Segment) -> CommandName | None:
    """None for what is told, asked or doubtful."""
    if not segment.commands:
        return None
    if segment.kinds.get("correct", 0.0) >= CORRECTS_FROM:
        return "edit"
    name = max(COMMANDS, key=lambda each: segment.commands[each])
    share, wished = segment.commands[name], segment.kinds.get("remember", 0.0)
    if name == "remember" and wished >= WISHED_FROM:
        return name
    if segment.kind not in {"control", _SURER.get(name, segment.kind)}:
        return None
    if segment.forgetting >= FORGETS_FROM and name not in FORGETTING:
        return None
    if name == "pin" and wished >= TOLD_TO_PIN_FROM:
        name = "remember"
    least = _SURER_FROM if name in _SURER else _WHY_FROM if name == "why" else NAMED_FROM
    sure = _EDIT_FROM if name == "edit" else SURE_FROM
    return name if share >= least and 1 - segment.commands["none"] >= sure else None


def _mention(text: str, segments: Sequence[Segment], run: CommandRun) -> CommandMention:
    """With what goes on in the same sentence and is no command or question: “remember that I moved,
    and that Ida stayed”."""
    last = run.last
    while run.name in _WITH_OBJECT and last < len(segments) and _continues(segments[last]):
        last += 1
    start, end = segments[run.first].start, segments[last - 1].end
    mention = CommandMention(run.name, start, end, text[start:end])
    if run.name not in _WITH_OBJECT:
        return mention
    found = load_object_heads().marked(mention.text, run.name)
    old, new = found.get("old"), found.get("new")
    return replace(mention, object=found.get("object"), old=old, new=new)


def _continues(segment: Segment) -> bool:
    is_command = command_of(segment) is not None
    return not segment.alone and not is_command and segment.kind not in ASKING


def _with_all_words(
    mention: CommandMention,
    text: str,
    segments: Sequence[Segment],
    run: CommandRun,
    runs: Sequence[CommandRun],
) -> CommandMention:
    """What is to be remembered as far as it goes, which the heads know only in part."""
    start, end = segments[run.first].start, segments[run.last - 1].end
    begin = find_begin(text, start, end, mention.object, first=run.first == 0)
    if begin is None or (mention.object is not None and not _leads(text[mention.start : begin])):
        return mention
    known = begin if mention.object is None else begin + len(mention.object)
    others = {each.first for each in runs if each is not run}
    stops = [
        each.start
        for at, each in enumerate(segments)
        if each.start > begin and (at in others or _is_asked(each, leads=has_colon(mention.text)))
    ]
    end = find_end(text, start, begin, known, stops)
    kept = trim(text[begin:end], keeps_question=has_colon(text[start:begin]))
    if not kept:
        return mention
    first, last = min(mention.start, begin), max(mention.end, end)
    return replace(mention, start=first, end=last, text=text[first:last], object=kept)


def _leads(words: str) -> bool:
    """Whether a command is said before what is to be remembered."""
    return any(each.isalpha() for each in words)


def _is_asked(segment: Segment, *, leads: bool) -> bool:
    """What a colon `leads` to may well be steps, which sound like requests."""
    requested = not leads and segment.kinds.get("request", 0.0) >= _SURELY_ASKED
    return requested or is_question(segment.text)
