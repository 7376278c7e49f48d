"""What a message in plain words can tell Keepsake to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CommandName = Literal[
    "remember",
    "remember_anyway",
    "forget",
    "do_not_remember",
    "undo",
    "pin",
    "unpin",
    "list",
    "about",
    "edit",
    "memory_off",
    "memory_on",
    "memory_read_only",
    "incognito_on",
    "incognito_read_only",
    "incognito_off",
    "export",
    "import",
    "erase_me",
    "why",
    "audit",
]


@dataclass(frozen=True)
class Command:
    """`about` is the object in the user's words (“my sister”), None for that, this, it and
    everything. `text` is what `remember` keeps or `edit` writes; None where the words are
    those that were said before. `for_good` belongs to forgetting, `everything` to pins and undo;
    said in plain words, forgetting everything is `erase_me`. `do_not_remember` is said of the
    message that it stands in, or where it `points_back` of what was said before. `as_said` says
    that `about` is the wish as it was said, each on a line, with what it means somewhere in it."""

    name: CommandName
    about: str | None = None
    text: str | None = None
    for_good: bool = False
    everything: bool = False
    points_back: bool = False
    as_said: bool = False
