"""What a newer memory may replace, and whether it still sees that in a roll-up. Pure functions.

Who lives in Oslo may live in Bergen next year, and then nothing may go on telling of Oslo. A newer
memory is compared with what a memory fills in as a whole (`understood`), and of a text of many
sentences that is what its first one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from memory.store.upkeep.roll_ups import Source
from memory.write.novelty import Read
from memory.write.slots import key_of, understood

Filled: TypeAlias = frozenset[tuple[str, str]]


def replaceable(content: str, read: Read = understood) -> Filled:
    """What the words fill in of which one value holds at a time (home, employer, birthday), each by
    its key and aspect; not what somebody does or likes, nor what is over. `read` is `understood`,
    or what answers the same quicker."""
    return frozenset(
        (key_of(slot), slot.aspect)
        for slot in read(content).slots
        if slot.single and not slot.is_deed and not slot.history
    )


def hidden(content: str, sources: Sequence[Source], read: Read = understood) -> list[Source]:
    """Those of the sources that a newer memory could not replace in a text of all of them."""
    seen = replaceable(content, read)
    return [source for source in sources if not replaceable(source.content, read) <= seen]
