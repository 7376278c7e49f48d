"""What a new memory was kept as before, when it comes from the same place again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.models import Actor
from memory.store.memories.items import EmbeddedItem
from memory.store.memories.neighbours import StoredNeighbour
from memory.understanding.relations import Relations
from memory.write.novelty import Neighbour, Relate, decide


def kept_before(
    new: EmbeddedItem, near: Sequence[StoredNeighbour], actor: Actor, relate: Relate
) -> StoredNeighbour | None:
    """What this message, or an import, was already kept as; in recall or replaced since."""
    said = _from_same_message(new, near, relate)
    if said is None and actor == "import":
        return _to_the_letter(new, near)
    return said


def as_neighbour(stored: StoredNeighbour, told: Relations | None = None) -> Neighbour:
    item = stored.item
    return Neighbour(
        id=item.id,
        content=item.content,
        simhash=stored.simhash,
        cosine=stored.cosine,
        pinned=item.pinned,
        manually_saved=item.manually_saved,
        created_at=item.created_at,
        occurred_at=item.occurred_at,
        replaced=stored.replaced,
        told=told,
    )


def _from_same_message(
    new: EmbeddedItem, near: Sequence[StoredNeighbour], relate: Relate
) -> StoredNeighbour | None:
    assert new.simhash is not None
    if new.item.source_message_id is None:
        return None
    for each in near:
        if str(new.item.source_message_id) not in each.source_ids:
            continue
        as_living = replace(as_neighbour(each), replaced=False)
        if decide(new.item.content, new.simhash, [as_living], relate).kind == "repeat":
            return each
    return None


def _to_the_letter(new: EmbeddedItem, near: Sequence[StoredNeighbour]) -> StoredNeighbour | None:
    """The same words without a source that is new: it was taken along from here, or brought
    before, and is not said once more."""
    for each in near:
        same_words = each.item.content == new.item.content
        if same_words and set(new.item.source_ids) <= set(each.source_ids):
            return each
    return None
