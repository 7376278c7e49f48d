"""`/memories` with its filters, and `/prove`."""

from __future__ import annotations

import re

from app.terminal.memories import listing
from app.terminal.plain import one_line
from app.terminal.turns import Turns
from memory.controls.readable import proof_text
from memory.errors import InvalidInput
from memory.models import ITEM_TYPES
from memory.store.memories.listing import EntryFilter

LISTED = 50
_ID = re.compile(r"[0-9a-f-]{0,36}", re.IGNORECASE)


async def memories(words: str, turns: Turns, width: int | None) -> list[str]:
    """The newest memories; of a bank, of a type, the pinned ones, or those that hold words."""
    wanted = filter_of(words, turns.space, turns.keepsake.settings.memory_banks)
    page = await turns.memory.entries.browse(turns.user_id, wanted)
    lines = listing(page.items, width, one_line(words))
    return [*lines, "and more: /memories WORDS finds them"] if page.next else lines


def filter_of(words: str, space: str, banks: tuple[str, ...]) -> EntryFilter:
    """Pure: “pinned”, the name of a type or of a bank, else words to look for."""
    wanted = EntryFilter(space=space, limit=LISTED)
    name = words.casefold()
    if not name:
        return wanted
    if name == "pinned":
        return wanted.model_copy(update={"pinned": True})
    for item_type in ITEM_TYPES:
        if name in {item_type, f"{item_type}s"}:
            return wanted.model_copy(update={"type": item_type})
    for bank in banks:
        if name == bank.casefold():
            return wanted.model_copy(update={"bank": bank})
    return wanted.model_copy(update={"text": words})


async def prove(words: str, turns: Turns, _width: int | None) -> list[str]:
    """What was removed of a forgotten memory, the last one where no id is given, and that a search
    finds it no more."""
    beginning, _, rest = words.partition(" ")
    if not _ID.fullmatch(beginning):
        raise InvalidInput(reason="Say which: /prove ID. /audit shows how the ids begin.")
    forgetting = turns.memory.forgetting
    item_id = await forgetting.named(turns.user_id, beginning)
    proof = await forgetting.prove(turns.user_id, item_id, rest or None)
    return proof_text(proof).split("\n")
