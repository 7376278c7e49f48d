"""Which parts of a message command something, and the words that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.understanding.encoded_text import EncodedText
from memory.understanding.remembered import find_begin, find_end, has_colon, trim
from memory.understanding.sentences import is_question
from memory.understanding.types import (
    ASKING,
    COMMANDS,
    CommandMention,
    CommandName,
    Segment,
)

# From so probable on it is some command, and from so probable on this one; what is hard to take
# back, or keeps all that is told afterwards from being remembered, has to be surer.
# docs/decisions/0029-commands.md.
SURE_FROM, NAMED_FROM, _SURER_FROM = 0.8, 0.4, 0.7
_SURER: frozenset[CommandName] = frozenset(
    {"erase_me", "memory_off", "memory_read_only", "incognito_on", "incognito_read_only"}
)
# Of an edit, which tells what was before, few examples were learned from.
_EDIT_FROM = 0.5
# Their object is a part of the words; of the others it is looked for with all of them.
_WITH_OBJECT: frozenset[CommandName] = frozenset(
    {"remember", "remember_anyway", "pin", "unpin", "about", "edit"}
)
# So probable a request ends what is to be remembered: words that are lost are not seen.
_SURELY_ASKED = 0.7
_MARKS = " \t\n.,;:!?…–—-"
_PAIRS = {'"': '"', "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "(": ")"}


@dataclass(frozen=True)
class CommandRun:
    """Segments `first` to `last`, not counting `last`, that command the same."""

    name: CommandName
    first: int
    last: int


def find_command_mentions(
    encoded: EncodedText, segments: Sequence[Segment]
) -> list[CommandMention]:
    """In their order; none in what another wants remembered."""
    runs = command_runs(segments)
    mentions: list[CommandMention] = []
    for run in runs:
        if mentions and segments[run.first].start < mentions[-1].end:
            continue
        mention = _mention(encoded, segments, run)
        if run.name == "remember":
            mention = _with_all_words(mention, encoded.text, segments, run, runs)
        mentions.append(mention)
    return mentions


def command_runs(segments: Sequence[Segment]) -> list[CommandRun]:
    """Neighbours that command the same are one, but where each stands alone and may be about
    something else: “remember that I ski. Remember that I sing”."""
    runs: list[CommandRun] = []
    for at, each in enumerate(segments):
        name = command_of(each)
        if name is None:
            continue
        goes_on = runs and runs[-1].name == name and runs[-1].last == at
        if goes_on and not (name in _WITH_OBJECT and each.alone):
            runs[-1] = replace(runs[-1], last=at + 1)
        else:
            runs.append(CommandRun(name, at, at + 1))
    return runs


def command_of(segment: Segment) -> CommandName | None:
    """None for what is told, asked or doubtful."""
    if not segment.commands:
        return None
    name = max(COMMANDS, key=lambda each: segment.commands[each])
    named = segment.commands[name] >= (_SURER_FROM if name in _SURER else NAMED_FROM)
    sure = _EDIT_FROM if name == "edit" else SURE_FROM
    return name if named and 1 - segment.commands["none"] >= sure else None


def _mention(encoded: EncodedText, segments: Sequence[Segment], run: CommandRun) -> CommandMention:
    """With what goes on in the same sentence and is no command or question: “remember that I moved,
    and that Ida stayed”."""
    last = run.last
    while run.name in _WITH_OBJECT and last < len(segments) and _continues(segments[last]):
        last += 1
    start, end = segments[run.first].start, segments[last - 1].end
    mention = CommandMention(run.name, start, end, encoded.text[start:end])
    if run.name not in _WITH_OBJECT:
        return mention
    if run.name == "edit":
        old, new = _words(encoded, "old", mention), _words(encoded, "new", mention)
        overlaps = old is not None and new is not None and old in new
        found = _words(encoded, "object", mention)
        return replace(mention, object=found, old=None if overlaps else old, new=new)
    return replace(mention, object=_words(encoded, "object", mention))


def _continues(segment: Segment) -> bool:
    is_command = command_of(segment) is not None
    return not segment.alone and not is_command and segment.kind not in ASKING


def _words(encoded: EncodedText, name: str, mention: CommandMention) -> str | None:
    """Without the marks and the quotation marks around them; None where it has none."""
    span = encoded.marked(name, mention.start, mention.end)
    if span is None:
        return None
    start, end = max(span[0], mention.start), min(span[1], mention.end)
    if encoded.text.rfind("[", start, end) > encoded.text.rfind("]", start, end):
        end = max(end, encoded.text.find("]", end, mention.end) + 1)
    found = encoded.text[start:end].strip(_MARKS)
    if len(found) > 1 and _PAIRS.get(found[0]) == found[-1]:
        found = found[1:-1].strip(_MARKS)
    return found or None


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
