"""A command, wherever it comes from: words, a button, a slash or the model."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory.understanding import CommandName


@dataclass(frozen=True)
class Command:
    """`about` is the object in the user's words (“my sister”), None for that, this, it and
    everything. `text` is what `remember` keeps or `edit` writes, and `old` what it is written over;
    None where the words are those that were said before. `for_good` belongs to forgetting,
    `everything` to pins and forgetting; said in plain words, forgetting everything is `erase_me`.
    `do_not_remember` is said of the message that it stands in, or where it `points_back` of what
    was said before. `as_said` says that `about` is the wish as it was said, each on a line, with
    what it means somewhere in it.

    `said` are the whole words of a command that was said, at `start` to `end` of the message."""

    name: CommandName
    about: str | None = None
    text: str | None = None
    old: str | None = None
    for_good: bool = False
    everything: bool = False
    points_back: bool = False
    as_said: bool = False
    said: str | None = field(default=None, compare=False)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
